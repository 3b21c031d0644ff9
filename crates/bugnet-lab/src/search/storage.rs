//! Claims about codecs and collections.

use std::collections::BTreeSet;

use bugnet::campaign::Property;
use bugnet::prelude::*;

use super::claim::Pattern::{Differential, Inverse, NoPanic};
use super::claim::{Claim, Tested};

pub const CLAIMS: &[Claim] = &[
    Claim::new("tar 0.4.44", Inverse, "a header keeps the mode it is given", mode_is_kept),
    Claim::new(
        "quoted_printable 0.4.8",
        Inverse,
        "strict decoding undoes binary encoding",
        quoted_printable_and_back,
    ),
    Claim::new("base64 0.9.3", Inverse, "what decodes is what encoding writes", base64_is_canonical),
    Claim::new("ascii85 0.2.1", NoPanic, "any text decodes or is refused", ascii85_decodes_anything),
    Claim::new("ascii85 0.2.1", Inverse, "decoding undoes encoding", ascii85_and_back),
    Claim::new("smaz 0.1.0", NoPanic, "any bytes decompress or are refused", smaz_decompresses_anything),
    Claim::new("smaz 0.1.0", Inverse, "decompressing undoes compressing", smaz_and_back),
    Claim::new("punycode 0.4.1", Inverse, "decoding undoes encoding", punycode_and_back),
    Claim::new("bit-vec 0.6.3, std", Differential, "it stays equal to a `Vec<bool>`", bits),
    Claim::new("trie-rs 0.1.1, std", Differential, "it finds the words of a set", trie_finds_its_words),
    Claim::new("roaring 0.9.0, std", Differential, "it stays equal to a `BTreeSet`", bitmap),
];

fn mode_is_kept(property: Property<'_>) -> Tested {
    property.check(any::<u32>(), |mode| {
        let mut header = tar::Header::new_gnu();
        header.set_mode(mode);
        assert_eq!(header.mode().ok(), Some(mode));
    })
}

fn quoted_printable_and_back(property: Property<'_>) -> Tested {
    property.check(any::<Vec<u8>>(), |bytes| {
        let encoded = quoted_printable::encode_binary(&bytes);
        let decoded = quoted_printable::decode(&encoded, quoted_printable::ParseMode::Strict);
        assert_eq!(decoded, Ok(bytes));
    })
}

fn base64_is_canonical(property: Property<'_>) -> Tested {
    property.check(any::<String>(), |text| {
        assume!(!text.contains('='));
        if let Ok(bytes) = base64::decode_config(&text, base64::STANDARD_NO_PAD) {
            assert_eq!(base64::encode_config(&bytes, base64::STANDARD_NO_PAD), text);
        }
    })
}

fn ascii85_decodes_anything(property: Property<'_>) -> Tested {
    property.check(any::<String>(), |text| drop(ascii85::decode(&text)))
}

fn ascii85_and_back(property: Property<'_>) -> Tested {
    property.check(any::<Vec<u8>>(), |bytes| {
        assert_eq!(ascii85::decode(&ascii85::encode(&bytes)).ok(), Some(bytes));
    })
}

fn smaz_decompresses_anything(property: Property<'_>) -> Tested {
    property.check(any::<Vec<u8>>(), |bytes| drop(smaz::decompress(&bytes)))
}

fn smaz_and_back(property: Property<'_>) -> Tested {
    property.check(any::<Vec<u8>>(), |bytes| {
        assert_eq!(smaz::decompress(&smaz::compress(&bytes)).ok(), Some(bytes));
    })
}

fn punycode_and_back(property: Property<'_>) -> Tested {
    // Encoding takes time that grows with the square of the length.
    property.check(string_of(any::<char>()).len(..=100), |text| {
        if let Ok(encoded) = punycode::encode(&text) {
            assert_eq!(punycode::decode(&encoded), Ok(text), "{encoded:?}");
        }
    })
}

#[derive(Debug, Clone, Generate)]
enum BitChange {
    Push(bool),
    Pop,
    Set(u8, bool),
    Truncate(u8),
    Grow(u8, bool),
    Negate,
    SetAll,
    Append(Vec<bool>),
    SplitOff(u8),
}

