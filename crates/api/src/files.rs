//! Writes results to files in folders that the user names.

use report::printable::shown;
use sat::whole_file;
use std::path::{Path, PathBuf};

/// Writes a file, whole or not at all.
pub fn write(path: &Path, text: impl AsRef<[u8]>) -> Result<(), String> {
    whole_file::write(path, text)
        .map_err(|error| format!("cannot write `{}`: {error}", shown(path)))
}

/// Writes a file into a folder, which is made if it is not there.
pub fn write_into(folder: &Path, name: &str, text: String) -> Result<PathBuf, String> {
    let path = folder.join(name);
    std::fs::create_dir_all(folder)
        .map_err(|error| format!("cannot make the folder `{}`: {error}", shown(folder)))?;
    write(&path, text)?;
    Ok(path)
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
        std::fs::create_dir_all(folder)
            .and_then(|()| probe(folder))
            .map_err(|error| format!("cannot write to the folder `{}`: {error}", shown(folder)))?;
    }
    match file {
        Some(file) if file.is_dir() => {
            Err(format!("cannot write `{}`: it is a folder", shown(file)))
        }
        Some(file) => {
            probe(&beside(file)).map_err(|error| format!("cannot write `{}`: {error}", shown(file)))
        }
        None => Ok(()),
    }
}
