//! The store as a file of SQLite.
//!
//! **Invariant:** every method is one transaction. The process that has the lock is the only one that writes, so a
//! shard that is claimed when the store is opened belongs to a run that was killed, and is free again.

use super::outcome::{self, Mark};
use super::tables::{CREATE, VERSION};
use super::{Begun, Finished, Identity, Kept, Reduced, Shard, Sighting, Store, Work};
use crate::store::campaign::{Campaign, Rejection};
use anyhow::{Context, Result, anyhow, bail};
use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension, Transaction, params};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The file, in the folder of the store.
const FILE: &str = "store.sqlite";
/// The file whose lock says that a run goes on.
const LOCK: &str = "store.lock";
/// Inputs that are kept of each failure.
const MOST_INPUTS: i64 = 5;

/// A store in a folder.
#[derive(Debug)]
pub(crate) struct Sqlite {
    connection: Connection,
    path: PathBuf,
    /// Held while the store may be written.
    _lock: Option<File>,
}

impl Sqlite {
    /// Opens the store in a folder to run campaigns, and makes it if there is none.
    pub(crate) fn open(folder: &Path) -> Result<Sqlite> {
        fs::create_dir_all(folder).with_context(|| format!("{} cannot be made", folder.display()))?;
        let lock = locked(folder)?;
        let path = folder.join(FILE);
        let connection = Connection::open(&path).map_err(|error| trouble(&path, error))?;
        let mut store = Sqlite { connection, path, _lock: Some(lock) };
        store.prepare().map_err(|error| store.explained(error))?;
        Ok(store)
    }

    /// Opens the store in a folder to read it; `None` if there is none.
    pub(crate) fn read(folder: &Path) -> Result<Option<Sqlite>> {
        let path = folder.join(FILE);
        if !path.exists() {
            return Ok(None);
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(&path, flags).map_err(|error| trouble(&path, error))?;
        let store = Sqlite { connection, path, _lock: None };
        store.version().map_err(|error| store.explained(error))?;
        Ok(Some(store))
    }

    /// Makes the tables, or sees that they are ours; frees shards of runs that were killed.
    fn prepare(&mut self) -> Result<()> {
        self.connection.pragma_update(None, "journal_mode", "wal")?;
        self.connection.pragma_update(None, "synchronous", "normal")?;
        match self.version()? {
            None => {
                let transaction = self.connection.transaction()?;
                transaction.execute_batch(CREATE)?;
                transaction.execute("INSERT INTO meta (name, value) VALUES ('version', $1)", [VERSION])?;
                transaction.commit()?;
            }
            Some(_) => {
                self.connection.execute("UPDATE shard SET state = 'free' WHERE state = 'claimed'", [])?;
            }
        }
        Ok(())
    }

    /// Returns the version of the tables; `None` if there are none.
    fn version(&self) -> Result<Option<i64>> {
        let is_empty: i64 =
            self.connection.query_row("SELECT COUNT(*) FROM sqlite_master", [], |row| row.get(0))?;
        if is_empty == 0 {
            return Ok(None);
        }
        let version =
            self.connection
                .query_row("SELECT value FROM meta WHERE name = 'version'", [], |row| row.get(0))?;
        if version > VERSION {
            bail!(
                "{} was written by a newer cargo-bugnet (version {version} of the store; this one reads {VERSION}); \
                 update cargo-bugnet, or move the file away to begin anew",
                self.path.display()
            );
        }
        Ok(Some(version))
    }

    fn explained(&self, error: anyhow::Error) -> anyhow::Error {
        match error.downcast::<rusqlite::Error>() {
            Ok(error) => trouble(&self.path, error),
            Err(error) => error,
        }
    }

    /// Does something in one transaction.
    fn in_one<T>(&mut self, act: impl FnOnce(&Transaction<'_>) -> Result<T>) -> Result<T> {
        let path = self.path.clone();
        let once = || {
            let transaction = self.connection.transaction()?;
            let result = act(&transaction)?;
            transaction.commit()?;
            Ok(result)
        };
        once().map_err(|error: anyhow::Error| match error.downcast::<rusqlite::Error>() {
            Ok(error) => trouble(&path, error),
            Err(error) => error,
        })
    }
}

/// Takes the lock of the store.
fn locked(folder: &Path) -> Result<File> {
    let path = folder.join(LOCK);
    let file = File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(&path)
        .with_context(|| format!("{} cannot be written", path.display()))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(fs::TryLockError::WouldBlock) => {
            bail!("another run uses the store in {}; wait until it ends, or end it", folder.display())
        }
        Err(fs::TryLockError::Error(error)) => {
            Err(error).with_context(|| format!("{} cannot be locked", path.display()))
        }
    }
}

/// Says what is wrong with the file, and what to do.
fn trouble(path: &Path, error: rusqlite::Error) -> anyhow::Error {
    let path = path.display();
    match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => anyhow!(
            "{path} is damaged ({error}); move it away to begin anew: known failures are in bugnet-known.toml and \
             are not lost"
        ),
        Some(ErrorCode::DiskFull | ErrorCode::SystemIoFailure) => anyhow!(
            "{path} cannot be written ({error}); make room on the disk and run again: what was done before is kept"
        ),
        Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen) => {
            anyhow!(
                "{path} cannot be opened or written ({error}); look at the rights of the file and its folder"
            )
        }
        _ => anyhow!("{path}: {error}"),
    }
}

