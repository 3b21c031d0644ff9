//! Tests of properties that every page must have.

use super::html;
use super::sample::campaign;
use std::collections::BTreeMap;

/// The part of a page on one failure.
fn section(page: &str, number: u64) -> &str {
    let start = page.find(&format!("<section class=\"failure\" id=\"failure-{number}\"")).unwrap();
    &page[start..start + page[start..].find("</section>").unwrap()]
}

#[test]
fn the_verdict_comes_first_and_every_failure_has_its_part() {
    let page = html(&campaign(5, 12, 4)).unwrap();
    assert!(page.find("<h1>4 new failures in wasm</h1>").unwrap() < page.find("<table").unwrap());
    assert!(page.contains("<strong>1 known</strong>") && page.contains("of 21,400 tests failed"));
    // One failure of five was met once.
    assert!(page.contains("<strong>1 in 21,400</strong>"));
    for number in 1..=5 {
        let part = section(&page, number);
        assert!(part.contains(&format!("cargo bugnet swarm wasm.toml --replay {number}")), "{part}");
        assert!(part.contains("reduced from 4,254 bytes by wasm-tools shrink"), "{part}");
        assert!(page.contains(&format!("href=\"#failure-{number}\"")));
    }
    let empty = html(&campaign(0, 0, 0)).unwrap();
    assert!(empty.contains("<h1>No new failure in wasm</h1>") && empty.contains("No test failed."));
}

#[test]
fn figures_are_those_of_the_json_report() {
    let campaign = campaign(10, 12, 4);
    let page = html(&campaign).unwrap();
    let json = serde_json::to_value(&campaign).unwrap();
    for failure in json["failures"].as_array().unwrap() {
        let part = section(&page, failure["number"].as_u64().unwrap());
        let hits = super::figure::grouped(failure["hits"].as_u64().unwrap());
        assert!(part.contains(&format!("Met in {hits} test")), "{part}");
        for list in ["triggers", "suppressors"] {
            for influence in failure[list].as_array().unwrap() {
                let class = list.trim_end_matches('s');
                let count = |key: &str| super::figure::grouped(influence[key].as_u64().unwrap());
                let (with, failing) = (count("failing_with"), count("failing"));
                let name = influence["feature"].as_str().unwrap().replace('>', "&#62;");
                let row = format!("<div class=\"row {class}\"><span class=\"name\">{name}</span>");
                let row = &part[part.find(&row).unwrap_or_else(|| panic!("{row} in {part}"))..];
                let row = &row[..row.find("</div>").unwrap()];
                assert!(row.contains(&format!("<span class=\"num\">{with} of {failing}</span>")), "{row}");
                let low = influence["interval"][0].as_f64().unwrap() * 100.0;
                assert!(row.contains(&format!("x1=\"{low:.1}%\"")), "{row}");
            }
        }
    }
    for rejection in json["rejections"].as_array().unwrap() {
        assert!(page.contains(&super::figure::grouped(rejection["count"].as_u64().unwrap())));
    }
}

#[test]
fn the_lists_of_features_count_the_cells_of_the_matrix() {
    let page = html(&campaign(10, 12, 4)).unwrap();
    let matrix = &page[page.find("<table class=\"matrix\"").unwrap()..];
    let (triggers, suppressors) =
        (matrix.matches("class=\"t\"").count(), matrix.matches("class=\"s\"").count());
    let ranks = |class: &str| -> usize {
        let list = &page[page.find(&format!("<div class=\"ranks {class}\">")).unwrap()..];
        let list = &list[..list.find("<h3>").unwrap()];
        let counts = list.split("<span class=\"num\">").skip(1);
        counts.map(|text| text.split(' ').next().unwrap().parse::<usize>().unwrap()).sum()
    };
    assert!(triggers > 0 && suppressors > 0);
    assert_eq!((ranks("t"), ranks("s")), (triggers, suppressors));
}

#[test]
fn charts_of_growth_have_round_labels() {
    let page = html(&campaign(5, 12, 4)).unwrap();
    assert_eq!(page.matches("<figure class=\"growth\">").count(), 2);
    assert!(page.contains("5 distinct after 21,400 tests") && page.contains("5 distinct after 15.2 min"));
    for label in [">20,000</text>", ">10 min</text>"] {
        assert!(page.contains(label), "{label}");
    }
}

