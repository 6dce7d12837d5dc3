//! Reading a FEATS string (`Gender=Fem|Number=Sing`) without taking it apart.

/// The value of a feature in a FEATS string, if it has one.
pub fn feature<'f>(feats: &'f str, name: &str) -> Option<&'f str> {
    feats.split('|').find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='))
}

/// Whether the feature has that value; a feature of several values (`Case=Acc,Dat`) has each of them.
pub fn has_feature(feats: &str, name: &str, value: &str) -> bool {
    feature(feats, name).is_some_and(|values| values == value || values.split(',').any(|v| v == value))
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
}