impl Store for Sqlite {
    fn campaign(&mut self, identity: &Identity) -> Result<Begun> {
        let Identity { name, digest, seed, scheme } = identity;
        let seed = seed.to_string();
        self.in_one(|sql| {
            let others: i64 = sql.query_row(
                "SELECT COUNT(*) FROM campaign WHERE name = $1 AND (digest <> $2 OR seed <> $3)",
                params![name, digest, seed],
                |row| row.get(0),
            )?;
            let has_others = others > 0;
            let found = sql
                .query_row(
                    "SELECT id, checked FROM campaign WHERE name = $1 AND digest = $2 AND seed = $3 AND scheme = $4",
                    params![name, digest, seed, scheme],
                    |row| Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?)),
                )
                .optional()?;
            if let Some((id, checked)) = found {
                let tests: i64 = sql.query_row(
                    "SELECT COALESCE(SUM(count), 0) FROM shard WHERE campaign = $1 AND state = 'finished'",
                    [id],
                    |row| row.get(0),
                )?;
                return Ok(Begun { id, tests: tests as u64, is_checked: checked != 0, has_others });
            }
            let id: i64 =
                sql.query_row("SELECT COALESCE(MAX(id), 0) + 1 FROM campaign", [], |row| row.get(0))?;
            sql.execute(
                "INSERT INTO campaign (id, name, digest, seed, scheme, checked, next, changed) \
                 VALUES ($1, $2, $3, $4, $5, 0, 0, 0)",
                params![id, name, digest, seed, scheme],
            )?;
            Ok(Begun { id, tests: 0, is_checked: false, has_others })
        })
    }

    fn forget(&mut self, campaign: i64) -> Result<()> {
        self.in_one(|sql| {
            sql.execute(
                "DELETE FROM sighting WHERE failure IN (SELECT id FROM failure WHERE campaign = $1)",
                [campaign],
            )?;
            for table in ["failure", "shard", "rejection"] {
                sql.execute(&format!("DELETE FROM {table} WHERE campaign = $1"), [campaign])?;
            }
            sql.execute(
                "UPDATE campaign SET next = 0, goal = NULL, report = NULL, checked = 0 WHERE id = $1",
                [campaign],
            )?;
            Ok(())
        })
    }

    fn set_checked(&mut self, campaign: i64) -> Result<()> {
        self.in_one(|sql| {
            sql.execute("UPDATE campaign SET checked = 1 WHERE id = $1", [campaign])?;
            Ok(())
        })
    }

    fn begin(&mut self, campaign: i64, tests: Option<u64>) -> Result<Option<u64>> {
        let Some(tests) = tests else { return Ok(None) };
        self.in_one(|sql| {
            let (next, goal): (i64, Option<i64>) =
                sql.query_row("SELECT next, goal FROM campaign WHERE id = $1", [campaign], |row| {
                    Ok((row.get(0)?, row.get(1)?))
                })?;
            // A goal that is still there is that of a run that was killed.
            let goal = goal.unwrap_or(next.saturating_add(tests.min(i64::MAX as u64) as i64));
            sql.execute("UPDATE campaign SET goal = $1 WHERE id = $2", [goal, campaign])?;
            Ok(Some(goal as u64))
        })
    }

    fn end(&mut self, campaign: i64) -> Result<()> {
        self.in_one(|sql| {
            sql.execute("UPDATE campaign SET goal = NULL WHERE id = $1", [campaign])?;
            Ok(())
        })
    }

    fn claim(&mut self, campaign: i64, most: u64, goal: Option<u64>) -> Result<Option<Shard>> {
        self.in_one(|sql| {
            let free = sql
                .query_row(
                    "SELECT first, count FROM shard WHERE campaign = $1 AND state = 'free' ORDER BY first LIMIT 1",
                    [campaign],
                    |row| Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?)),
                )
                .optional()?;
            if let Some((first, count)) = free {
                sql.execute(
                    "UPDATE shard SET state = 'claimed' WHERE campaign = $1 AND first = $2",
                    [campaign, first],
                )?;
                return Ok(Some(Shard { campaign, first: first as u64, count: count as u64 }));
            }
            let next: i64 =
                sql.query_row("SELECT next FROM campaign WHERE id = $1", [campaign], |row| row.get(0))?;
            let left = goal.map_or(most, |goal| goal.saturating_sub(next as u64));
            let count = most.min(left);
            if count == 0 {
                return Ok(None);
            }
            sql.execute(
                "INSERT INTO shard (campaign, first, count, state, micros) VALUES ($1, $2, $3, 'claimed', 0)",
                [campaign, next, count as i64],
            )?;
            sql.execute("UPDATE campaign SET next = $1 WHERE id = $2", [next + count as i64, campaign])?;
            Ok(Some(Shard { campaign, first: next as u64, count }))
        })
    }

    fn finish(&mut self, shard: &Shard, work: &Work) -> Result<Vec<String>> {
        self.in_one(|sql| {
            let (campaign, first) = (shard.campaign, shard.first as i64);
            let done = work.marks.len() as i64;
            let mut new = Vec::new();
            let mut marks = Vec::new();
            for test in &work.marks {
                let mut codes = Vec::new();
                for mark in test {
                    codes.push(match mark {
                        Mark::Passed => Mark::Passed,
                        Mark::Rejected => Mark::Rejected,
                        Mark::Failed(signature) => Mark::Failed(failure(sql, campaign, signature, &mut new)?),
                    });
                }
                marks.push(codes);
            }
            let was = if done == 0 { "free" } else { "finished" };
            let count = if done == 0 { shard.count as i64 } else { done };
            let changed = sql.execute(
                "UPDATE shard SET state = $1, count = $2, marks = $3, micros = $4 \
                 WHERE campaign = $5 AND first = $6 AND state = 'claimed'",
                params![was, count, outcome::written(&marks), work.processor.as_micros() as i64, campaign, first],
            )?;
            if changed != 1 {
                bail!("the shard at test {first} was finished by somebody else");
            }
            if done > 0 && (done as u64) < shard.count {
                sql.execute(
                    "INSERT INTO shard (campaign, first, count, state, micros) VALUES ($1, $2, $3, 'free', 0)",
                    [campaign, first + done, shard.count as i64 - done],
                )?;
            }
            for sighting in &work.sightings {
                see(sql, campaign, sighting, &mut new)?;
            }
            for (target, message, count) in &work.rejections {
                sql.execute(
                    "INSERT INTO rejection (campaign, target, message, count) VALUES ($1, $2, $3, $4) \
                     ON CONFLICT (campaign, target, message) DO UPDATE SET count = rejection.count + excluded.count",
                    params![campaign, target, message, *count as i64],
                )?;
            }
            Ok(new)
        })
    }

    fn finished(&mut self, campaign: i64) -> Result<Vec<Finished>> {
        self.in_one(|sql| {
            let mut statement = sql.prepare(
                "SELECT first, marks, micros FROM shard WHERE campaign = $1 AND state = 'finished' ORDER BY first",
            )?;
            let rows = statement.query_map([campaign], |row| {
                Ok((row.get::<_, i64>(0)?, row.get::<_, Vec<u8>>(1)?, row.get::<_, i64>(2)?))
            })?;
            let mut finished = Vec::new();
            for row in rows {
                let (first, marks, micros) = row?;
                let processor = Duration::from_micros(micros.max(0) as u64);
                finished.push(Finished { first: first as u64, marks: outcome::read(&marks)?, processor });
            }
            Ok(finished)
        })
    }

    fn failures(&mut self, campaign: i64) -> Result<Vec<Kept>> {
        self.in_one(|sql| {
            number(sql, campaign)?;
            let mut statement = sql.prepare(
                "SELECT id, number, signature, merged_into, reduced, reduced_by, happened, signatures FROM failure \
                 WHERE campaign = $1 ORDER BY number",
            )?;
            let rows = statement.query_map([campaign], |row| {
                let reduced = match row.get::<_, Option<Vec<u8>>>(4)? {
                    Some(input) => Some(Reduced {
                        input,
                        by: row.get::<_, Option<String>>(5)?.unwrap_or_default(),
                        happened: row.get::<_, Option<String>>(6)?.unwrap_or_default(),
                        signatures: row
                            .get::<_, Option<String>>(7)?
                            .unwrap_or_default()
                            .lines()
                            .map(str::to_string)
                            .collect(),
                    }),
                    None => None,
                };
                Ok(Kept {
                    id: row.get(0)?,
                    number: row.get::<_, i64>(1)? as u64,
                    signature: row.get(2)?,
                    sightings: Vec::new(),
                    reduced,
                    merged_into: row.get(3)?,
                })
            })?;
            let mut failures = rows.collect::<Result<Vec<Kept>, _>>()?;
            for failure in &mut failures {
                failure.sightings = sightings(sql, failure)?;
            }
            Ok(failures)
        })
    }

    fn rejections(&mut self, campaign: i64) -> Result<Vec<Rejection>> {
        self.in_one(|sql| {
            let mut statement = sql.prepare(
                "SELECT target, message, count FROM rejection WHERE campaign = $1 \
                 ORDER BY count DESC, target, message",
            )?;
            let rows = statement.query_map([campaign], |row| {
                Ok(Rejection {
                    target: row.get(0)?,
                    message: row.get(1)?,
                    count: row.get::<_, i64>(2)? as u64,
                })
            })?;
            Ok(rows.collect::<Result<_, _>>()?)
        })
    }

    fn keep_reduced(&mut self, failure: i64, reduced: &Reduced) -> Result<()> {
        self.in_one(|sql| {
            sql.execute(
                "UPDATE failure SET reduced = $1, reduced_by = $2, happened = $3, signatures = $4 WHERE id = $5",
                params![reduced.input, reduced.by, reduced.happened, reduced.signatures.join("\n"), failure],
            )?;
            Ok(())
        })
    }

    fn merge(&mut self, failure: i64, into: i64) -> Result<()> {
        self.in_one(|sql| {
            sql.execute("UPDATE failure SET merged_into = $1 WHERE id = $2", [into, failure])?;
            Ok(())
        })
    }

    fn keep_report(&mut self, campaign: i64, report: &Campaign) -> Result<()> {
        let text = serde_json::to_string(report)?;
        self.in_one(|sql| {
            sql.execute(
                "UPDATE campaign SET report = $1, changed = (SELECT MAX(changed) + 1 FROM campaign) WHERE id = $2",
                params![text, campaign],
            )?;
            Ok(())
        })
    }

    fn reports(&mut self) -> Result<Vec<Campaign>> {
        self.in_one(|sql| {
            let mut statement =
                sql.prepare("SELECT report FROM campaign WHERE report IS NOT NULL ORDER BY changed")?;
            let texts = statement.query_map([], |row| row.get::<_, String>(0))?;
            let read = |text: Result<String, rusqlite::Error>| Ok(serde_json::from_str(&text?)?);
            texts.map(read).collect()
        })
    }
}

