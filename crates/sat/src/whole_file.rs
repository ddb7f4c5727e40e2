//! Files that are there whole or not at all: written aside in the same folder, then renamed.

use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use tempfile::{NamedTempFile, TempPath};

/// A file that is being written. Unless it is committed, nothing has happened.
#[derive(Debug)]
pub struct WholeFile {
    to: Target,
}

#[derive(Debug)]
enum Target {
    /// Written aside there, and what it will be called.
    Aside(BufWriter<File>, TempPath, PathBuf),
    /// A terminal, a pipe or a device, which cannot be replaced.
    Straight(BufWriter<File>),
}

impl WholeFile {
    /// Begins to write a file. Its folder must be there.
    pub fn create(path: &Path) -> io::Result<Self> {
        let to = match fs::metadata(path) {
            Ok(data) if data.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
            Ok(data) if !data.is_file() => {
                Target::Straight(BufWriter::new(OpenOptions::new().write(true).open(path)?))
            }
            // What may not be written may not be replaced either.
            Ok(data) if data.permissions().readonly() => {
                return Err(io::ErrorKind::PermissionDenied.into());
            }
            // A link stays; what it leads to is replaced.
            Ok(_) => Target::aside(fs::canonicalize(path)?)?,
            Err(_) => Target::aside(path.to_owned())?,
        };
        Ok(Self { to })
    }

    /// Where what was written and flushed so far can be read, by a path that is UTF-8.
    pub(crate) fn readable(&self) -> io::Result<Readable<'_>> {
        let Target::Aside(_, path, _) = &self.to else {
            return Err(io::Error::other("it is not a regular file"));
        };
        if path.to_str().is_some() {
            return Ok(Readable::Itself(path));
        }
        let copy = NamedTempFile::new()?;
        fs::copy(path, copy.path())?;
        Ok(Readable::Copy(copy))
    }

    /// The file is whole: from now on it is what the path names.
    pub fn commit(self) -> io::Result<()> {
        match self.to {
            Target::Aside(mut writer, aside, path) => {
                writer.flush()?;
                aside.persist(path).map_err(|problem| problem.error)
            }
            Target::Straight(mut writer) => writer.flush(),
        }
    }
}

/// A file that can be read, as long as this lives.
pub(crate) enum Readable<'f> {
    Itself(&'f Path),
    Copy(NamedTempFile),
}

impl AsRef<Path> for Readable<'_> {
    fn as_ref(&self) -> &Path {
        match self {
            Self::Itself(path) => path,
            Self::Copy(file) => file.path(),
        }
    }
}

impl Target {
    fn aside(path: PathBuf) -> io::Result<Self> {
        let folder = match path.parent() {
            Some(parent) if parent.as_os_str() != OsStr::new("") => parent,
            _ => Path::new("."),
        };
        // Otherwise the error would name the file aside.
        fs::metadata(folder)?;
        let mut builder = tempfile::Builder::new();
        builder.prefix(".fencepost-");
        // As for any other file; the user's mask is applied to it.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let file = builder.tempfile_in(folder).map_err(|error| io::Error::from(error.kind()))?;
        let (file, aside) = file.into_parts();
        Ok(Self::Aside(BufWriter::new(file), aside, path))
    }
}

impl Write for WholeFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.to {
            Target::Aside(writer, ..) => writer.write(bytes),
            Target::Straight(writer) => writer.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.to {
            Target::Aside(writer, ..) => writer.flush(),
            Target::Straight(writer) => writer.flush(),
        }
    }
}

/// Writes a whole file.
pub fn write(path: &Path, content: impl AsRef<[u8]>) -> io::Result<()> {
    let mut file = WholeFile::create(path)?;
    file.write_all(content.as_ref())?;
    file.commit()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_committed_has_not_happened() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        write(&path, "old").unwrap();
        let mut file = WholeFile::create(&path).unwrap();
        file.write_all(b"half").unwrap();
        file.flush().unwrap();
        drop(file);
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        write(&path, "new").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left over");
    }

    #[test]
    fn a_folder_and_a_missing_folder_are_errors() {
        let folder = tempfile::tempdir().unwrap();
        assert!(write(folder.path(), "").is_err());
        assert!(write(&folder.path().join("missing/a"), "").is_err());
    }

    #[cfg(unix)]
    #[test]
    fn links_stay_and_devices_are_not_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let (real, link) = (folder.path().join("real"), folder.path().join("link"));
        fs::write(&real, "old").unwrap();
        std::os::unix::fs::symlink(&real, &link).unwrap();
        write(&link, "new").unwrap();
        assert_eq!(fs::read_to_string(&real).unwrap(), "new");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        if Path::new("/dev/full").exists() {
            assert!(write(Path::new("/dev/full"), "text").is_err());
            assert!(!fs::metadata("/dev/full").unwrap().is_file());
        }
    }
}
