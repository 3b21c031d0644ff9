//! The tables of the store.
//!
//! **Invariant:** the statements run on PostgreSQL as they do on SQLite.

/// The version of the tables. A store with a higher one is refused.
pub(super) const VERSION: i64 = 1;

/// Makes the tables.
pub(super) const CREATE: &str = "
CREATE TABLE meta (name TEXT PRIMARY KEY, value BIGINT NOT NULL);
CREATE TABLE campaign (
    id BIGINT PRIMARY KEY, name TEXT NOT NULL, digest TEXT NOT NULL, seed TEXT NOT NULL, scheme TEXT NOT NULL,
    checked BIGINT NOT NULL, next BIGINT NOT NULL, goal BIGINT, report TEXT, changed BIGINT NOT NULL,
    UNIQUE (name, digest, seed, scheme));
CREATE TABLE shard (
    campaign BIGINT NOT NULL, first BIGINT NOT NULL, count BIGINT NOT NULL, state TEXT NOT NULL,
    marks BYTEA, micros BIGINT NOT NULL, PRIMARY KEY (campaign, first));
CREATE TABLE failure (
    id BIGINT PRIMARY KEY, campaign BIGINT NOT NULL, number BIGINT, signature TEXT NOT NULL,
    merged_into BIGINT, reduced BYTEA, reduced_by TEXT, happened TEXT, signatures TEXT,
    UNIQUE (campaign, signature));
CREATE TABLE sighting (
    failure BIGINT NOT NULL, test BIGINT NOT NULL, target TEXT NOT NULL, input BYTEA NOT NULL,
    flags TEXT NOT NULL, happened TEXT NOT NULL, PRIMARY KEY (failure, test, target));
CREATE TABLE rejection (
    campaign BIGINT NOT NULL, target TEXT NOT NULL, message TEXT NOT NULL, count BIGINT NOT NULL,
    PRIMARY KEY (campaign, target, message));
";
