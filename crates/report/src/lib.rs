//! Turns diagnostics, verdicts and witnesses into what people read.
