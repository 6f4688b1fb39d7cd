//! coming_back
