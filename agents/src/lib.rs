//! What an engine is: the table of engines, how a conversation's identity is proven, and how it is resumed. All pure.

#![warn(missing_docs)]