#[test]
fn no_text_of_a_campaign_becomes_markup() {
    let evil = "</script><script>alert(1)</script><img src=x onerror=alert(1)>\"'&{{ 7 }}</style></pre>";
    let mut campaign = campaign(5, 12, 4);
    for text in [&mut campaign.name, &mut campaign.command, &mut campaign.scheme] {
        *text = evil.to_string();
    }
    campaign.targets = vec![evil.to_string()];
    campaign.features.iter_mut().for_each(|feature| feature.name = evil.to_string());
    for rejection in &mut campaign.rejections {
        (rejection.target, rejection.message) = (evil.to_string(), evil.to_string());
    }
    for failure in &mut campaign.failures {
        for text in [&mut failure.name, &mut failure.signature, &mut failure.happened, &mut failure.replay] {
            *text = evil.to_string();
        }
        failure.targets = vec![evil.to_string()];
        failure.input.text = evil.to_string();
        failure.input.file = evil.to_string();
        failure.input.reduced_by = Some(evil.to_string());
        let lists = [&mut failure.triggers, &mut failure.suppressors, &mut failure.others];
        lists.into_iter().flatten().for_each(|influence| influence.feature = evil.to_string());
    }
    let page = html(&campaign).unwrap();
    for markup in ["<script", "</script", "<img", "alert(1)<", "\"'&", "{{ 7 }}</style>"] {
        assert!(!page.contains(markup), "{markup}");
    }
    assert_eq!(page.matches("</style>").count(), 1);
}

#[test]
fn the_file_asks_for_nothing() {
    let page = html(&campaign(5, 12, 4)).unwrap();
    assert!(page.contains("default-src 'none'"));
    for request in
        ["http:", "https:", "//", " src=", "url(", "@import", "<link", "<script", "<iframe", "<object"]
    {
        assert!(!page.contains(request), "{request}");
    }
}

#[test]
fn fifty_failures_are_less_than_a_megabyte() {
    let page = html(&campaign(50, 40, 10_000)).unwrap();
    assert!(page.len() < 1_000_000, "{}", page.len());
    assert!(page.contains("Only its beginning"));
}

/// The colours of the page, light and dark, by their names.
fn palettes() -> Vec<BTreeMap<&'static str, u32>> {
    let style = include_str!("../../templates/style.css");
    let blocks = style.split(":root {").skip(1).map(|block| &block[..block.find('}').unwrap()]);
    let colours = blocks.map(|block| {
        let pairs = block.split(';').filter_map(|pair| pair.trim().strip_prefix("--")?.split_once(": #"));
        pairs.map(|(name, colour)| (name, u32::from_str_radix(colour, 16).unwrap())).collect()
    });
    colours.collect()
}

/// Returns the relative luminance of a colour (WCAG 2).
fn luminance(colour: u32) -> f64 {
    let channel = |shift: u32| match f64::from(colour >> shift & 0xff) / 255.0 {
        dark if dark <= 0.040_45 => dark / 12.92,
        bright => ((bright + 0.055) / 1.055).powf(2.4),
    };
    0.2126 * channel(16) + 0.7152 * channel(8) + 0.0722 * channel(0)
}

#[test]
fn every_text_can_be_read_on_its_ground_in_light_and_dark() {
    let palettes = palettes();
    assert_eq!(palettes.len(), 2);
    let grounds =
        [("ink", "bg"), ("ink", "card"), ("ink", "code"), ("dim", "bg"), ("dim", "card"), ("dim", "soft")];
    let marks =
        [("hot", "hotsoft"), ("hot", "card"), ("cool", "coolsoft"), ("cool", "bg"), ("warn", "warnsoft")];
    for palette in palettes {
        for (text, ground) in grounds.into_iter().chain(marks) {
            let (one, other) = (luminance(palette[text]), luminance(palette[ground]));
            let contrast = (one.max(other) + 0.05) / (one.min(other) + 0.05);
            assert!(contrast >= 4.5, "{text} on {ground}: {contrast:.2}");
        }
    }
}
