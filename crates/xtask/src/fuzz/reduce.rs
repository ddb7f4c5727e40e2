//! Makes an input that fails small: drops lines as long as it fails in the same way.

/// How many smaller inputs are tried.
const TRIES: usize = 200;

/// A smaller input of which `fails` is still true.
pub fn reduce(input: &[u8], fails: &dyn Fn(&[u8]) -> bool) -> Vec<u8> {
    let mut lines: Vec<&[u8]> = input.split_inclusive(|&byte| byte == b'\n').collect();
    let mut tries = 0;
    let mut size = lines.len().div_ceil(2);
    while size > 0 {
        let mut at = 0;
        while at < lines.len() && tries < TRIES {
            let mut fewer = lines.clone();
            fewer.drain(at..lines.len().min(at + size));
            tries += 1;
            match fails(&fewer.concat()) {
                true => lines = fewer,
                false => at += size,
            }
        }
        size /= 2;
    }
    lines.concat()
}

#[cfg(test)]
mod tests {
    use super::reduce;

    #[test]
    fn only_the_lines_that_fail_are_left() {
        let input = b"a\nb\nc\nd\ne\nf\n";
        let fails = |bytes: &[u8]| bytes.contains(&b'b') && bytes.contains(&b'e');
        assert_eq!(reduce(input, &fails), b"b\ne\n");
    }
}
