//! Queries as JavaScript sends them.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::schema::{SEARCH_FIELDS, exact_twin, field_index};
use crate::failure::Outcome;

/// Field names with weights.
pub type NamedWeights = BTreeMap<String, f64>;

#[derive(Deserialize, Debug)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Node {
    Word {
        text: String,
        fields: Option<NamedWeights>,
        boost: Option<f64>,
    },
    Phrase {
        text: String,
        fields: Option<NamedWeights>,
        #[serde(default)]
        slop: u32,
        boost: Option<f64>,
    },
    Prefix {
        text: String,
        fields: Option<NamedWeights>,
        boost: Option<f64>,
    },
    Fuzzy {
        text: String,
        #[serde(default = "one")]
        distance: u8,
        fields: Option<NamedWeights>,
        boost: Option<f64>,
    },
    All {
        boost: Option<f64>,
    },
    Bool {
        #[serde(default)]
        must: Vec<Node>,
        #[serde(default)]
        should: Vec<Node>,
        #[serde(default)]
        not: Vec<Node>,
        #[serde(rename = "minimumShould")]
        minimum_should: Option<u32>,
        boost: Option<f64>,
    },
}

fn one() -> u8 {
    1
}

impl Node {
    pub fn boost(&self) -> f64 {
        let boost = match self {
            Node::Word { boost, .. }
            | Node::Phrase { boost, .. }
            | Node::Prefix { boost, .. }
            | Node::Fuzzy { boost, .. }
            | Node::All { boost }
            | Node::Bool { boost, .. } => boost,
        };
        boost.unwrap_or(1.0)
    }
}

/// Fields (indices in `SEARCH_FIELDS`) with weights, in the order of the fields.
pub fn weights(named: &Option<NamedWeights>) -> Outcome<Vec<(usize, f64)>> {
    let Some(named) = named else {
        return Ok((0..SEARCH_FIELDS.len())
            .filter(|&at| !SEARCH_FIELDS[at].name.ends_with("_exact"))
            .map(|at| (at, 1.0))
            .collect());
    };
    let mut found = Vec::with_capacity(named.len());
    for (name, weight) in named {
        found.push((field_index(name)?, *weight));
    }
    found.sort_by_key(|(at, _)| *at);
    Ok(found)
}

/// The same over unstemmed fields; a field named in both forms keeps its greater weight.
pub fn exact_weights(named: &Option<NamedWeights>) -> Outcome<Vec<(usize, f64)>> {
    let mut exact: BTreeMap<usize, f64> = BTreeMap::new();
    for (field, weight) in weights(named)? {
        let kept = exact.entry(exact_twin(field)).or_insert(weight);
        *kept = kept.max(weight);
    }
    Ok(exact.into_iter().collect())
}
