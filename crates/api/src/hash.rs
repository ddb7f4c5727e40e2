//! Hashes of texts: 128-bit FNV-1a, the same on every machine and in every version.

use std::io::{self, Read};

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

/// The hash of all bytes that a file has, as 32 hexadecimal digits. Eight bytes at a time: there
/// may be many of them.
pub fn hash_bytes(mut file: impl Read) -> io::Result<String> {
    let (mut hash, mut length) = (OFFSET, 0);
    let mut buffer = vec![0; 1 << 16];
    loop {
        let mut filled = 0;
        while filled < buffer.len() {
            match file.read(&mut buffer[filled..]) {
                Ok(0) => break,
                Ok(read) => filled += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        length += filled;
        for chunk in buffer[..filled].chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            hash = (hash ^ u128::from(u64::from_le_bytes(word))).wrapping_mul(PRIME);
        }
        if filled < buffer.len() {
            break;
        }
    }
    hash = (hash ^ length as u128).wrapping_mul(PRIME);
    Ok(format!("{hash:032x}"))
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

    #[test]
    fn every_byte_of_a_file_counts() {
        let of = |bytes: &[u8]| hash_bytes(bytes).unwrap();
        let mut bytes = vec![7; 200_003];
        let whole = of(&bytes);
        assert_eq!(of(&bytes), whole);
        for at in [0, 65_535, 65_536, 200_002] {
            bytes[at] ^= 1;
            assert_ne!(of(&bytes), whole, "byte {at}");
            bytes[at] ^= 1;
        }
        assert_ne!(of(&bytes[..200_002]), whole);
        assert_ne!(of(b"a"), of(b"a\0"));
    }
}
