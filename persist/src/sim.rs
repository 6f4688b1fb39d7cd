//! A disk for tests that can fail or lose power at any call, and a small generator of random numbers.

use crate::disk::{Disk, Listed};
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};

/// Numbers that are the same for the same seed (splitmix64).
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// A number below `bound`; 0 for a bound of 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % bound.max(1)
    }
}

/// What a power cut leaves of what was not synced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Loss {
    /// Nothing.
    All,
    /// The names up to some change; of the data some 512-byte blocks.
    Torn,
    /// Any of the name changes, in any order; of the data some blocks and any length.
    Reordered,
}

#[derive(Debug, Clone, Default)]
struct Inode {
    durable: Vec<u8>,
    data: Vec<u8>,
    modified_ms: u64,
}

#[derive(Debug, Clone)]
struct NameChange {
    set: Option<(PathBuf, usize)>,
    unset: Option<PathBuf>,
}

impl NameChange {
    fn apply(&self, names: &mut BTreeMap<PathBuf, usize>) {
        self.unset.as_ref().map(|name| names.remove(name));
        self.set.clone().map(|(name, inode)| names.insert(name, inode));
    }
}

#[derive(Default)]
pub struct State {
    inodes: Vec<Inode>,
    names: BTreeMap<PathBuf, usize>,
    durable: BTreeMap<PathBuf, usize>,
    pending: Vec<NameChange>,
    /// Calls so far that change the disk.
    pub calls: u64,
    /// The call at which the power goes, and for ever after.
    pub cut_at: Option<u64>,
    /// Numbers of the calls that fail; a write that does leaves half of its bytes.
    pub fail: std::ops::Range<u64>,
    /// What the failing calls say; nothing is a full disk.
    pub error: Option<i32>,
    /// Renames so far.
    pub renames: u64,
    /// Time of new files.
    pub now_ms: u64,
}

/// A disk in memory. Clones are the same disk.
#[derive(Clone, Default)]
pub struct SimDisk(Arc<Mutex<State>>);

impl SimDisk {
    pub fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap()
    }

    /// Puts a file there, whole and durable.
    pub fn plant(&self, path: &Path, bytes: &[u8]) {
        let mut state = self.state();
        let inode = state.inodes.len();
        let now_ms = state.now_ms;
        state.inodes.push(Inode { durable: bytes.to_vec(), data: bytes.to_vec(), modified_ms: now_ms });
        state.names.insert(path.to_owned(), inode);
        state.durable.insert(path.to_owned(), inode);
    }

    /// Names of all files.
    pub fn names(&self) -> Vec<PathBuf> {
        self.state().names.keys().cloned().collect()
    }

    /// The disk as it is found after the power cut.
    pub fn after_cut(&self, loss: Loss, random: &mut Random) -> SimDisk {
        let state = self.state();
        let mut names = state.durable.clone();
        match loss {
            Loss::All => {}
            Loss::Torn => {
                let kept = random.below(state.pending.len() as u64 + 1) as usize;
                state.pending[..kept].iter().for_each(|change| change.apply(&mut names));
            }
            Loss::Reordered => {
                let mut left = state.pending.clone();
                while !left.is_empty() {
                    let change = left.swap_remove(random.below(left.len() as u64) as usize);
                    if random.below(2) == 0 {
                        change.apply(&mut names);
                    }
                }
            }
        }
        let found = SimDisk::default();
        for (name, inode) in names {
            found.plant(&name, &surviving(&state.inodes[inode], loss, random));
        }
        found
    }

    // Counts a call; an error when it is to fail. The second value is whether the power went just now.
    fn call(&self) -> (MutexGuard<'_, State>, io::Result<()>, bool) {
        let mut state = self.state();
        let number = state.calls;
        state.calls += 1;
        let cut = state.cut_at.is_some_and(|at| number >= at);
        let result = if cut {
            Err(io::Error::other("no power"))
        } else if state.fail.contains(&number) {
            Err(state.error.map_or(io::ErrorKind::StorageFull.into(), io::Error::from_raw_os_error))
        } else {
            Ok(())
        };
        let now = state.cut_at == Some(number);
        (state, result, now)
    }
}

