//! A small random generator whose numbers are the same on every platform and in every version.
//!
//! Xoshiro256** seeded through SplitMix64 (Blackman and Vigna, "Scrambled linear pseudorandom
//! number generators", ACM TOMS 2021).
//!
//! A generator may follow a script instead, so that a test can try every sequence of numbers.

/// A generator of random numbers.
#[derive(Clone, Debug)]
pub struct Random {
    state: [u64; 4],
    script: Option<Script>,
}

/// The numbers that a generator is to give, and what it gave.
#[derive(Clone, Debug, Default)]
pub struct Script {
    /// The numbers to give; zeros follow.
    pub answers: Vec<u64>,
    /// What was given, each with its limit.
    pub given: Vec<(u64, u64)>,
    /// Whether numbers were asked that are too many to try.
    pub lost: bool,
}

impl Script {
    fn next(&mut self, limit: u64) -> u64 {
        let answer = self.answers.get(self.given.len()).copied().unwrap_or(0);
        self.given.push((answer, limit));
        answer
    }

    /// The answers after these, if every sequence is to be tried, the first `fixed` of them as they
    /// are; `None` if these were the last.
    pub fn following(&self, fixed: usize) -> Option<Vec<u64>> {
        let more = |&(answer, limit): &(u64, u64)| answer + 1 < limit;
        let last = self.given.iter().rposition(more).filter(|&last| last >= fixed)?;
        let mut answers: Vec<u64> = self.given[..=last].iter().map(|(answer, _)| *answer).collect();
        answers[last] += 1;
        Some(answers)
    }
}

impl Random {
    /// The generator of a seed.
    pub fn new(seed: u64) -> Self {
        let mut z = seed;
        let mut split_mix = || {
            z = z.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let a = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let b = (a ^ (a >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            b ^ (b >> 31)
        };
        let state = [split_mix(), split_mix(), split_mix(), split_mix()];
        Self { state, script: None }
    }

    /// A generator that follows a script.
    pub fn scripted(answers: Vec<u64>) -> Self {
        Self { script: Some(Script { answers, ..Script::default() }), ..Self::new(0) }
    }

    /// The script that it follows.
    pub fn script(&self) -> Option<&Script> {
        self.script.as_ref()
    }

    /// True once in `times` times.
    pub fn one_in(&mut self, times: u64) -> bool {
        match &mut self.script {
            Some(script) => script.next(2) == 1,
            None => self.below(times) == 0,
        }
    }

    /// Any number.
    pub fn draw(&mut self) -> u64 {
        if let Some(script) = &mut self.script {
            script.lost = true;
        }
        let s = &mut self.state;
        let result = s[1].wrapping_mul(5).rotate_left(7).wrapping_mul(9);
        let t = s[1] << 17;
        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= t;
        s[3] = s[3].rotate_left(45);
        result
    }

    /// A number below `limit`, which is not zero.
    pub fn below(&mut self, limit: u64) -> u64 {
        if let Some(script) = self.script.as_mut().filter(|_| limit <= MOST) {
            return if limit == 1 { 0 } else { script.next(limit) };
        }
        ((u128::from(self.draw()) * u128::from(limit)) >> 64) as u64
    }

    /// A number of 128 random bits.
    pub fn wide(&mut self) -> u128 {
        u128::from(self.draw()) << 64 | u128::from(self.draw())
    }
}

/// More alternatives than this are not tried one by one.
const MOST: u64 = 256;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_try_every_sequence() {
        let mut sequences = Vec::new();
        let mut answers = Some(Vec::new());
        while let Some(script) = answers {
            let mut random = Random::scripted(script);
            let first = random.below(2);
            sequences.push((first, if first == 0 { random.below(3) } else { 9 }, random.below(1)));
            answers = random.script().expect("a script").following(0);
        }
        assert_eq!(sequences, [(0, 0, 0), (0, 1, 0), (0, 2, 0), (1, 9, 0)]);
        let mut random = Random::scripted(Vec::new());
        random.draw();
        assert!(random.script().expect("a script").lost);
    }

    #[test]
    fn a_seed_always_gives_the_same_numbers() {
        let mut random = Random::new(1);
        let first: Vec<u64> = (0..3).map(|_| random.draw()).collect();
        let again = Random::new(1).draw();
        assert_eq!(first[0], again);
        // The state is SplitMix64's published sequence for this seed.
        assert_eq!(Random::new(1234567).state[0], 6457827717110365317);
        assert_ne!(first[0], Random::new(2).draw());
    }

    #[test]
    fn numbers_below_a_limit_reach_all_of_them() {
        let mut random = Random::new(7);
        let mut seen = [false; 5];
        for _ in 0..200 {
            seen[random.below(5) as usize] = true;
        }
        assert_eq!(seen, [true; 5]);
    }
}
