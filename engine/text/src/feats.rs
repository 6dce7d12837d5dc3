//! Reading a FEATS string (`Gender=Fem|Number=Sing`) without taking it apart, and changing it.

use std::collections::BTreeMap;

/// The value of a feature in a FEATS string, if it has one.
pub fn feature<'f>(feats: &'f str, name: &str) -> Option<&'f str> {
    feats.split('|').find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='))
}

/// Whether the feature has that value; a feature of several values (`Case=Acc,Dat`) has each of them.
pub fn has_feature(feats: &str, name: &str, value: &str) -> bool {
    feature(feats, name).is_some_and(|values| values == value || values.split(',').any(|v| v == value))
}

/// The features with those of `changes` put over them, in the order of their names; a change to nothing (`Gender=`) takes
/// the feature away.
pub fn overlaid(feats: &str, changes: &str) -> String {
    let pairs = |text: &'_ str| {
        text.split('|')
            .filter_map(|pair| pair.split_once('='))
            .map(|(n, v)| (n.to_owned(), v.to_owned()))
            .collect::<Vec<_>>()
    };
    let mut all: BTreeMap<String, String> = pairs(feats).into_iter().collect();
    all.extend(pairs(changes));
    all.retain(|_, value| !value.is_empty());
    all.into_iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join("|")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_not_prefixes() {
        let feats = "Number=Plur|Number[psor]=Sing|Case=Acc,Dat";
        assert_eq!(feature(feats, "Number"), Some("Plur"));
        assert!(has_feature(feats, "Case", "Dat"));
        assert!(!has_feature(feats, "Num", "Plur"));
        assert_eq!(feature("_", "Number"), None);
    }

    #[test]
    fn changes_lie_over_features() {
        assert_eq!(overlaid("Number=Plur|VerbForm=Ger", "VerbForm=Fin|Mood=Ind"), "Mood=Ind|Number=Plur|VerbForm=Fin");
        assert_eq!(overlaid("Gender=Fem|Number=Sing", "Gender="), "Number=Sing");
        assert_eq!(overlaid("_", "Number=Sing"), "Number=Sing");
    }
}
