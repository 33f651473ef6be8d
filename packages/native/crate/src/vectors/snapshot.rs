//! A table in a file, so that a start need not read the floats and round them again. Each row stands there with what it
//! was made of, so that its reader can tell which rows still hold. A file that is damaged, cut off or of another kind is as
//! good as none: all in it is derived.
//!
//! Little-endian: magic, dimensions, length of the label, label; then runs of rows, each its number of rows, the rows'
//! numbers, notes, scales and keys, and their integers; a run of no rows; CRC-32 of all before it.

use std::fs::{self, File};
use std::io::{self, BufReader, Read, Write};
use std::path::Path;
use std::sync::RwLock;

use crc32fast::Hasher;

use super::block::{Key, ROWS};
use super::integers::{LANES, RowLane};
use super::table::Table;
use crate::failure::{Failure, Outcome};

/// The last byte grows when the format changes.
const MAGIC: &[u8; 8] = b"grovevs\x01";
/// Bytes of a row besides its integers: number, note, scale, key.
const ROW_BYTES: usize = 4 + 4 + 4 + size_of::<Key>();
const LONGEST_LABEL: usize = 4096;

/// Writes the rows to `path` by way of a file beside it. The table is locked for a block at a time, so that a search or
/// a change waits for a copy in memory at most: a row that moves meanwhile may be left out or be there twice, the later
/// one as it is now. Not synced: what the disk loses is found out by the checksum.
pub fn save(table: &RwLock<Table>, path: &Path, label: &str) -> Outcome<()> {
    let mut fresh = path.as_os_str().to_owned();
    fresh.push(".new");
    let fresh = Path::new(&fresh);
    let written = write(table, fresh, label).and_then(|()| fs::rename(fresh, path));
    written.map_err(|error| {
        let _ = fs::remove_file(fresh);
        Failure::new("snapshot_failed", format!("The rows cannot be written to a file: {error}."))
    })
}

fn write(table: &RwLock<Table>, path: &Path, label: &str) -> io::Result<()> {
    let mut file = File::create(path)?;
    let mut hasher = Hasher::new();
    let mut put = |bytes: &[u8]| {
        hasher.update(bytes);
        file.write_all(bytes)
    };
    put(MAGIC)?;
    put(&(read(table)?.dimensions as u32).to_le_bytes())?;
    put(&(label.len() as u32).to_le_bytes())?;
    put(label.as_bytes())?;
    let mut run = Vec::new();
    for at in 0.. {
        run.clear();
        if !copy_block(&*read(table)?, at, &mut run) {
            break;
        }
        put(&run)?;
    }
    put(&0u32.to_le_bytes())?;
    file.write_all(&hasher.finalize().to_le_bytes())
}

fn read(table: &RwLock<Table>) -> io::Result<std::sync::RwLockReadGuard<'_, Table>> {
    table.read().map_err(|_| io::Error::other("an earlier call panicked"))
}

/// False behind the last block.
fn copy_block(table: &Table, at: usize, run: &mut Vec<u8>) -> bool {
    let Some(block) = table.blocks.get(at).filter(|block| !block.slots.is_empty()) else { return false };
    run.extend((block.slots.len() as u32).to_le_bytes());
    for (slot, key) in block.slots.iter().zip(&block.keys) {
        run.extend(slot.row.to_le_bytes());
        run.extend(slot.note.to_le_bytes());
        run.extend(slot.scale.to_le_bytes());
        run.extend(key);
    }
    run.extend(block.lanes.iter().flat_map(|lane| lane.0).map(|integer| integer as u8));
    true
}

/// The table that was saved under this label; `None` when there is none that is whole and of these dimensions.
pub fn load(path: &Path, label: &str, dimensions: usize) -> Option<Table> {
    let file = File::open(path).ok()?;
    let mut source = Source { file: BufReader::with_capacity(1 << 16, file), hasher: Hasher::new() };
    let mut start = [0; 16];
    source.fill(&mut start)?;
    if start[..8] != MAGIC[..] || number(&start[8..]) as usize != dimensions {
        return None;
    }
    let length = number(&start[12..]) as usize;
    if length > LONGEST_LABEL || source.bytes(length)? != label.as_bytes() {
        return None;
    }
    let mut table = Table::new(dimensions);
    let lanes = table.lanes;
    let mut row_lanes = vec![RowLane([0; LANES]); lanes];
    loop {
        let mut count = [0; 4];
        source.fill(&mut count)?;
        let count = number(&count) as usize;
        if count > ROWS {
            return None;
        }
        if count == 0 {
            break;
        }
        let (rows, integers) = (source.bytes(count * ROW_BYTES)?, source.bytes(count * lanes * LANES)?);
        for (row, integers) in rows.chunks_exact(ROW_BYTES).zip(integers.chunks_exact(lanes * LANES)) {
            for (lane, bytes) in row_lanes.iter_mut().zip(integers.chunks_exact(LANES)) {
                for (integer, &byte) in lane.0.iter_mut().zip(bytes) {
                    *integer = byte as i8;
                }
            }
            let key: &Key = row[12..].first_chunk()?;
            let scale = f32::from_bits(number(&row[8..]));
            table.upsert(number(row), number(&row[4..]), key, scale, &row_lanes);
        }
    }
    let wanted = source.hasher.clone().finalize();
    let mut checksum = [0; 4];
    source.file.read_exact(&mut checksum).ok()?;
    (number(&checksum) == wanted).then_some(table)
}

/// The first four bytes as a number.
fn number(bytes: &[u8]) -> u32 {
    bytes.first_chunk().map_or(0, |four| u32::from_le_bytes(*four))
}

struct Source {
    file: BufReader<File>,
    hasher: Hasher,
}

impl Source {
    fn fill(&mut self, bytes: &mut [u8]) -> Option<()> {
        self.file.read_exact(bytes).ok()?;
        self.hasher.update(bytes);
        Some(())
    }

    fn bytes(&mut self, length: usize) -> Option<Vec<u8>> {
        let mut bytes = vec![0; length];
        self.fill(&mut bytes)?;
        Some(bytes)
    }
}
