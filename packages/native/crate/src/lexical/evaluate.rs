//! A query over the notes of a View, from its leaves up.

use super::expand::{near, starting_with};
use super::hits::{Hits, Sums, best, dis_max, intersect};
use super::phrase::{self, Place};
use super::postings::{Occurrences, frequency, of_any, of_term};
use super::query::{Node, exact_weights, weights};
use super::schema::SEARCH_FIELDS;
use super::score::{bm25, idf};
use super::snapshot::Snapshot;
use super::view::ViewStatistics;
use crate::analysis::{Form, Word, words};
use crate::failure::Outcome;

pub struct Evaluator<'a> {
    pub snapshot: &'a Snapshot,
    pub view: &'a ViewStatistics,
    pub tie_breaker: f64,
}

impl Evaluator<'_> {
    pub fn evaluate(&self, node: &Node) -> Outcome<Hits> {
        let found = match node {
            Node::Word { text, fields, .. } => {
                self.over_fields(&weights(fields)?, |field| self.phrase(field, text, 0, false))
            }
            Node::Phrase { text, fields, slop, .. } => {
                self.over_fields(&weights(fields)?, |field| self.phrase(field, text, *slop, false))
            }
            Node::Prefix { text, fields, .. } => {
                self.over_fields(&exact_weights(fields)?, |field| self.phrase(field, text, 0, true))
            }
            Node::Fuzzy { text, distance, fields, .. } => {
                self.over_fields(&exact_weights(fields)?, |field| self.fuzzy(field, text, *distance))
            }
            Node::All { .. } => Ok(self.all()),
            Node::Bool { must, should, not, minimum_should, .. } => {
                self.combine(must, should, not, *minimum_should)
            }
        }?;
        Ok(found.scaled(node.boost()))
    }

    fn over_fields(
        &self,
        fields: &[(usize, f64)],
        mut leaf: impl FnMut(usize) -> Outcome<Hits>,
    ) -> Outcome<Hits> {
        let mut lists = Vec::with_capacity(fields.len());
        for &(field, weight) in fields {
            lists.push(leaf(field)?.scaled(weight));
        }
        Ok(dis_max(lists, self.tie_breaker))
    }

    fn all(&self) -> Hits {
        let slots: Vec<u32> = (0..self.snapshot.slots).filter(|&slot| self.view.holds(slot)).collect();
        let scores = vec![1.0; slots.len()];
        Hits { slots, scores }
    }

    fn idf(&self, frequency: u32) -> f64 {
        idf(self.view.documents, frequency)
    }

    /// Scores of occurrences of one term, or of terms counted as one.
    fn term(&self, field: usize, found: Occurrences) -> Hits {
        let idf = self.idf(found.slots.len() as u32);
        bm25(self.snapshot, self.view, SEARCH_FIELDS[field].text, found, idf)
    }

    /// The words of `text` next to each other; of the last one only the start with `open_ended`.
    fn phrase(&self, field: usize, text: &str, slop: u32, open_ended: bool) -> Outcome<Hits> {
        let words = words(text, SEARCH_FIELDS[field].form);
        let Some((last, before)) = words.split_last() else { return Ok(Hits::default()) };
        let mut places = Vec::with_capacity(words.len());
        for word in before {
            places.push(self.place(field, word, false, words[0].position)?);
        }
        places.push(self.place(field, last, open_ended, words[0].position)?);
        let (snapshot, view) = (self.snapshot, self.view);
        if let [place] = places.as_slice() {
            return Ok(self.term(field, of_any(snapshot, view, field, &place.terms)?));
        }
        let mut told = 0.0;
        for place in &places {
            told += self.idf(match place.terms.as_slice() {
                [term] => frequency(snapshot, view, field, term)?,
                several => of_any(snapshot, view, field, several)?.slots.len() as u32,
            });
        }
        let found = phrase::occurrences(snapshot, view, field, &places, slop)?;
        Ok(bm25(snapshot, view, SEARCH_FIELDS[field].text, found, told))
    }

    fn place(&self, field: usize, word: &Word, open_ended: bool, start: u32) -> Outcome<Place> {
        let terms = if open_ended || word.starts_terms {
            starting_with(self.snapshot, field, &word.term)?
        } else {
            vec![word.term.clone()]
        };
        Ok(Place { terms, offset: word.position - start })
    }

    /// Each near term scored for itself, farther ones less; the best of them counts.
    fn fuzzy(&self, field: usize, text: &str, distance: u8) -> Outcome<Hits> {
        let words = words(text, Form::Exact);
        let [word] = words.as_slice() else { return self.phrase(field, text, 0, false) };
        let mut lists = Vec::new();
        for found in near(self.snapshot, self.view, field, &word.term, distance)? {
            let occurrences = of_term(self.snapshot, self.view, field, &found.term)?;
            lists.push(self.term(field, occurrences).scaled(1.0 / (1.0 + f64::from(found.distance))));
        }
        Ok(best(lists))
    }

    fn combine(
        &self,
        must: &[Node],
        should: &[Node],
        not: &[Node],
        minimum_should: Option<u32>,
    ) -> Outcome<Hits> {
        let mut found = match must.split_first() {
            Some((first, rest)) => {
                let mut found = self.evaluate(first)?;
                for node in rest {
                    found = intersect(&found, &self.evaluate(node)?);
                }
                Some(found)
            }
            None => None,
        };
        if !should.is_empty() {
            let mut sums = Sums::new(self.snapshot.slots);
            for node in should {
                sums.add(&self.evaluate(node)?);
            }
            let minimum = minimum_should.unwrap_or(u32::from(found.is_none()));
            found = Some(match found {
                Some(mut found) => {
                    found.retain(|slot| sums.count(slot) >= minimum);
                    sums.add_to(&mut found);
                    found
                }
                None => sums.at_least(minimum.max(1)),
            });
        }
        let mut found = found.unwrap_or_else(|| if not.is_empty() { Hits::default() } else { self.all() });
        for node in not {
            let refused = self.evaluate(node)?;
            found.retain(|slot| refused.slots.binary_search(&slot).is_err());
        }
        Ok(found)
    }
}
