//! The folder of an index. Without fsync its files survive the process being killed (the system holds
//! them); after a power loss the checksums decide, and a damaged index is rebuilt.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, Weak};

use tantivy::directory::error::{DeleteError, LockError, OpenDirectoryError, OpenReadError, OpenWriteError};
use tantivy::directory::{
    AntiCallToken, Directory, DirectoryLock, FileHandle, Lock, MmapDirectory, TerminatingWrite,
    WatchCallback, WatchHandle, WritePtr,
};

use super::files;

/// Open files that something still reads.
type OpenFiles = HashMap<PathBuf, Weak<dyn FileHandle>>;

#[derive(Clone, Debug)]
pub struct IndexDirectory {
    /// For what has nothing to do with reading files: deletion, locks.
    inner: MmapDirectory,
    root: PathBuf,
    fsync: bool,
    open: Arc<Mutex<OpenFiles>>,
}

impl IndexDirectory {
    pub fn open(root: &Path, fsync: bool) -> Result<Self, OpenDirectoryError> {
        let inner = MmapDirectory::open(root)?;
        Ok(Self { inner, root: root.to_path_buf(), fsync, open: Arc::default() })
    }
}

struct SegmentFile {
    file: File,
    fsync: bool,
}

impl Write for SegmentFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl TerminatingWrite for SegmentFile {
    fn terminate_ref(&mut self, _: AntiCallToken) -> io::Result<()> {
        if self.fsync { self.file.sync_data() } else { Ok(()) }
    }
}

impl Directory for IndexDirectory {
    fn get_file_handle(&self, path: &Path) -> Result<Arc<dyn FileHandle>, OpenReadError> {
        let mut open = self.open.lock().map_err(|_| {
            OpenReadError::wrap_io_error(io::Error::other("an earlier read panicked"), path.to_path_buf())
        })?;
        if let Some(file) = open.get(path).and_then(Weak::upgrade) {
            return Ok(file);
        }
        let file = files::open(&self.root.join(path)).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => OpenReadError::FileDoesNotExist(path.to_path_buf()),
            _ => OpenReadError::wrap_io_error(error, path.to_path_buf()),
        })?;
        open.retain(|_, file| file.strong_count() > 0);
        open.insert(path.to_path_buf(), Arc::downgrade(&file));
        Ok(file)
    }

    fn delete(&self, path: &Path) -> Result<(), DeleteError> {
        self.inner.delete(path)
    }

    fn exists(&self, path: &Path) -> Result<bool, OpenReadError> {
        self.inner.exists(path)
    }

    fn open_write(&self, path: &Path) -> Result<WritePtr, OpenWriteError> {
        let opened = OpenOptions::new().write(true).create_new(true).open(self.root.join(path));
        match opened {
            Ok(file) => Ok(BufWriter::new(Box::new(SegmentFile { file, fsync: self.fsync }))),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                Err(OpenWriteError::FileAlreadyExists(path.to_path_buf()))
            }
            Err(error) => Err(OpenWriteError::wrap_io_error(error, path.to_path_buf())),
        }
    }

    fn atomic_read(&self, path: &Path) -> Result<Vec<u8>, OpenReadError> {
        self.inner.atomic_read(path)
    }

    /// One process writes at a time (it holds the writer's lock), and each file is only ever replaced by one
    /// of its threads at a time, so a temporary name of its own is enough.
    fn atomic_write(&self, path: &Path, data: &[u8]) -> io::Result<()> {
        let temporary = self.root.join(format!(".{}.new", path.display()));
        let mut file = File::create(&temporary)?;
        file.write_all(data)?;
        if self.fsync {
            file.sync_data()?;
        }
        std::fs::rename(&temporary, self.root.join(path))
    }

    fn sync_directory(&self) -> io::Result<()> {
        if self.fsync { self.inner.sync_directory() } else { Ok(()) }
    }

    fn acquire_lock(&self, lock: &Lock) -> Result<DirectoryLock, LockError> {
        self.inner.acquire_lock(lock)
    }

    fn watch(&self, callback: WatchCallback) -> tantivy::Result<WatchHandle> {
        self.inner.watch(callback)
    }
}
