package db

import (
	"context"
	"errors"
	"fmt"
)

// ErrNewerSchema means that a newer release has migrated the database, and that its schema does not support this one.
// The error is a *NewerSchemaError.
var ErrNewerSchema = errors.New("db: the database has a newer schema")

// NewerSchemaError is an ErrNewerSchema with the versions.
type NewerSchemaError struct {
	Release   string // of this binary
	Known     int64  // the newest schema that it knows
	Schema    int64  // of the database
	Oldest    int64  // the oldest schema whose binaries can use that of the database; 0 if the database does not say
	NewerThan string // the release that has migrated the database, or ""
}

// Error implements error.
func (e *NewerSchemaError) Error() string {
	newer, oldest := e.NewerThan, "it does not say which older releases it supports"
	if newer == "" {
		newer = "a newer release"
	} else {
		newer = "assay " + newer
	}
	if e.Oldest > 0 {
		oldest = "it supports releases that know schema " + schemaNumber(e.Oldest) + " or a later one"
	}
	return fmt.Sprintf("the database is too new for assay %s, which knows schema %s: %s has migrated it to schema %s, "+
		"and %s. Run %s or a later release, or restore a backup from before the upgrade",
		e.Release, schemaNumber(e.Known), newer, schemaNumber(e.Schema), oldest, newer)
}

// Is makes errors.Is find ErrNewerSchema.
func (e *NewerSchemaError) Is(target error) bool { return target == ErrNewerSchema }

// supports fails with ErrNewerSchema if the database has migrations above the newest known one that do not support a
// binary of that schema. A migration that says nothing supports none.
func (d *DB) supports(ctx context.Context, c Conn, known int64) error {
	var newer []int64
	if err := c.List(ctx, &newer, `
		SELECT version_id FROM goose_db_version WHERE is_applied AND version_id > ? ORDER BY version_id`,
		known); err != nil || len(newer) == 0 {
		return err
	}
	e := &NewerSchemaError{Release: d.release, Known: known, Schema: newer[len(newer)-1]}
	var says []struct {
		Oldest  int64
		Release string
	}
	// Each migration with a higher number than this binary's comes from a release that has the table.
	if err := c.List(ctx, &says, `
		SELECT oldest, release FROM schema_support WHERE version > ? ORDER BY version`, known); err != nil {
		return errors.Join(e, err)
	}
	for _, says := range says {
		e.Oldest, e.NewerThan = max(e.Oldest, says.Oldest), says.Release
	}
	if len(says) == len(newer) && e.Oldest <= known {
		return nil
	}
	return e
}
