//! Members in positions: where the cells of a lemma, or of an abstract state, are in a state.

use guarded::reduction::{OTHER, Reduction};

/// Members in positions.
#[derive(Clone, Debug)]
pub struct Tuple {
    /// The member in each position; `None` where it does not matter.
    pub members: Vec<Option<usize>>,
    tracked: usize,
    /// The cell that each cell of an abstract state is in a state.
    cells: Vec<u32>,
}

impl Tuple {
    /// These members in these positions.
    pub fn new(reduction: &Reduction, members: &[Option<usize>]) -> Self {
        let mut cells = vec![u32::MAX; reduction.layout.cells.len()];
        for cell in &reduction.kept {
            let known = |position: &usize| members.get(*position).copied().flatten();
            let of: Option<Vec<usize>> =
                reduction.layout.cells[*cell].members.iter().map(known).collect();
            let Some(of) = of else { continue };
            let positions = &reduction.layout.cells[*cell].members;
            let mut named = vec![0; reduction.tracked];
            positions.iter().zip(&of).for_each(|(position, member)| named[*position] = *member);
            cells[*cell] = reduction.layout.renamed(*cell, &named) as u32;
        }
        Self { members: members.to_vec(), tracked: reduction.tracked, cells }
    }

    /// The cell of a state.
    pub fn cell(&self, cell: usize) -> usize {
        self.cells[cell] as usize
    }

    /// The member in a position.
    pub fn member(&self, position: usize) -> Option<usize> {
        self.members[position]
    }

    /// Whether a tracked member is in a position.
    pub fn is_tracked(&self, position: usize) -> bool {
        self.members[position].is_some_and(|member| member < self.tracked)
    }

    /// A state as these members see it: an abstract state in which they are the tracked ones.
    pub fn restricted(&self, reduction: &Reduction, codes: &[u16]) -> Box<[u16]> {
        let code = |cell: &usize| self.code(reduction, *cell, codes);
        reduction.kept.iter().map(code).collect()
    }

    /// The code of one cell of it.
    pub fn code(&self, reduction: &Reduction, cell: usize, codes: &[u16]) -> u16 {
        let from = self.cell(cell);
        let (code, shape) = (codes[from], &reduction.layout.cells[from]);
        match shape.member(code) {
            Some(member) => match self.members.iter().position(|one| *one == Some(member)) {
                Some(position) => shape.code_of(position),
                None => OTHER,
            },
            None => code,
        }
    }
}

/// All ordered choices of `count` of some members.
pub fn choices(members: &[usize], count: usize) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for _ in 0..count {
        let longer = |choice: &Vec<usize>| {
            let choice = choice.clone();
            let free = members.iter().filter(move |member| !choice.contains(member));
            free.copied().collect::<Vec<_>>()
        };
        all = all
            .iter()
            .flat_map(|choice| {
                longer(choice).into_iter().map(|m| [choice.as_slice(), &[m]].concat())
            })
            .collect();
    }
    all
}
