//! Claims about numbers, dates, places and colours.

use bugnet::campaign::Property;
use bugnet::prelude::*;
use numtoa::NumToA;

use super::claim::Pattern::{Differential, Invariant, Inverse};
use super::claim::{Claim, Tested};

pub const CLAIMS: &[Claim] = &[
    Claim::new("hifitime 4.3.0", Invariant, "subtracting from zero is negating", zero_minus_is_negation),
    Claim::new("humantime 2.3.0", Inverse, "a formatted duration parses to itself", duration_in_words),
    Claim::new("humantime 2.3.0", Invariant, "a time stamp with a tail is refused", stamp_with_a_tail),
    Claim::new("speedate 0.14.0", Inverse, "a printed duration parses to itself", iso_duration),
    Claim::new("chrono 0.4.19", Inverse, "a printed date parses to itself", printed_date),
    Claim::new("geohash 0.13.1", Inverse, "a point lies in the cell of its hash", point_in_its_cell),
    Claim::new("hsl 0.1.1", Inverse, "a colour survives the way to HSL and back", colour_and_back),
    Claim::new("ipnetwork 0.20.0", Invariant, "the size is the number of addresses", network_size),
    Claim::new("numtoa 0.1.0, std", Differential, "both print an `i32` alike", printed_integer),
    Claim::new("num-rational 0.4.1", Differential, "fractions compare as cross products do", fraction_order),
    Claim::new(
        "rust_decimal 1.10.0",
        Differential,
        "the remainder is that of the integers",
        decimal_remainder,
    ),
    Claim::new("statistical 1.0.0", Invariant, "the median lies between the extremes", median_between),
    Claim::new("roman 0.1.1", Inverse, "a numeral reads back as its number", roman_and_back),
];

fn zero_minus_is_negation(property: Property<'_>) -> Tested {
    property.check(any::<(i16, u64)>(), |(centuries, nanoseconds)| {
        let duration = hifitime::Duration::from_parts(centuries, nanoseconds);
        assert_eq!(hifitime::Duration::ZERO - duration, -duration);
    })
}

fn duration_in_words(property: Property<'_>) -> Tested {
    property.check(any::<std::time::Duration>(), |duration| {
        let text = humantime::format_duration(duration).to_string();
        assert_eq!(humantime::parse_duration(&text), Ok(duration), "{text}");
    })
}

fn stamp_with_a_tail(property: Property<'_>) -> Tested {
    property.check(any::<(u32, String)>(), |(seconds, tail)| {
        assume!(!tail.is_empty());
        let time = std::time::UNIX_EPOCH + std::time::Duration::from_secs(seconds.into());
        let text = format!("{}{tail}", humantime::format_rfc3339_seconds(time));
        assert!(humantime::parse_rfc3339(&text).is_err(), "{text:?} was accepted");
    })
}

fn iso_duration(property: Property<'_>) -> Tested {
    property.check(any::<(bool, u32, u32, u32)>(), |(positive, days, seconds, microseconds)| {
        let Ok(duration) = speedate::Duration::new(positive, days, seconds, microseconds) else { return };
        let text = duration.to_string();
        assert_eq!(speedate::Duration::parse_str(&text), Ok(duration), "{text}");
    })
}

fn printed_date(property: Property<'_>) -> Tested {
    property.check((any::<i32>(), 1..=366u32), |(year, day)| {
        let date = chrono::NaiveDate::from_yo_opt(year, day);
        assume!(date.is_some());
        assert_eq!(date.map(|date| date.to_string().parse()), date.map(Ok));
    })
}

fn point_in_its_cell(property: Property<'_>) -> Tested {
    property.check((-180.0..=180.0, -90.0..=90.0, 1..=12usize), |(x, y, length)| {
        let hash = geohash::encode(geohash::Coord { x, y }, length).expect("the point is on earth");
        let (centre, far_x, far_y) = geohash::decode(&hash).expect("a hash that was made just now");
        let (by_x, by_y) = ((centre.x - x).abs(), (centre.y - y).abs());
        // 180 degrees east are 180 degrees west. Cells are computed in floats, so a point on a
        // border may lie a little outside.
        assert!(by_x.min(360.0 - by_x) <= far_x * 1.001, "{hash} is at {centre:?}");
        assert!(by_y <= far_y * 1.001, "{hash} is at {centre:?}");
    })
}

fn colour_and_back(property: Property<'_>) -> Tested {
    property.check(any::<[u8; 3]>(), |colour| {
        assert_eq!(<[u8; 3]>::from(hsl::HSL::from_rgb(&colour).to_rgb()), colour);
    })
}

fn network_size(property: Property<'_>) -> Tested {
    property.check((any::<std::net::Ipv4Addr>(), 0..=32u8), |(address, prefix)| {
        let network = ipnetwork::Ipv4Network::new(address, prefix).expect("the prefix is in range");
        let addresses =
            u64::from(u32::from(network.broadcast())) - u64::from(u32::from(network.network())) + 1;
        assert_eq!(u64::from(network.size()), addresses);
    })
}

fn printed_integer(property: Property<'_>) -> Tested {
    property.check(any::<i32>(), |number| {
        let mut buffer = [0; 20];
        let start = number.numtoa(10, &mut buffer);
        assert_eq!(String::from_utf8_lossy(&buffer[start..]), number.to_string());
    })
}

fn fraction_order(property: Property<'_>) -> Tested {
    property.check(any::<([i32; 2], [i32; 2])>(), |([a, b], [c, d])| {
        assume!(b != 0 && d != 0);
        let fractions = num_rational::Ratio::new(a, b).cmp(&num_rational::Ratio::new(c, d));
        let [a, b, c, d] = [a, b, c, d].map(i128::from);
        let products = (a * d * (b * d).signum()).cmp(&(c * b * (b * d).signum()));
        assert_eq!(fractions, products);
    })
}

fn decimal_remainder(property: Property<'_>) -> Tested {
    property.check((any::<i64>(), any::<i64>(), 0..=28u32), |(a, b, scale)| {
        assume!(b != 0);
        let decimal = |number| rust_decimal::Decimal::new(number, scale);
        assert_eq!(decimal(a) % decimal(b), decimal(a.wrapping_rem(b)));
    })
}

fn median_between(property: Property<'_>) -> Tested {
    property.check(any::<Vec<f64>>(), |list| {
        assume!(!list.is_empty() && list.iter().all(|number| number.is_finite()));
        let median = statistical::median(&list);
        let least = list.iter().copied().fold(f64::INFINITY, f64::min);
        let greatest = list.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        assert!(least <= median && median <= greatest, "{median}");
    })
}

fn roman_and_back(property: Property<'_>) -> Tested {
    property.check(1..=3999, |number| {
        assert_eq!(roman::to(number).and_then(|numeral| roman::from(&numeral)), Some(number));
    })
}
