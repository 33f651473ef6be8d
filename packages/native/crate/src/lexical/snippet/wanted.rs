//! What a query makes worth showing in a text.

use super::super::evaluate::Evaluator;
use super::super::expand::{near, starting_with};
use super::super::postings::{frequency, of_any};
use super::super::query::{Node, exact_weights, weights};
use super::super::schema::{BODY, PATH, PROPERTIES, SEARCH_FIELDS, exact_twin, field_index};
use super::super::score::idf;
use crate::analysis::{Form, Word, words};
use crate::failure::Outcome;

/// What steers the choice without being asked for counts half.
const STEERING: f64 = 0.5;

/// One word, or several in an order.
pub struct Wanted {
    pub places: Vec<WantedPlace>,
    pub slop: u32,
    /// How much its presence tells: the sum of the places' idf in the View.
    pub weight: f64,
    /// Whether it is marked, or only steers.
    pub shown: bool,
}

#[derive(Default)]
pub struct WantedPlace {
    pub offset: u32,
    pub stemmed: Vec<String>,
    pub exact: Vec<String>,
    pub prefixes: Vec<String>,
}

pub fn collect(evaluator: &Evaluator, query: &Node, steering: Option<&str>) -> Outcome<Vec<Wanted>> {
    let mut wanted = Vec::new();
    gather(evaluator, query, &mut wanted)?;
    for word in words(steering.unwrap_or_default(), Form::Stemmed) {
        let (weight, place) = place(evaluator, &word, &[Form::Stemmed], word.position, false)?;
        wanted.push(Wanted { places: vec![place], slop: 0, weight: weight * STEERING, shown: false });
    }
    Ok(wanted)
}

fn gather(evaluator: &Evaluator, node: &Node, wanted: &mut Vec<Wanted>) -> Outcome<()> {
    match node {
        Node::Word { text, fields, .. } => ordered(evaluator, text, &weights(fields)?, 0, false, wanted),
        Node::Phrase { text, fields, slop, .. } => {
            ordered(evaluator, text, &weights(fields)?, *slop, false, wanted)
        }
        Node::Prefix { text, fields, .. } => {
            ordered(evaluator, text, &exact_weights(fields)?, 0, true, wanted)
        }
        Node::Fuzzy { text, distance, fields, .. } => {
            let fields = exact_weights(fields)?;
            let words = words(text, Form::Exact);
            let [word] = words.as_slice() else {
                return ordered(evaluator, text, &fields, 0, false, wanted);
            };
            let mut exact = Vec::new();
            for &(field, _) in fields.iter().filter(|(field, _)| SEARCH_FIELDS[*field].text != PATH) {
                let found = near(evaluator.snapshot, evaluator.view, field, &word.term, *distance)?;
                exact.extend(found.into_iter().map(|near| near.term));
            }
            exact.sort();
            exact.dedup();
            if !exact.is_empty() {
                let weight = told(evaluator, &exact, Form::Exact)?;
                let places = vec![WantedPlace { exact, ..WantedPlace::default() }];
                wanted.push(Wanted { places, slop: 0, weight, shown: true });
            }
            Ok(())
        }
        Node::All { .. } => Ok(()),
        Node::Bool { must, should, .. } => {
            must.iter().chain(should).try_for_each(|node| gather(evaluator, node, wanted))
        }
    }
}

/// Words of `text` as they are looked for in these fields. Paths are not shown in texts.
fn ordered(
    evaluator: &Evaluator,
    text: &str,
    fields: &[(usize, f64)],
    slop: u32,
    open_ended: bool,
    wanted: &mut Vec<Wanted>,
) -> Outcome<()> {
    let has = |form| {
        fields
            .iter()
            .any(|&(field, _)| SEARCH_FIELDS[field].text != PATH && SEARCH_FIELDS[field].form == form)
    };
    let forms: Vec<Form> = [Form::Stemmed, Form::Exact].into_iter().filter(|&form| has(form)).collect();
    let Some(&first_form) = forms.first() else { return Ok(()) };
    let words = words(text, first_form);
    let Some(start) = words.first().map(|word| word.position) else { return Ok(()) };
    let (mut places, mut weight) = (Vec::with_capacity(words.len()), 0.0);
    for (at, word) in words.iter().enumerate() {
        let open_ended = open_ended && at + 1 == words.len();
        let spelled = Word { position: word.position - start, ..word.clone() };
        let exact = exact_spelling(text, word.position);
        let (told, place) = match exact {
            Some(exact) if forms.len() == 2 => {
                let (told, mut place) =
                    place(evaluator, &spelled, &[Form::Stemmed], spelled.position, open_ended)?;
                place.exact.push(exact);
                (told, place)
            }
            _ => place(evaluator, &spelled, &forms, spelled.position, open_ended)?,
        };
        places.push(place);
        weight += told;
    }
    wanted.push(Wanted { places, slop, weight, shown: true });
    Ok(())
}

fn exact_spelling(text: &str, position: u32) -> Option<String> {
    words(text, Form::Exact).into_iter().find(|word| word.position == position).map(|word| word.term)
}

fn place(
    evaluator: &Evaluator,
    word: &Word,
    forms: &[Form],
    offset: u32,
    open_ended: bool,
) -> Outcome<(f64, WantedPlace)> {
    let mut place = WantedPlace { offset, ..WantedPlace::default() };
    let form = forms[0];
    if open_ended || word.starts_terms {
        place.prefixes.push(word.term.clone());
        let field = text_field(BODY, Form::Exact)?;
        let terms = starting_with(evaluator.snapshot, field, &word.term)?;
        let holders = of_any(evaluator.snapshot, evaluator.view, field, &terms)?.slots.len();
        return Ok((idf(evaluator.view.documents, (holders as u32).max(1)), place));
    }
    match form {
        Form::Stemmed => place.stemmed.push(word.term.clone()),
        Form::Exact => place.exact.push(word.term.clone()),
    }
    Ok((told(evaluator, std::slice::from_ref(&word.term), form)?, place))
}

/// idf of the most frequent of the terms in bodies or, where it stands in none, in properties.
fn told(evaluator: &Evaluator, terms: &[String], form: Form) -> Outcome<f64> {
    let mut most = 0;
    for text in [BODY, PROPERTIES] {
        for term in terms {
            let field = text_field(text, form)?;
            most = most.max(frequency(evaluator.snapshot, evaluator.view, field, term)?);
        }
    }
    Ok(idf(evaluator.view.documents, most.max(1)))
}

fn text_field(text: usize, form: Form) -> Outcome<usize> {
    let stemmed = field_index(if text == BODY { "body" } else { "properties" })?;
    Ok(match form {
        Form::Stemmed => stemmed,
        Form::Exact => exact_twin(stemmed),
    })
}
