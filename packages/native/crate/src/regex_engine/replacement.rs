//! Replacement texts as ECMAScript reads them (ECMA-262, GetSubstitution), without the parts of the text
//! before and after a match.

use regex::{Captures, Regex};

enum Part {
    Literal(String),
    Group(usize),
}

pub struct Replacement {
    parts: Vec<Part>,
}

impl Replacement {
    pub fn parse(source: &str, regex: &Regex) -> Self {
        let mut parts = Vec::new();
        let mut literal = String::new();
        let mut rest = source;
        while let Some(at) = rest.find('$') {
            literal.push_str(&rest[..at]);
            rest = &rest[at..];
            match reference(&rest[1..], regex) {
                Some((Part::Literal(text), used)) => {
                    literal.push_str(&text);
                    rest = &rest[1 + used..];
                }
                Some((group, used)) => {
                    parts.push(Part::Literal(std::mem::take(&mut literal)));
                    parts.push(group);
                    rest = &rest[1 + used..];
                }
                None => {
                    literal.push('$');
                    rest = &rest[1..];
                }
            }
        }
        literal.push_str(rest);
        parts.push(Part::Literal(literal));
        Self { parts }
    }

    pub fn write(&self, captures: &Captures, out: &mut String) {
        for part in &self.parts {
            match part {
                Part::Literal(text) => out.push_str(text),
                Part::Group(group) => out.push_str(captures.get(*group).map_or("", |found| found.as_str())),
            }
        }
    }
}

/// What stands after a `$`, and how many bytes of it belong to the reference.
fn reference(rest: &str, regex: &Regex) -> Option<(Part, usize)> {
    let bytes = rest.as_bytes();
    match bytes.first()? {
        b'$' => Some((Part::Literal("$".into()), 1)),
        b'&' => Some((Part::Group(0), 1)),
        b'<' => {
            let end = rest.find('>')?;
            let group = regex.capture_names().position(|name| name == Some(&rest[1..end]))?;
            Some((Part::Group(group), end + 1))
        }
        b'0'..=b'9' => {
            // Two digits where such a group exists, else one.
            let number = |digits: usize| -> Option<(Part, usize)> {
                let text =
                    rest.get(..digits).filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()))?;
                let group = text.parse().ok().filter(|group| (1..regex.captures_len()).contains(group))?;
                Some((Part::Group(group), digits))
            };
            number(2).or_else(|| number(1))
        }
        _ => None,
    }
}
