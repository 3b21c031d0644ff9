//! Failures over tests and over time, as steps.
//!
//! Coordinates are in percent, so that the lines fit any width while texts keep their size.
//!
//! **Invariant:** the last step is where the campaign stands.

use super::figure::{grouped, position, processor_time, step, time_unit};
use crate::store::campaign::{Campaign, Point};

/// One chart.
#[derive(Debug)]
pub(super) struct Growth {
    pub(super) title: &'static str,
    pub(super) summary: String,
    pub(super) steps: Vec<Step>,
    /// The labels below the chart: the position from the left, and the text.
    pub(super) across: Vec<(String, String)>,
    /// The same at the side, from the top.
    pub(super) up: Vec<(String, String)>,
}

/// A time without a new failure, and the failure at its end.
#[derive(Debug)]
pub(super) struct Step {
    pub(super) from: String,
    pub(super) to: String,
    pub(super) height: String,
    pub(super) next: String,
}

/// The horizontal axis of a chart.
struct Axis {
    title: &'static str,
    summary: String,
    /// The unit of its labels, and the name of the unit.
    unit: (f64, &'static str),
}

impl Growth {
    /// The charts of a campaign; none if nothing was tested.
    pub(super) fn of(campaign: &Campaign) -> Vec<Growth> {
        let Some(end) = campaign.growth.last().filter(|end| end.tests > 0) else { return Vec::new() };
        let failures = grouped(end.failures);
        let tests = Axis {
            title: "Failures over tests",
            summary: format!("{failures} distinct after {} tests", grouped(end.tests)),
            unit: (1.0, ""),
        };
        let time = Axis {
            title: "Failures over processor time",
            summary: format!("{failures} distinct after {}", processor_time(end.processor_seconds)),
            unit: time_unit(end.processor_seconds),
        };
        let mut charts = vec![Growth::by(campaign, tests, |point| point.tests as f64)];
        if end.processor_seconds > 0.0 {
            charts.push(Growth::by(campaign, time, |point| point.processor_seconds));
        }
        charts
    }

    fn by(campaign: &Campaign, axis: Axis, x: impl Fn(&Point) -> f64) -> Growth {
        let points = &campaign.growth;
        let width = points.iter().map(&x).fold(0.0, f64::max).max(1e-9);
        let height = points.iter().map(|point| point.failures).max().unwrap_or(0).max(1) as f64;
        let across = |value: f64| position(value / width);
        let up = |failures: u64| position(1.0 - failures as f64 / height);
        let (mut steps, mut from, mut failures) = (Vec::new(), 0.0, 0);
        for point in points {
            steps.push(Step {
                from: across(from),
                to: across(x(point)),
                height: up(failures),
                next: up(point.failures),
            });
            (from, failures) = (x(point), point.failures);
        }
        let ticks = |range: f64, least: f64| {
            let step = step(range).max(least);
            (0..=(range / step) as u64).map(move |tick| tick as f64 * step)
        };
        let (unit, name) = axis.unit;
        let label = |value: f64| match value.fract() == 0.0 {
            true => format!("{}{name}", grouped(value as u64)),
            false => format!("{}{name}", (value * 1e6).round() / 1e6),
        };
        Growth {
            title: axis.title,
            summary: axis.summary,
            steps,
            across: ticks(width / unit, 0.0).map(|value| (across(value * unit), label(value))).collect(),
            up: ticks(height, 1.0).map(|value| (up(value as u64), grouped(value as u64))).collect(),
        }
    }
}
