//! Index files read by position instead of mapped. A mapped file that somebody truncates ends the process with
//! SIGBUS, which nothing can catch; a positioned read of it is an error like any other.

use std::fmt;
use std::fs::File;
use std::io;
use std::ops::Range;

use tantivy::HasLen;
use tantivy::directory::{FileHandle, OwnedBytes};

pub struct PositionedFile {
    file: File,
    length: usize,
}

impl PositionedFile {
    pub fn open(file: File) -> io::Result<Self> {
        let length = usize::try_from(file.metadata()?.len())
            .map_err(|_| io::Error::other("the index file is too large for this machine"))?;
        Ok(Self { file, length })
    }
}

impl fmt::Debug for PositionedFile {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "PositionedFile({} bytes)", self.length)
    }
}

impl HasLen for PositionedFile {
    fn len(&self) -> usize {
        self.length
    }
}

impl FileHandle for PositionedFile {
    fn read_bytes(&self, range: Range<usize>) -> io::Result<OwnedBytes> {
        if range.end > self.length {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let mut bytes = vec![0; range.len()];
        read_exact_at(&self.file, &mut bytes, range.start as u64)?;
        Ok(OwnedBytes::new(bytes))
    }
}

#[cfg(unix)]
fn read_exact_at(file: &File, bytes: &mut [u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, offset)
}

#[cfg(windows)]
fn read_exact_at(file: &File, bytes: &mut [u8], offset: u64) -> io::Result<()> {
    use std::os::windows::fs::FileExt;
    let mut done = 0;
    while done < bytes.len() {
        match file.seek_read(&mut bytes[done..], offset + done as u64)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            count => done += count,
        }
    }
    Ok(())
}
