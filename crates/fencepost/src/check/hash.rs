//! Hashes of texts: 128-bit FNV-1a, the same on every machine and in every version.

const OFFSET: u128 = 0x6c62272e07bb014262b821756295c58d;
const PRIME: u128 = 0x0000000001000000000000000000013b;

/// The hash of some texts, one after the other, as 32 hexadecimal digits. Where one text ends and
/// the next begins counts.
pub fn hash<'t>(texts: impl IntoIterator<Item = &'t str>) -> String {
    let mut hash = OFFSET;
    let mut add = |byte: u8| hash = (hash ^ u128::from(byte)).wrapping_mul(PRIME);
    for text in texts {
        text.bytes().for_each(&mut add);
        text.len().to_le_bytes().into_iter().for_each(&mut add);
    }
    format!("{hash:032x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bounds_of_texts_count() {
        assert_ne!(hash(["ab", "c"]), hash(["a", "bc"]));
        assert_ne!(hash(["a"]), hash(["a", ""]));
        assert_eq!(hash(["ab", "c"]), hash(["ab", "c"]));
        assert_eq!(hash([]), format!("{OFFSET:032x}"));
    }
}
