//! Styles as users write them: colours, attributes, `#[...]` in text, and the width of such text. Draws nothing.

pub mod attribute;
pub mod colour;
pub mod markup;
pub mod runs;
pub mod trim;

pub use attribute::Attributes;
pub(crate) use colour::THEME_COLOURS;
pub use colour::{Colour, Depth};
pub use markup::{Align, BadStyle, DefaultChange, List, Look, Markup, Range, Width};
pub use runs::{Run, runs};
pub use trim::{character_width, pad_left, pad_right, plain_width, trim_left, trim_right, width};
