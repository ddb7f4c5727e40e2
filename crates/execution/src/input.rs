//! Reads files, but not for ever: only ordinary files and pipes, up to a size.

use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::path::Path;

/// The largest file that is read.
pub const MAX_BYTES: u64 = 64 << 20;

/// The text of a file.
pub fn read_text(path: &Path) -> io::Result<String> {
    let bytes = read(path)?;
    String::from_utf8(bytes).map_err(|_| io::Error::other("it is not UTF-8 text"))
}

/// The bytes of a file. A device has no end, and a large file is a mistake.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    read_up_to(path, MAX_BYTES)
}

fn read_up_to(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    // Asked before it is opened, too: opening may wait, and a device may act on it.
    check(&std::fs::metadata(path)?, most)?;
    let file = File::open(path)?;
    check(&file.metadata()?, most)?;
    let mut bytes = Vec::new();
    // The size of a pipe, or of a file that grows, is known only at its end.
    file.take(most + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > most {
        true => Err(too_large(most)),
        false => Ok(bytes),
    }
}

fn check(data: &Metadata, most: u64) -> io::Result<()> {
    if data.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    if !data.is_file() && !is_pipe(data) {
        return Err(io::Error::other("it is neither an ordinary file nor a pipe"));
    }
    if data.len() > most { Err(too_large(most)) } else { Ok(()) }
}

#[cfg(unix)]
fn is_pipe(data: &Metadata) -> bool {
    std::os::unix::fs::FileTypeExt::is_fifo(&data.file_type())
}

#[cfg(not(unix))]
fn is_pipe(_: &Metadata) -> bool {
    false
}

fn too_large(most: u64) -> io::Error {
    let most = if most >> 20 > 0 { format!("{} MiB", most >> 20) } else { format!("{most} bytes") };
    io::Error::new(io::ErrorKind::FileTooLarge, format!("it is larger than {most}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_up_to_a_size() {
        let path = std::env::temp_dir().join(format!("fencepost-input-{}", std::process::id()));
        std::fs::write(&path, "twelve bytes").unwrap();
        assert_eq!(read_up_to(&path, 12).unwrap(), b"twelve bytes");
        let problem = read_up_to(&path, 11).unwrap_err();
        assert_eq!(problem.to_string(), "it is larger than 11 bytes");
        std::fs::remove_file(&path).unwrap();
        assert_eq!(read(&path).unwrap_err().kind(), io::ErrorKind::NotFound);
        assert!(read(&std::env::temp_dir()).is_err());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_device_is_not_read() {
        let problem = read(Path::new("/dev/zero")).unwrap_err();
        assert_eq!(problem.to_string(), "it is neither an ordinary file nor a pipe");
    }
}
