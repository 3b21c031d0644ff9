use super::*;
use std::collections::BTreeMap;

fn identity(name: &str) -> Identity {
    Identity { name: name.to_string(), digest: "d".to_string(), seed: u64::MAX, scheme: "mix".to_string() }
}

fn open(folder: &std::path::Path) -> Box<dyn Store> {
    Box::new(Sqlite::open(folder).unwrap())
}

fn sighting(signature: &str, test: u64) -> Sighting {
    Sighting {
        signature: signature.to_string(),
        test,
        target: "t".to_string(),
        input: vec![test as u8],
        flags: String::new(),
        happened: "it died".to_string(),
    }
}

/// The work of a shard in which every third test fails and every fifth is rejected.
fn work(shard: &Shard) -> Work {
    let mark = |test: u64| match test {
        test if test.is_multiple_of(3) => Mark::Failed(format!("s{}", test % 2)),
        test if test.is_multiple_of(5) => Mark::Rejected,
        _ => Mark::Passed,
    };
    let tests = shard.first..shard.first + shard.count;
    let sightings = tests.clone().filter(|test| test.is_multiple_of(3));
    let rejected = tests.clone().filter(|test| mark(*test) == Mark::Rejected).count() as u64;
    Work {
        marks: tests.map(|test| vec![mark(test)]).collect(),
        sightings: sightings.map(|test| sighting(&format!("s{}", test % 2), test)).collect(),
        rejections: vec![("t".to_string(), "no".to_string(), rejected)],
        processor: Duration::from_millis(shard.count),
    }
}

/// Counts the tests, the failures by signature, and the rejections.
fn counts(store: &mut dyn Store, campaign: i64) -> (u64, BTreeMap<String, u64>, u64) {
    let names: BTreeMap<i64, String> =
        store.failures(campaign).unwrap().into_iter().map(|kept| (kept.id, kept.signature)).collect();
    let (mut tests, mut failures) = (0, BTreeMap::new());
    for shard in store.finished(campaign).unwrap() {
        tests += shard.marks.len() as u64;
        for mark in shard.marks.iter().flatten() {
            if let Mark::Failed(id) = mark {
                *failures.entry(names[id].clone()).or_default() += 1;
            }
        }
    }
    let rejected = store.rejections(campaign).unwrap().iter().map(|rejection| rejection.count).sum();
    (tests, failures, rejected)
}

#[test]
fn shards_are_disjoint_and_cover_the_goal() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = open(folder.path());
    let id = store.campaign(&identity("a")).unwrap().id;
    let goal = store.begin(id, Some(100)).unwrap();
    assert_eq!(goal, Some(100));
    let mut tests = Vec::new();
    while let Some(shard) = store.claim(id, 7, goal).unwrap() {
        tests.extend(shard.first..shard.first + shard.count);
        store.finish(&shard, &work(&shard)).unwrap();
    }
    assert_eq!(tests, (0..100).collect::<Vec<_>>());
    assert_eq!(store.campaign(&identity("a")).unwrap().tests, 100);
}

#[test]
fn a_killed_run_loses_nothing_and_counts_nothing_twice() {
    let expected = {
        let folder = tempfile::tempdir().unwrap();
        let mut store = open(folder.path());
        let id = store.campaign(&identity("a")).unwrap().id;
        let shard = store.claim(id, 60, None).unwrap().unwrap();
        store.finish(&shard, &work(&shard)).unwrap();
        counts(store.as_mut(), id)
    };
    let folder = tempfile::tempdir().unwrap();
    let mut id = 0;
    let mut round = 0;
    loop {
        // Each round is a process that is killed after a claim; dropping the store is what the system does.
        let mut store = open(folder.path());
        id = store.campaign(&identity("a")).unwrap().id.max(id);
        let goal = store.begin(id, Some(60)).unwrap();
        assert_eq!(goal, Some(60));
        let Some(shard) = store.claim(id, 9, goal).unwrap() else { break };
        store.finish(&shard, &work(&shard)).unwrap();
        // A shard that is cut in the middle goes on behind what was done.
        if let Some(shard) = store.claim(id, 5, goal).unwrap()
            && round % 2 == 0
        {
            let mut part = work(&Shard { count: shard.count.min(2), ..shard.clone() });
            part.processor = Duration::ZERO;
            store.finish(&shard, &part).unwrap();
        }
        round += 1;
    }
    assert!(round > 3);
    let mut store = open(folder.path());
    assert_eq!(counts(store.as_mut(), id), expected);
    store.end(id).unwrap();
    assert_eq!(store.begin(id, Some(10)).unwrap(), Some(70));
}