/// Returns the number of a failure, and makes it if it is new.
fn failure(sql: &Transaction<'_>, campaign: i64, signature: &str, new: &mut Vec<String>) -> Result<i64> {
    let mut find = sql.prepare_cached("SELECT id FROM failure WHERE campaign = $1 AND signature = $2")?;
    if let Some(id) = find.query_row(params![campaign, signature], |row| row.get(0)).optional()? {
        return Ok(id);
    }
    let id: i64 = sql.query_row("SELECT COALESCE(MAX(id), 0) + 1 FROM failure", [], |row| row.get(0))?;
    sql.execute(
        "INSERT INTO failure (id, campaign, signature) VALUES ($1, $2, $3)",
        params![id, campaign, signature],
    )?;
    new.push(signature.to_string());
    Ok(id)
}

/// Keeps a failing input if it is among the first of its failure.
fn see(sql: &Transaction<'_>, campaign: i64, sighting: &Sighting, new: &mut Vec<String>) -> Result<()> {
    let id = failure(sql, campaign, &sighting.signature, new)?;
    sql.execute(
        "INSERT INTO sighting (failure, test, target, input, flags, happened) VALUES ($1, $2, $3, $4, $5, $6)",
        params![
            id,
            sighting.test as i64,
            sighting.target,
            sighting.input,
            sighting.flags,
            sighting.happened
        ],
    )?;
    sql.execute(
        "DELETE FROM sighting WHERE failure = $1 AND test > \
         (SELECT MAX(test) FROM (SELECT test FROM sighting WHERE failure = $1 ORDER BY test LIMIT $2) AS kept)",
        [id, MOST_INPUTS],
    )?;
    Ok(())
}

