//! A query over the notes of a View, from its leaves up.

use std::cell::RefCell;

use super::expand::{near, starting_with};
use super::field_scores::FieldScores;
use super::hits::{Hits, Sums, best, intersect};
use super::phrase::{self, Place};
use super::postings::{frequency, of_any, of_term, walk};
use super::query::{Node, exact_weights, weights};
use super::schema::SEARCH_FIELDS;
use super::score::{Bm25, idf};
use super::snapshot::Snapshot;
use super::view::ViewStatistics;
use crate::analysis::{Form, Word, words};
use crate::failure::Outcome;

pub struct Evaluator<'a> {
    pub snapshot: &'a Snapshot,
    pub view: &'a ViewStatistics,
    tie_breaker: f64,
    fields: RefCell<FieldScores>,
}

impl<'a> Evaluator<'a> {
    pub fn new(snapshot: &'a Snapshot, view: &'a ViewStatistics, tie_breaker: f64) -> Self {
        Self { snapshot, view, tie_breaker, fields: RefCell::new(FieldScores::new(snapshot.slots)) }
    }

    pub fn evaluate(&self, node: &Node) -> Outcome<Hits> {
        let boost = node.boost();
        match node {
            Node::Word { text, fields, .. } => {
                self.phrases(&weights(fields)?, text, 0, false)?;
            }
            Node::Phrase { text, fields, slop, .. } => {
                self.phrases(&weights(fields)?, text, *slop, false)?;
            }
            Node::Prefix { text, fields, .. } => {
                self.phrases(&exact_weights(fields)?, text, 0, true)?;
            }
            Node::Fuzzy { text, distance, fields, .. } => {
                for (field, weight) in exact_weights(fields)? {
                    self.fuzzy(field, weight, text, *distance)?;
                }
            }
            Node::All { .. } => return Ok(self.all().scaled(boost)),
            Node::Bool { must, should, not, minimum_should, .. } => {
                return Ok(self.combine(must, should, not, *minimum_should)?.scaled(boost));
            }
        }
        Ok(self.fields.borrow_mut().take(self.tie_breaker, boost))
    }

    fn all(&self) -> Hits {
        let slots: Vec<u32> = (0..self.snapshot.slots).filter(|&slot| self.view.holds(slot)).collect();
        let scores = vec![1.0; slots.len()];
        Hits { slots, scores }
    }

    fn idf(&self, frequency: u32) -> f64 {
        idf(self.view.documents, frequency)
    }

    fn bm25(&self, field: usize, told: f64) -> Bm25 {
        Bm25::new(self.view, SEARCH_FIELDS[field].text, told)
    }

    fn phrases(&self, fields: &[(usize, f64)], text: &str, slop: u32, open_ended: bool) -> Outcome<()> {
        fields.iter().try_for_each(|&(field, weight)| self.phrase(field, weight, text, slop, open_ended))
    }

    /// The words of `text` next to each other; of the last one only the start with `open_ended`.
    fn phrase(&self, field: usize, weight: f64, text: &str, slop: u32, open_ended: bool) -> Outcome<()> {
        let words = words(text, SEARCH_FIELDS[field].form);
        let Some((last, before)) = words.split_last() else { return Ok(()) };
        let mut places = Vec::with_capacity(words.len());
        for word in before {
            places.push(self.place(field, word, false, words[0].position)?);
        }
        places.push(self.place(field, last, open_ended, words[0].position)?);
        let (snapshot, view) = (self.snapshot, self.view);
        let hits = match places.as_slice() {
            [Place { terms, .. }] => match terms.as_slice() {
                [] => return Ok(()),
                [term] => return self.term(field, weight, term),
                terms => {
                    let found = of_any(snapshot, view, field, terms)?;
                    let told = weight * self.idf(found.slots.len() as u32);
                    self.bm25(field, told).scores(snapshot, found)
                }
            },
            places => {
                let mut told = 0.0;
                for place in places {
                    told += self.idf(match place.terms.as_slice() {
                        [term] => frequency(snapshot, view, field, term)?,
                        several => of_any(snapshot, view, field, several)?.slots.len() as u32,
                    });
                }
                let found = phrase::occurrences(snapshot, view, field, places, slop)?;
                self.bm25(field, weight * told).scores(snapshot, found)
            }
        };
        self.fields.borrow_mut().add_all(&hits);
        Ok(())
    }

    /// One term, straight from its postings.
    fn term(&self, field: usize, weight: f64, term: &str) -> Outcome<()> {
        let frequency = frequency(self.snapshot, self.view, field, term)?;
        if frequency == 0 {
            return Ok(());
        }
        let bm25 = self.bm25(field, weight * self.idf(frequency));
        let mut fields = self.fields.borrow_mut();
        walk(self.snapshot, self.view, field, term, |segment, document, count| {
            fields.add(segment.first_slot + document, bm25.score(segment, document, count));
        })
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
    fn fuzzy(&self, field: usize, weight: f64, text: &str, distance: u8) -> Outcome<()> {
        let words = words(text, Form::Exact);
        let [word] = words.as_slice() else { return self.phrase(field, weight, text, 0, false) };
        let mut lists = Vec::new();
        for found in near(self.snapshot, self.view, field, &word.term, distance)? {
            let told = weight * self.idf(found.frequency) / (1.0 + f64::from(found.distance));
            let occurrences = of_term(self.snapshot, self.view, field, &found.term)?;
            lists.push(self.bm25(field, told).scores(self.snapshot, occurrences));
        }
        self.fields.borrow_mut().add_all(&best(lists));
        Ok(())
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