#[test]
fn the_first_inputs_are_kept_whatever_the_order_of_shards() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = open(folder.path());
    let id = store.campaign(&identity("a")).unwrap().id;
    let shards: Vec<Shard> = (0..10).map(|_| store.claim(id, 10, None).unwrap().unwrap()).collect();
    for shard in shards.iter().rev() {
        store.finish(shard, &work(shard)).unwrap();
    }
    let failures = store.failures(id).unwrap();
    let signatures: Vec<&str> = failures.iter().map(|failure| failure.signature.as_str()).collect();
    assert_eq!(signatures, ["s0", "s1"], "numbers follow the first tests");
    let tests: Vec<u64> = failures[0].sightings.iter().map(|sighting| sighting.test).collect();
    assert_eq!(tests, [0, 6, 12, 18, 24]);
}

#[test]
fn a_shard_is_finished_once() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = open(folder.path());
    let id = store.campaign(&identity("a")).unwrap().id;
    let shard = store.claim(id, 10, None).unwrap().unwrap();
    assert_eq!(store.finish(&shard, &work(&shard)).unwrap(), ["s0", "s1"]);
    assert!(store.finish(&shard, &work(&shard)).is_err());
    assert_eq!(counts(store.as_mut(), id).0, 10);
}

#[test]
fn only_one_run_uses_a_store_at_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let _store = open(folder.path());
    let error = Sqlite::open(folder.path()).unwrap_err().to_string();
    assert!(error.contains("another run uses the store"), "{error}");
}

#[test]
fn a_store_that_is_newer_or_damaged_is_refused_with_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    drop(open(folder.path()));
    let path = folder.path().join("store.sqlite");
    let connection = rusqlite::Connection::open(&path).unwrap();
    connection.execute("UPDATE meta SET value = 99", []).unwrap();
    drop(connection);
    for error in [Sqlite::open(folder.path()).map(drop), Sqlite::read(folder.path()).map(drop)] {
        let error = error.unwrap_err().to_string();
        assert!(
            error.contains("newer cargo-bugnet (version 99") && error.contains("move the file away"),
            "{error}"
        );
    }
    std::fs::write(&path, "this is no database, and it is long enough to be taken for one".repeat(99))
        .unwrap();
    let error = Sqlite::open(folder.path()).unwrap_err().to_string();
    assert!(error.contains("is damaged") && error.contains("move it away"), "{error}");
}

#[test]
fn what_was_reduced_merged_and_reported_is_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = open(folder.path());
    let id = store.campaign(&identity("a")).unwrap().id;
    let shard = store.claim(id, 10, None).unwrap().unwrap();
    store.finish(&shard, &work(&shard)).unwrap();
    let failures = store.failures(id).unwrap();
    let reduced = Reduced {
        input: vec![1, 2],
        by: "lines".to_string(),
        happened: "h".to_string(),
        signatures: vec!["s0".to_string(), "s1".to_string()],
    };
    store.keep_reduced(failures[0].id, &reduced).unwrap();
    store.merge(failures[1].id, failures[0].id).unwrap();
    let again = store.failures(id).unwrap();
    assert_eq!((again[0].reduced.as_ref(), again[1].merged_into), (Some(&reduced), Some(failures[0].id)));
    let report = Campaign { name: "a".to_string(), tests: 10, ..Campaign::default() };
    store.keep_report(id, &report).unwrap();
    assert_eq!(store.reports().unwrap(), [report]);
    store.forget(id).unwrap();
    assert_eq!((store.failures(id).unwrap(), counts(store.as_mut(), id).0), (Vec::new(), 0));
}
