use super::*;
use crate::store::campaign::Influence;
use crate::swarm::draw::Draw;
use crate::swarm::setup::swarm;
use bugnet::swarm::{Share, Swarm};

fn features(count: usize) -> Vec<Feature> {
    let switch = |place: usize| Feature {
        name: format!("f{place}"),
        kind: Kind::Switch { on: vec![format!("-f{place}")], off: Vec::new(), is_default: true },
        share: None,
        requires: Vec::new(),
        excludes: Vec::new(),
    };
    (0..count).map(switch).collect()
}

/// A simulated campaign: `outcome` says which failure a test has, by its features and a random word.
fn campaign(
    scheme: Scheme,
    features: &[Feature],
    seed: u64,
    count: u64,
    outcome: impl Fn(&[bool], u64) -> Option<i64>,
) -> Vec<Test> {
    let swarm = swarm(scheme, features);
    let test = |test: u64| {
        let draw = Draw::of(seed, test);
        let setup = Setup::of(features, &swarm, draw, test);
        let row: Vec<bool> = setup.settings.iter().map(|setting| *setting == Setting::Switch(true)).collect();
        let mark = outcome(&row, draw.word("chance")).map_or(Mark::Passed, Mark::Failed);
        Test { setup, marks: vec![mark] }
    };
    (0..count).map(test).collect()
}

fn explained(features: &[Feature], tests: &[Test], failures: &[Vec<i64>], scheme: Scheme) -> Vec<Reasons> {
    explain(&Columns::of(features, tests), tests, failures, scheme)
}

fn names(influences: &[Influence]) -> Vec<&str> {
    influences.iter().map(|influence| influence.feature.as_str()).collect()
}

#[test]
fn a_target_that_fails_by_a_hash_seldom_has_a_trigger() {
    let features = features(10);
    let campaigns = 200;
    let mut wrong = 0;
    for seed in 0..campaigns {
        let tests =
            campaign(Scheme::Mix, &features, seed, 400, |_, chance| (chance.is_multiple_of(8)).then_some(1));
        let reasons = &explained(&features, &tests, &[vec![1]], Scheme::Mix)[0];
        wrong += usize::from(!reasons.triggers.is_empty() || !reasons.suppressors.is_empty());
    }
    // 6 % are allowed; of 200, 12.
    assert!(wrong <= 12, "{wrong} of {campaigns}");
}

#[test]
fn planted_triggers_and_suppressors_are_named_and_bystanders_are_not() {
    let features = features(10);
    let (mut found, mut bystanders) = (0, 0);
    for seed in 0..40 {
        let tests = campaign(Scheme::Mix, &features, seed, 800, |on, chance| {
            (on[2] && !on[5] && chance.is_multiple_of(2)).then_some(1)
        });
        let reasons = &explained(&features, &tests, &[vec![1]], Scheme::Mix)[0];
        found += usize::from(
            names(&reasons.triggers).contains(&"f2") && names(&reasons.suppressors).contains(&"f5"),
        );
        bystanders += usize::from(reasons.triggers.len() + reasons.suppressors.len() > 2);
    }
    assert!(found >= 38, "found in {found} of 40");
    assert!(bystanders <= 4, "{bystanders} of 40 name another feature");
}

#[test]
fn a_mask_is_not_called_a_suppressor() {
    let features = features(6);
    let scheme = Scheme::Coin(Share::HALF);
    let (mut called, mut naive) = (0, 0);
    for seed in 0..20 {
        // f0 triggers an early crash; the later one comes by chance, where the early one did not.
        let tests = campaign(scheme, &features, seed, 800, |on, chance| {
            if on[0] && chance % 10 < 8 {
                return Some(1);
            }
            (chance >> 32).is_multiple_of(5).then_some(2)
        });
        let reasons = explained(&features, &tests, &[vec![1], vec![2]], scheme);
        assert_eq!(names(&reasons[0].triggers)[0], "f0");
        called += usize::from(names(&reasons[1].suppressors).contains(&"f0"));
        // The result of an analysis that counts the early crash as a pass.
        let passing: Vec<Test> = tests
            .iter()
            .map(|test| {
                let mut test = test.clone();
                if test.marks[0] == Mark::Failed(1) {
                    test.marks[0] = Mark::Passed;
                }
                test
            })
            .collect();
        let reasons = explained(&features, &passing, &[vec![2]], scheme);
        naive += usize::from(names(&reasons[0].suppressors).contains(&"f0"));
    }
    // One discovery in twenty may be wrong.
    assert!(called <= 1, "the mask was called a suppressor in {called} of 20");
    assert!(naive > 15, "the mask would not have been called a suppressor: {naive}");
}

#[test]
fn numbers_are_compared_below_and_above_their_median() {
    let kind = Kind::Number { flag: "-n {}".to_string(), low: 0, high: 99, default: Some(50) };
    let number = Feature { kind, ..features(1).remove(0) };
    let swarm = Swarm::new(Scheme::Uniform, []);
    let features = [number];
    let test = |test: u64| {
        let setup = Setup::of(&features, &swarm, Draw::of(3, test), test);
        let Setting::Number(Some(value)) = setup.settings[0] else { panic!("no number") };
        Test { setup, marks: vec![if value > 70 { Mark::Failed(1) } else { Mark::Passed }] }
    };
    let tests: Vec<Test> = (0..300).map(test).collect();
    let reasons = &explained(&features, &tests, &[vec![1]], Scheme::Uniform)[0];
    assert_eq!(reasons.triggers.len(), 1);
    assert!(reasons.triggers[0].feature.starts_with("f0 > "), "{}", reasons.triggers[0].feature);
}

#[test]
fn tests_that_were_rejected_are_in_neither_group() {
    let features = features(3);
    let mut tests = campaign(Scheme::Coin(Share::HALF), &features, 1, 200, |_, chance| {
        (chance.is_multiple_of(4)).then_some(1)
    });
    for test in tests.iter_mut().skip(100) {
        test.marks[0] = Mark::Rejected;
    }
    let reasons = &explained(&features, &tests, &[vec![1]], Scheme::Coin(Share::HALF))[0];
    assert!(reasons.others.iter().all(|influence| influence.all == 100));
}
