//! Control transcripts.
