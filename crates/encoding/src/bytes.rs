//! What an object with known contents holds at first, without room for every byte of it.

use ir::program::{Global, Init, InitData, Width};
use ir::value::Value;

/// The first bytes of an object: zero, but for some runs. An array of a gigabyte costs what is
/// said about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bytes {
    /// How many there are.
    size: u64,
    /// Runs of bytes in ascending order, each with its offset.
    runs: Vec<(u64, Vec<u8>)>,
}

impl Bytes {
    /// This number of zeros.
    pub fn zeroed(size: u64) -> Self {
        Self { size, runs: Vec::new() }
    }

    /// What a global starts with, addresses aside.
    pub fn of(global: &Global) -> Self {
        let run = |init: &Init| match &init.data {
            InitData::Bytes(data) => Some((init.offset, data.clone())),
            InitData::Global(..) | InitData::Function(_) => None,
        };
        Self { size: global.size, runs: global.init.iter().filter_map(run).collect() }
    }

    /// The number that lies at an offset; `None` if it does not lie inside.
    pub fn number(&self, offset: u64, width: Width) -> Option<Value> {
        let end = offset.checked_add(width.bytes()).filter(|end| *end <= self.size)?;
        let first = self.runs.partition_point(|(start, data)| start + data.len() as u64 <= offset);
        let mut bits = 0;
        for (start, data) in self.runs[first..].iter().take_while(|(start, _)| *start < end) {
            for at in offset.max(*start)..end.min(start + data.len() as u64) {
                bits |= u128::from(data[(at - start) as usize]) << (8 * (at - offset));
            }
        }
        Some(Value::int(width, bits))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_across_runs_and_between_them() {
        let runs = vec![(2, vec![1, 2, 3]), (5, vec![4]), (1 << 40, vec![9])];
        let bytes = Bytes { size: (1 << 40) + 1, runs };
        let number = |offset, width| bytes.number(offset, width).map(|value| value.bits);
        assert_eq!(number(0, Width::I32), Some(0x0201_0000));
        assert_eq!(number(3, Width::I32), Some(0x0004_0302));
        assert_eq!(number(6, Width::I64), Some(0));
        assert_eq!(number(1 << 39, Width::I128), Some(0));
        assert_eq!(number((1 << 40) - 1, Width::I16), Some(0x0900));
        assert_eq!(number(1 << 40, Width::I16), None);
        assert_eq!(number(u64::MAX, Width::I16), None);
    }
}
