//! The same memory where symmetric threads have exchanged their numbers.

use super::cells::renamed;
use super::data::Data;
use super::view::View;
use super::{Fences, Seeing, Weak};
use crate::explicit::machine::state::{Part, Threads, bit, members};
use execution::event::ThreadId;
use execution::ids::{Id, IdVec};

impl Weak {
    /// Threads in another order: for each number, the one that the thread had before.
    pub(crate) fn reordered(&self, order: &[u8]) -> Weak {
        let nothing = Seeing::default();
        if self.lists.is_empty() && self.threads.iter().all(|seeing| *seeing.get() == nothing) {
            return self.clone();
        }
        let mut numbers: IdVec<ThreadId, ThreadId> = self.threads.ids().collect();
        for (number, &before) in order.iter().enumerate() {
            numbers[ThreadId::new(before.into())] = ThreadId::new(number);
        }
        let number = |thread: ThreadId| numbers[thread];
        let threads = |all: Threads| members(all).fold(0, |bits, it| bits | bit(number(it)));
        let fences = |Fences { known, near, far }: Fences| Fences {
            known: threads(known),
            near: threads(near),
            far: threads(far),
        };
        let view = |view: &View| view.renamed(|cell| renamed(cell, number));
        let seeing = |&before: &u8| {
            let own = self.threads[ThreadId::new(before.into())].get();
            Part::new(Seeing {
                now: view(&own.now),
                acquired: view(&own.acquired),
                released: view(&own.released),
                heads: own.heads.iter().map(|head| (head.0, view(&head.1))).collect(),
                fences: fences(own.fences),
                future: own.future,
                awaits: own.awaits.map(number),
            })
        };
        let mut after = self.clone();
        after.threads = order.iter().map(seeing).collect();
        after.sc = view(&self.sc);
        for (_, list) in &mut after.lists {
            list.change(|list| {
                for message in list {
                    message.view = view(&message.view);
                    message.fences = fences(message.fences);
                }
            });
        }
        after.data =
            self.data.iter().map(|(cell, data)| (*cell, data.renumbered(number))).collect();
        after
    }
}

impl Data {
    /// The same where threads have other numbers.
    fn renumbered(&self, number: impl Fn(ThreadId) -> ThreadId + Copy) -> Data {
        let readers = self.readers.iter();
        let mut readers: Vec<_> =
            readers.map(|&(thread, mark)| (number(thread), renamed(mark, number))).collect();
        readers.sort_unstable();
        Data { written: self.written, readers }
    }
}
