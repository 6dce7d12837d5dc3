//! The YAML files of genres, as they are written.

use std::collections::BTreeMap;
use std::fmt;

use glosa_metric::yaml::Spanned;
use glosa_metric::{ParamValue, PerLanguage};
use glosa_text::Language;
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::{self, Deserializer, MapAccess, Visitor};

/// A name in the three languages.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Names {
    /// Spanish.
    pub es: String,
    /// Catalan.
    pub ca: String,
    /// English.
    pub en: String,
}

impl Names {
    /// The name in a language.
    pub fn get(&self, language: Language) -> &str {
        match language {
            Language::Es => &self.es,
            Language::Ca => &self.ca,
            Language::En => &self.en,
        }
    }
}

/// Settings of metrics, by metric id.
pub type Settings = BTreeMap<String, Spanned<Setting>>;

/// `genres/profiles/<name>.yaml`: thresholds that genres share.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ProfileFile {
    /// What the profile is for.
    #[serde(default)]
    pub description: Option<String>,
    /// Settings by metric.
    #[serde(default)]
    #[schemars(with = "BTreeMap<String, Setting>")]
    pub metrics: Settings,
}

/// `genres/<domain>/domain.yaml`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DomainFile {
    /// Names that people read.
    pub names: Names,
    /// The whole domain is written in plain language.
    #[serde(default)]
    pub clear_language: bool,
}

/// `genres/<domain>/<text_type>/genre.yaml`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GenreFile {
    /// Names that people read.
    pub names: Names,
    /// The genre is written in plain language for the general public.
    #[serde(default)]
    pub clear_language: bool,
    /// A profile of `genres/profiles`.
    #[serde(default)]
    pub profile: Option<String>,
    /// Sections may come in any order.
    #[serde(default)]
    pub free_order: bool,
    /// Settings of this genre; they replace those of the profile key by key.
    #[serde(default)]
    #[schemars(with = "BTreeMap<String, Setting>")]
    pub metrics: Settings,
}

/// `genres/<domain>/<text_type>/<language>.yaml`: the structure; its presence is that of the genre in the language.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StructureFile {
    /// Sections in reading order.
    #[serde(default)]
    pub sections: Vec<SectionFile>,
}

/// One section.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SectionFile {
    /// Its usual heading.
    pub name: String,
    /// Other headings that name it.
    #[serde(default)]
    pub synonyms: Vec<String>,
    /// What it should cover.
    #[serde(default)]
    pub contents: Vec<ContentFile>,
}

/// One content.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ContentFile {
    /// What it is.
    pub name: String,
    /// A key of `genres/occurrences.yaml`.
    #[serde(default)]
    pub occurrence: Option<String>,
    /// Words or phrases that show that the content is there.
    #[serde(default)]
    pub cues: Vec<String>,
    /// Suggested wording.
    #[serde(default)]
    pub phraseology: Vec<String>,
}

/// `genres/occurrences.yaml`: how often a content appears, by key, with names that people read.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct OccurrenceFile(pub BTreeMap<String, Names>);

/// A threshold: a value for all languages or one for each.
pub type ThresholdFile = PerLanguage;

/// What a genre or profile says of one metric.
#[derive(Clone, Debug, PartialEq)]
pub enum Setting {
    /// `on`: it runs, with the thresholds of the profile or language.
    On,
    /// `off`: it does not run.
    Off,
    /// Thresholds; it runs.
    Thresholds(BTreeMap<String, Threshold>),
}

/// One threshold of a setting.
#[derive(Clone, Debug, PartialEq)]
pub struct Threshold {
    /// Values by language, or under `None` for all.
    pub values: BTreeMap<Option<Language>, ParamValue>,
}

impl Threshold {
    /// The value for a language.
    pub fn get(&self, language: Language) -> Option<&ParamValue> {
        self.values.get(&Some(language)).or_else(|| self.values.get(&None))
    }
}

impl JsonSchema for Setting {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Setting".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "description": "on, off, or thresholds (which imply on); a threshold is a value or one for each language",
            "anyOf": [{ "enum": ["on", "off", true, false] }, { "type": "object" }]
        })
    }
}

struct SettingVisitor;

impl<'de> Visitor<'de> for SettingVisitor {
    type Value = Setting;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("`on`, `off` or a map of thresholds")
    }

    fn visit_bool<E: de::Error>(self, on: bool) -> Result<Setting, E> {
        Ok(if on { Setting::On } else { Setting::Off })
    }

    fn visit_str<E: de::Error>(self, word: &str) -> Result<Setting, E> {
        match word {
            "on" => Ok(Setting::On),
            "off" => Ok(Setting::Off),
            _ => Err(E::invalid_value(de::Unexpected::Str(word), &self)),
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Setting, A::Error> {
        let mut thresholds = BTreeMap::new();
        while let Some((key, value)) = map.next_entry::<String, PerLanguage>()? {
            let values = match value {
                PerLanguage::Of(_) => {
                    let said = format!("`{key}`: write the value; `of` stands in metric.yaml, beside `default`");
                    return Err(de::Error::custom(said));
                }
                PerLanguage::All(value) => BTreeMap::from([(None, value)]),
                PerLanguage::Each(each) => each.into_iter().map(|(l, v)| (Some(l), v)).collect(),
            };
            thresholds.insert(key, Threshold { values });
        }
        Ok(Setting::Thresholds(thresholds))
    }
}

impl<'de> Deserialize<'de> for Setting {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(SettingVisitor)
    }
}
