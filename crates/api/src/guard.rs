//! Turns a panic, which is always a mistake of ours, into a value: what it says.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// Does some work; the error is the message of a panic. What the work shares with others must be
/// whole at any time.
pub fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| {
        let text = payload.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| payload.downcast_ref::<&str>().copied());
        text.unwrap_or("a panic without a message").to_string()
    })
}

#[cfg(test)]
mod tests {
    use super::guarded;

    #[test]
    fn a_panic_says_what_it_says() {
        assert_eq!(guarded(|| 7), Ok(7));
        let number = 3;
        assert_eq!(guarded(|| -> u8 { panic!("number {number}") }), Err("number 3".to_string()));
        assert_eq!(guarded(|| -> u8 { panic!("plain") }), Err("plain".to_string()));
    }
}
