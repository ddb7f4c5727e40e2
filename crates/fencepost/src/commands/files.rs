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

/// Whether results can be written to these folders and this file, which is asked before anything
/// takes long. Folders that are not there are made; what stands in the file is not touched.
pub fn can_be_written<'a>(
    folders: impl IntoIterator<Item = &'a PathBuf>,
    file: Option<&PathBuf>,
) -> Result<(), String> {
    let beside = |path: &Path| match path.parent() {
        Some(parent) if parent != Path::new("") => parent.to_path_buf(),
        _ => PathBuf::from("."),
    };
    let probe = |folder: &Path| {
        let probe = folder.join(format!(".fencepost-{}", std::process::id()));
        std::fs::write(&probe, "").and_then(|()| std::fs::remove_file(&probe))
    };
    for folder in folders {
        std::fs::create_dir_all(folder).and_then(|()| probe(folder)).map_err(|error| {
            format!("cannot write to the folder `{}`: {error}", folder.display())
        })?;
    }
    match file {
        Some(file) if file.is_dir() => {
            Err(format!("cannot write `{}`: it is a folder", file.display()))
        }
        Some(file) => probe(&beside(file))
            .map_err(|error| format!("cannot write `{}`: {error}", file.display())),
        None => Ok(()),
    }
}
