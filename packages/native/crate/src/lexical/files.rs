//! Index files without memory maps: a mapped file that something else cuts short would end the process at
//! the next look at it, where a read only fails.

use std::fs::File;
use std::io;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use tantivy::HasLen;
use tantivy::directory::{FileHandle, OwnedBytes};

/// Texts and positions are most of an index and read in places: they stay on the disk. All else is small
/// and read all the time.
pub fn open(path: &Path) -> io::Result<Arc<dyn FileHandle>> {
    let file = File::open(path)?;
    if path.extension().is_some_and(|ending| ending == "store" || ending == "pos") {
        let length = file.metadata()?.len() as usize;
        return Ok(Arc::new(DiskFile { file, length }));
    }
    Ok(Arc::new(OwnedBytes::new(std::fs::read(path)?)))
}

#[derive(Debug)]
struct DiskFile {
    file: File,
    length: usize,
}

impl HasLen for DiskFile {
    fn len(&self) -> usize {
        self.length
    }
}

impl FileHandle for DiskFile {
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
fn read_exact_at(file: &File, mut bytes: &mut [u8], mut offset: u64) -> io::Result<()> {
    use std::os::windows::fs::FileExt;
    while !bytes.is_empty() {
        let count = file.seek_read(bytes, offset)?;
        if count == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        bytes = &mut bytes[count..];
        offset += count as u64;
    }
    Ok(())
}