impl BitChange {
    fn apply(self, bits: &mut bit_vec::BitVec, model: &mut Vec<bool>) {
        match self {
            BitChange::Push(bit) => (bits.push(bit), model.push(bit)).0,
            BitChange::Pop => assert_eq!(bits.pop(), model.pop()),
            BitChange::Set(place, bit) if usize::from(place) < model.len() => {
                bits.set(place.into(), bit);
                model[usize::from(place)] = bit;
            }
            BitChange::Set(..) => {}
            BitChange::Truncate(length) => (bits.truncate(length.into()), model.truncate(length.into())).0,
            BitChange::Grow(count, bit) => {
                bits.grow(count.into(), bit);
                model.resize(model.len() + usize::from(count), bit);
            }
            BitChange::Negate => {
                bits.negate();
                model.iter_mut().for_each(|bit| *bit = !*bit);
            }
            BitChange::SetAll => (bits.set_all(), model.fill(true)).0,
            BitChange::Append(more) => {
                bits.append(&mut more.iter().copied().collect());
                model.extend(more);
            }
            BitChange::SplitOff(place) => {
                let place = usize::from(place) % (model.len() + 1);
                assert!(bits.split_off(place).iter().eq(model.split_off(place)));
            }
        }
    }
}

fn bits(property: Property<'_>) -> Tested {
    property.check(any::<Vec<BitChange>>(), |changes| {
        let (mut bits, mut model) = (bit_vec::BitVec::new(), Vec::new());
        for change in changes {
            change.apply(&mut bits, &mut model);
            assert!(bits.iter().eq(model.iter().copied()), "{bits:?}");
            assert_eq!(bits, model.iter().copied().collect());
            assert_eq!((bits.all(), bits.any()), (model.iter().all(|bit| *bit), model.contains(&true)));
        }
    })
}

fn trie_finds_its_words(property: Property<'_>) -> Tested {
    property.check(any::<(BTreeSet<String>, String)>(), |(words, query)| {
        let mut builder = trie_rs::TrieBuilder::new();
        words.iter().for_each(|word| builder.push(word));
        let trie = builder.build();
        for word in words.iter().chain([&query]) {
            assert_eq!(trie.exact_match(word), words.contains(word), "{word:?}");
        }
    })
}

#[derive(Debug, Clone, Generate)]
enum BitmapChange {
    Insert(u32),
    InsertRange(u32, u8),
    Remove(u32),
    RemoveRange(u32, u8),
}

impl BitmapChange {
    fn apply(self, bitmap: &mut roaring::RoaringBitmap, model: &mut BTreeSet<u32>) {
        match self {
            BitmapChange::Insert(number) => assert_eq!(bitmap.insert(number), model.insert(number)),
            BitmapChange::Remove(number) => assert_eq!(bitmap.remove(number), model.remove(&number)),
            BitmapChange::InsertRange(start, count) => {
                let range = start..start.saturating_add(count.into());
                let new = range.clone().filter(|number| model.insert(*number)).count();
                assert_eq!(bitmap.insert_range(range), new as u64);
            }
            BitmapChange::RemoveRange(start, count) => {
                let range = start..start.saturating_add(count.into());
                let gone = range.clone().filter(|number| model.remove(number)).count();
                assert_eq!(bitmap.remove_range(range), gone as u64);
            }
        }
    }
}

fn bitmap(property: Property<'_>) -> Tested {
    property.check(any::<(Vec<BitmapChange>, u32)>(), |(changes, query)| {
        let (mut bitmap, mut model) = (roaring::RoaringBitmap::new(), BTreeSet::new());
        changes.into_iter().for_each(|change| change.apply(&mut bitmap, &mut model));
        assert!(bitmap.iter().eq(model.iter().copied()), "{bitmap:?}");
        assert_eq!((bitmap.min(), bitmap.max()), (model.first().copied(), model.last().copied()));
        assert_eq!(bitmap.rank(query), model.range(..=query).count() as u64);
        assert_eq!(bitmap.select(query), model.iter().nth(query as usize).copied());
    })
}