/// Gives numbers to the failures that have none, by their first tests.
fn number(sql: &Transaction<'_>, campaign: i64) -> Result<()> {
    let mut statement = sql.prepare(
        "SELECT failure.id FROM failure JOIN sighting ON sighting.failure = failure.id \
         WHERE campaign = $1 AND number IS NULL GROUP BY failure.id, signature ORDER BY MIN(test), signature",
    )?;
    let ids = statement.query_map([campaign], |row| row.get::<_, i64>(0))?.collect::<Result<Vec<_>, _>>()?;
    for id in ids {
        sql.execute(
            "UPDATE failure SET number = \
             (SELECT COALESCE(MAX(number), 0) + 1 FROM failure WHERE campaign = $1) WHERE id = $2",
            [campaign, id],
        )?;
    }
    Ok(())
}

fn sightings(sql: &Transaction<'_>, failure: &Kept) -> Result<Vec<Sighting>> {
    let mut statement = sql.prepare_cached(
        "SELECT test, target, input, flags, happened FROM sighting WHERE failure = $1 ORDER BY test, target",
    )?;
    let rows = statement.query_map([failure.id], |row| {
        Ok(Sighting {
            signature: failure.signature.clone(),
            test: row.get::<_, i64>(0)? as u64,
            target: row.get(1)?,
            input: row.get(2)?,
            flags: row.get(3)?,
            happened: row.get(4)?,
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}
