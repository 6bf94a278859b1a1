package db

import (
	"database/sql"
	"path/filepath"
)

// Stats are figures for metrics. Reading them uses no connection.
type Stats struct {
	Pools   []PoolStats
	Replica *ReplicaStats // nil without a ReadURL
	Disk    *DiskStats    // nil unless the database is a SQLite file on a system that tells its free space
}

// PoolStats are the connections of one pool.
type PoolStats struct {
	Name string // requests, dispatcher, or replica on PostgreSQL; write or read on SQLite
	sql.DBStats
}

// ReplicaStats say how reads of the replica go.
type ReplicaStats struct {
	Usable    bool
	Fallbacks uint64 // reads that failed on the replica and were repeated on the primary
}

// DiskStats are bytes of the file system that has the database's file.
type DiskStats struct {
	Free uint64 // without what is reserved for the superuser
	Size uint64
}

// Stats returns the present figures.
func (d *DB) Stats() Stats {
	var out Stats
	if d.goose == "postgres" {
		out.Pools = []PoolStats{{"requests", d.writer.Stats()}, {"dispatcher", d.dispatcher.Stats()}}
	} else {
		out.Pools = []PoolStats{{"write", d.writer.Stats()}}
		if d.reader != d.writer { // a database in memory has one connection
			out.Pools = append(out.Pools, PoolStats{"read", d.reader.Stats()})
		}
	}
	if d.replica != nil {
		out.Pools = append(out.Pools, PoolStats{"replica", d.replica.pool.Stats()})
		out.Replica = &ReplicaStats{Usable: d.replica.usable.Load(), Fallbacks: d.replica.fallbacks.Load()}
	}
	if lite, ok := d.engine.(sqliteEngine); ok && lite.file != "" {
		if disk, ok := diskOf(filepath.Dir(lite.file)); ok {
			out.Disk = &disk
		}
	}
	return out
}
