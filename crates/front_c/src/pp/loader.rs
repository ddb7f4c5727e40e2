//! Where source files come from: the disk, or memory for tests and fuzzing.

use execution::input;
use std::collections::BTreeMap;
use std::io;
use std::path::{Component, Path, PathBuf};

/// Gives the preprocessor the bytes of the files it asks for.
pub trait FileLoader {
    /// The bytes of the file at `path`; an error of kind `NotFound` lets an include search go on.
    fn load(&self, path: &Path) -> io::Result<Vec<u8>>;

    /// A name that is the same for every path to the same file (`#pragma once` needs it).
    fn identity(&self, path: &Path) -> PathBuf {
        normalised(path)
    }
}

/// Reads from the disk. Only ordinary files up to [`DiskLoader::MAX_BYTES`] are read, so that
/// including a device or a pipe neither hangs nor exhausts memory.
pub struct DiskLoader;

impl DiskLoader {
    /// The largest file that is read.
    pub const MAX_BYTES: u64 = input::MAX_BYTES;
}

impl FileLoader for DiskLoader {
    fn load(&self, path: &Path) -> io::Result<Vec<u8>> {
        let metadata = std::fs::metadata(path)?;
        if metadata.is_dir() {
            return Err(io::Error::new(io::ErrorKind::NotFound, "is a directory"));
        }
        if !metadata.is_file() {
            return Err(io::Error::other("not an ordinary file"));
        }
        input::read(path)
    }

    fn identity(&self, path: &Path) -> PathBuf {
        std::fs::canonicalize(path).unwrap_or_else(|_| normalised(path))
    }
}

/// Files held in memory.
#[derive(Clone, Debug, Default)]
pub struct MemoryLoader {
    files: BTreeMap<PathBuf, Vec<u8>>,
}

impl MemoryLoader {
    /// No files.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file.
    pub fn with(mut self, path: impl AsRef<Path>, text: impl Into<Vec<u8>>) -> Self {
        self.files.insert(normalised(path.as_ref()), text.into());
        self
    }
}

impl FileLoader for MemoryLoader {
    fn load(&self, path: &Path) -> io::Result<Vec<u8>> {
        let found = self.files.get(&normalised(path));
        found.cloned().ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, "no such file"))
    }
}

/// `path` without `.` and with `dir/..` removed, by spelling alone.
fn normalised(path: &Path) -> PathBuf {
    let mut result = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir if matches!(last(&result), Some(Component::Normal(_))) => {
                result.pop();
            }
            other => result.push(other),
        }
    }
    result
}

fn last(path: &Path) -> Option<Component<'_>> {
    path.components().next_back()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_files_are_found_through_any_spelling_of_their_path() {
        let loader = MemoryLoader::new().with("a/b.h", "text");
        assert_eq!(loader.load(Path::new("./a/../a/b.h")).unwrap(), b"text");
        assert!(loader.load(Path::new("b.h")).is_err());
    }

    #[test]
    fn directories_and_devices_are_not_read() {
        assert_eq!(DiskLoader.load(Path::new("/")).unwrap_err().kind(), io::ErrorKind::NotFound);
        assert!(DiskLoader.load(Path::new("/dev/zero")).is_err());
    }
}
