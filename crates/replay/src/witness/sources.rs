//! Where the bytes of reads come from, which may be several writes.

use super::run::{Attempt, Run};
use crate::Mismatch;
use crate::memory::parts::{Assembly, part};
use crate::memory::world::{CellId, ValueId, World, freed};
use execution::event::EventKind;
use execution::ids::Id;
use execution::witness::{ThreadWitness, WriteRef};
use ir::program::Width;
use ir::value::{RegionId, Value};

/// The write that a byte of a read is from; the first bytes are from `first`.
pub fn source(
    given: &ThreadWitness,
    read: usize,
    byte: u64,
    first: Option<WriteRef>,
) -> Option<WriteRef> {
    let own = given.parts.iter().filter(|part| part.read as usize == read);
    let before = own.filter(|part| u64::from(part.byte) <= byte);
    before.max_by_key(|part| part.byte).map_or(first, |part| part.from)
}

/// What is said about parts of reads is said of reads that there are, and of bytes that they have,
/// each once.
pub fn check(attempt: &Attempt<'_, '_>, run: &Run) -> Result<(), Mismatch> {
    let given = &attempt.witness.threads[run.id.index()].parts;
    let events = run.state.recorder.events.iter();
    let reads = events.filter(|event| event.kind == EventKind::Read);
    let bytes: Vec<u64> = reads
        .map(|event| event.cell.map_or(0, |cell| attempt.world.cells[cell.index()].bytes))
        .collect();
    for (index, part) in given.iter().enumerate() {
        let inside = bytes
            .get(part.read as usize)
            .is_some_and(|&bytes| part.byte > 0 && u64::from(part.byte) < bytes);
        let twice = given[..index].iter().any(|o| (o.read, o.byte) == (part.read, part.byte));
        if !inside || twice {
            return Err(Mismatch::ReadsFrom {
                thread: run.id.index() as u32,
                read: part.read,
                what: format!("nothing can be said of its byte {}", part.byte),
            });
        }
    }
    Ok(())
}

/// What a read returns whose parts are from writes of these values.
pub fn together(
    world: &World<'_>,
    run: &Run,
    position: usize,
    parts: &[(CellId, Option<ValueId>)],
) -> Option<Value> {
    let whole = run.state.recorder.events.get(position)?.cell?;
    let whole = &world.cells[whole.index()];
    let width = Width::from_bytes(whole.bytes)?;
    let mut assembly = Assembly::new(Value::undef(width), width);
    for &(cell, value) in parts {
        let cell = &world.cells[cell.index()];
        let part = Width::from_bytes(cell.bytes)?;
        assembly.put((cell.offset - whole.offset) as i64, world.value_of(value?), part);
    }
    Some(assembly.finish())
}

/// Where what is said of coherence divides memory.
pub fn cuts(attempt: &Attempt<'_, '_>) -> Vec<(RegionId, u64)> {
    if !attempt.model.knows_mixed_sizes() {
        return Vec::new();
    }
    let mut cuts = Vec::new();
    for co in &attempt.witness.co {
        let inside = |base: u64, size: u64| base <= co.address && co.address - base < size;
        let mut objects = attempt.world.objects().all();
        if let Some((region, object)) = objects.find(|(_, o)| inside(o.base, o.size)) {
            let offset = co.address - object.base;
            cuts.extend([(region, offset), (region, offset.saturating_add(co.bytes.into()))]);
        }
    }
    cuts
}

impl Attempt<'_, '_> {
    /// What the writes that a read is from left in its cell, if they are such that write values
    /// there.
    pub fn seen(&self, run: &Run, read: usize, cell: CellId) -> Option<Value> {
        let place = &self.world.cells[cell.index()];
        let width = Width::from_bytes(place.bytes)?;
        let given = self.witness.threads.get(run.id.index())?;
        let first = *run.cursor.reads.get(read)?;
        let initial =
            self.world.objects().get(place.region).contents.read(place.offset as usize, width);
        let mut assembly = Assembly::new(initial, width);
        let own = given.parts.iter().filter(|part| part.read as usize == read);
        let mut sources: Vec<(u64, Option<WriteRef>)> =
            own.map(|part| (part.byte.into(), part.from)).collect();
        sources.insert(0, (0, first));
        sources.sort_by_key(|&(byte, _)| byte);
        for (index, &(byte, from)) in sources.iter().enumerate() {
            let Some(from) = from else { continue };
            let end = sources.get(index + 1).map_or(place.bytes, |&(next, _)| next);
            let (start, value) = self.written(place.region, from)?;
            let (first, last) = (place.offset + byte, place.offset + end.min(place.bytes));
            if value == freed() || first < start || last > start + value.width.bytes() {
                return None;
            }
            for at in first..last {
                let to = (at - place.offset) as i64;
                assembly.put(to, part(value, at - start, Width::I8), Width::I8);
            }
        }
        Some(assembly.finish())
    }

    /// What a write left in an object, and from which byte on, if it is one that writes a value
    /// there.
    fn written(&self, region: RegionId, from: WriteRef) -> Option<(u64, Value)> {
        let run = self.runs.iter().find(|run| run.id.index() == from.thread as usize)?;
        let numbers = &run.state.write_numbers;
        let (&position, _) = numbers.iter().find(|(_, number)| **number == from.index)?;
        let recorder = &run.state.recorder;
        let cell = &self.world.cells[recorder.events.get(position)?.cell?.index()];
        let value = (*recorder.values.get(position)?)?;
        (cell.region == region).then(|| (cell.offset, self.world.value_of(value)))
    }
}
