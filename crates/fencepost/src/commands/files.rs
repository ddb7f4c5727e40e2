//! Writes results to files in folders that the user names.

use std::path::{Path, PathBuf};

/// Writes a file into a folder, which is made if it is not there.
pub fn write(folder: &Path, name: &str, text: String) -> Result<PathBuf, String> {
    let path = folder.join(name);
    let written = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&path, text));
    match written {
        Ok(()) => Ok(path),
        Err(error) => Err(format!("cannot write `{}`: {error}", path.display())),
    }
}
