//! The transcripts of the stand-ins: a JSON object a line, of which those of the user have `role` and `text`; the
//! directory stands in the first line, or in each.

use super::{Opening, values};

pub(super) fn read(text: &str) -> Opening {
    let mut opening = Opening::default();
    for line in values(text) {
        let cwd = line["cwd"].as_str().or_else(|| line["payload"]["cwd"].as_str());
        if opening.directory.is_none() {
            opening.directory = cwd.map(str::to_owned);
        }
        if line["type"] != "message" {
            continue;
        }
        opening.messages += 1;
        if opening.message.is_none() && line["role"] == "user" {
            opening.message = line["text"].as_str().map(str::to_owned);
        }
    }
    opening
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_stand_ins_tell_their_directory() {
        for first in [r#"{"type":"session_meta","payload":{"cwd":"/w"}}"#, r#"{"type":"mode","cwd":"/w"}"#] {
            let read = read(&format!("{first}\n{{\"type\":\"message\",\"role\":\"user\",\"text\":\"hello\"}}\n"));
            assert_eq!((read.directory.as_deref(), read.message.as_deref()), (Some("/w"), Some("hello")));
            assert_eq!(read.messages, 1);
        }
    }
}