fn surviving(inode: &Inode, loss: Loss, random: &mut Random) -> Vec<u8> {
    if inode.data == inode.durable || loss == Loss::All {
        return inode.durable.clone();
    }
    let mut bytes = inode.durable.clone();
    bytes.resize(inode.data.len(), 0);
    for (block, data) in bytes.chunks_mut(512).zip(inode.data.chunks(512)) {
        if random.below(2) == 0 {
            block.copy_from_slice(data);
        }
    }
    if loss == Loss::Reordered {
        bytes.truncate(random.below(bytes.len() as u64 + 1) as usize);
    }
    bytes
}

fn missing() -> io::Error {
    io::Error::from(io::ErrorKind::NotFound)
}

impl Disk for SimDisk {
    fn make_dir(&mut self, _path: &Path) -> io::Result<()> {
        Ok(())
    }

    fn list(&mut self, directory: &Path) -> io::Result<Vec<Listed>> {
        let state = self.state();
        let here = state.names.iter().filter(|(name, _)| name.parent() == Some(directory));
        Ok(here
            .map(|(name, &inode)| Listed {
                name: name.file_name().unwrap().to_str().unwrap().into(),
                modified_ms: state.inodes[inode].modified_ms,
                bytes: state.inodes[inode].data.len() as u64,
            })
            .collect())
    }

    fn read(&mut self, path: &Path, limit: u64) -> io::Result<Vec<u8>> {
        let state = self.state();
        let inode = *state.names.get(path).ok_or_else(missing)?;
        let data = state.inodes[inode].data.clone();
        if data.len() as u64 > limit { Err(io::Error::from(io::ErrorKind::InvalidData)) } else { Ok(data) }
    }

    // The call at which the power goes may still have had its effect in memory, from where some may survive.
    fn write_new(&mut self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let (mut state, result, now) = self.call();
        if result.is_err() && state.cut_at.is_some() && !now {
            return result;
        }
        if state.names.contains_key(path) {
            return Err(io::Error::from(io::ErrorKind::AlreadyExists));
        }
        let data = if result.is_ok() { bytes.to_vec() } else { bytes[..bytes.len() / 2].to_vec() };
        let (inode, modified_ms) = (state.inodes.len(), state.now_ms);
        state.inodes.push(Inode { durable: Vec::new(), data, modified_ms });
        state.names.insert(path.to_owned(), inode);
        state.pending.push(NameChange { set: Some((path.to_owned(), inode)), unset: None });
        result
    }

    fn sync(&mut self, path: &Path) -> io::Result<()> {
        let (mut state, result, _) = self.call();
        result?;
        let inode = *state.names.get(path).ok_or_else(missing)?;
        state.inodes[inode].durable = state.inodes[inode].data.clone();
        Ok(())
    }

    fn rename(&mut self, from: &Path, to: &Path) -> io::Result<()> {
        let (mut state, result, now) = self.call();
        if result.is_err() && !now {
            return result;
        }
        let inode = *state.names.get(from).ok_or_else(missing)?;
        let change = NameChange { set: Some((to.to_owned(), inode)), unset: Some(from.to_owned()) };
        change.apply(&mut state.names);
        state.pending.push(change);
        state.renames += 1;
        result
    }

    fn remove(&mut self, path: &Path) -> io::Result<()> {
        let (mut state, result, now) = self.call();
        if result.is_err() && !now {
            return result;
        }
        state.names.remove(path).ok_or_else(missing)?;
        state.pending.push(NameChange { set: None, unset: Some(path.to_owned()) });
        result
    }

    fn sync_dir(&mut self, _directory: &Path) -> io::Result<()> {
        let (mut state, result, _) = self.call();
        result?;
        state.durable = state.names.clone();
        state.pending.clear();
        Ok(())
    }
}
