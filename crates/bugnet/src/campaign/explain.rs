//! Explaining a failure: which features of the inputs make it more or less likely.
//!
//! Inputs are run that each leave some features out, beside those of the search, which stopped at
//! the failure. What the failing ones have in common is told by [`Tally`].

use crate::case::Judge;
use crate::oracle::{Signature, Verdict, WrongTest};
use crate::random::Seed;
use crate::strategy::Swarmed;
use crate::swarm::Tally;

/// Runs inputs until `is_late`, or until there are failures enough.
pub(crate) fn influences(
    judge: &mut Judge<'_>,
    seed: Seed,
    kind: &Signature,
    is_late: &dyn Fn(u64) -> bool,
) -> Result<Tally, WrongTest> {
    let (mut swarmed, mut tally, mut failures) = (Swarmed::new(seed), Tally::default(), 0);
    swarmed.probe(judge)?;
    let mut run = 0;
    while failures < Tally::ENOUGH && !is_late(run) && !swarmed.is_pointless() {
        run += 1;
        let mut source = swarmed.next();
        let failed = match judge.case(&mut source, &mut |_| true)? {
            Some(Verdict::Pass) => None,
            Some(Verdict::Fail(failure)) if failure.signature == *kind => Some(kind.to_string()),
            // Another failure hides whether this one would have come.
            _ => continue,
        };
        swarmed.learn(&source);
        let Some(swarm) = source.swarm() else { continue };
        let features = swarm.features();
        let (mut configured, mut used) = (Vec::new(), Vec::new());
        for feature in &features {
            configured.push((feature.name.as_str(), feature.on));
            if let Some(is_used) = feature.used {
                used.push((feature.name.as_str(), is_used));
            }
        }
        tally.count(&swarm.configuration, configured, used, failed.as_deref());
        failures += u64::from(failed.is_some());
    }
    Ok(tally)
}
