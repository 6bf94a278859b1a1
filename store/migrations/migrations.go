// Package migrations holds the schema of the database, one file per change. The
// files are written for PostgreSQL; store/internal/db translates them for SQLite.
// A released file can become faster, but its result never changes.
package migrations

import "embed"

// Files are the migrations.
//
//go:embed *.sql
var Files embed.FS
