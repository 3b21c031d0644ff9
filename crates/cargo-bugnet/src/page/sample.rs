//! Campaigns for the tests of the page.

use crate::store::campaign::{Campaign, Failure, Feature, Influence, Input, Point, Rejection};

/// Returns a campaign with this number of failures and features, and inputs of this number of lines.
pub(super) fn campaign(failures: u64, features: u64, lines: usize) -> Campaign {
    let tests = 21_400;
    let mut growth: Vec<Point> =
        (0..failures).map(|number| point(120 * number * (number + 1) + 7, number + 1)).collect();
    growth.retain(|point| point.tests < tests);
    growth.push(point(tests, failures));
    Campaign {
        name: "wasm".to_string(),
        command: "cargo bugnet swarm wasm.toml".to_string(),
        seed: 7,
        scheme: "mix".to_string(),
        targets: vec!["opt".to_string(), "wasm2js".to_string(), "decompile".to_string()],
        tests,
        failing_tests: 2_317,
        processor_seconds: 912.4,
        features: (0..features).map(|place| feature(place, tests)).collect(),
        failures: (0..failures).map(|number| failure(number, features, lines)).collect(),
        growth,
        rejections: vec![
            rejection("decompile", "error: Tables may not be 64-bit", 6_120),
            rejection("opt", "[parse exception: unexpected opcode in data segment (at 0:118)]", 431),
        ],
    }
}

fn point(tests: u64, failures: u64) -> Point {
    Point { tests, processor_seconds: tests as f64 * 0.0426, failures }
}

fn rejection(target: &str, message: &str, count: u64) -> Rejection {
    Rejection { target: target.to_string(), message: message.to_string(), count }
}

fn name(place: u64) -> String {
    let names = [
        "bulk-memory",
        "extended-const",
        "simd",
        "reference-types",
        "tail-call",
        "max-funcs > 20",
        "multi-value",
    ];
    names.get(place as usize).map_or_else(|| format!("feature-{place}"), |name| (*name).to_string())
}

fn feature(place: u64, tests: u64) -> Feature {
    Feature { name: name(place), tests: tests / 2 + place, failing_tests: 800 + place }
}

fn failure(number: u64, features: u64, lines: usize) -> Failure {
    let hits = [88, 4_120, 12, 3, 1][number as usize % 5];
    let influence = |place: u64, with: u64, q: f64| Influence {
        feature: name((place + number) % features.max(1)),
        failing_with: with,
        failing: hits,
        all_with: 5_300,
        all: 10_700,
        expected: 0.44 + place as f64 / 100.0,
        interval: bugnet::swarm::statistics::wilson(with, hits),
        p: q / 20.0,
        q,
        is_undecided: hits < 10,
    };
    let enough = hits >= 10;
    let others = |from: u64| {
        (from..features).map(|place| influence(place, hits * (40 + place % 9) / 100, 0.3)).collect()
    };
    Failure {
        number: number + 1,
        name: format!("wary-xerus-{number}"),
        signature: format!(
            "Assertion `!el.empty()' failed at src/wasm/I64ToI32Lowering.cpp:{}",
            132 + number
        ),
        target: "opt".to_string(),
        targets: vec!["opt".to_string(), "wasm2js".to_string()],
        input: Input {
            file: format!(".bugnet/wasm/{}.wasm", number + 1),
            bytes: 512,
            text: "(module (memory 1) (func (export \"a\") (memory.fill (i32.const 0))))\n".repeat(lines),
            reduced_by: Some("wasm-tools shrink".to_string()),
        },
        first_bytes: 4_254,
        happened: "wasm-opt: src/wasm/I64ToI32Lowering.cpp:132: Assertion `!el.empty()' failed.\nSIGABRT"
            .to_string(),
        replay: format!("cargo bugnet swarm wasm.toml --replay {}", number + 1),
        hits,
        first_test: Some(120 * number + 7),
        is_known: number % 4 == 3,
        triggers: if enough {
            vec![influence(0, hits, 0.000_01), influence(1, hits * 9 / 10, 0.002)]
        } else {
            Vec::new()
        },
        suppressors: if enough { vec![influence(2, hits / 30, 0.000_4)] } else { Vec::new() },
        others: if hits >= 4 {
            others(3)
        } else if hits > 1 {
            others(0)
        } else {
            Vec::new()
        },
    }
}
