package store

import (
	"bytes"
	"context"
	"database/sql"
	"errors"

	"assay/store/archive"
)

// An archive of one organization has the members of the organization, and the accounts of its people as they are in the
// exporting database. A person whose address has an account in the importing database gets one more membership of that
// account, with the name and the password there. So the columns of accounts are not compared.

// ofAccounts are the columns of users that are the same in all memberships of a person.
var ofAccounts = []string{
	"name", "email", "email_key", "password_hash", "unproved", "proof_expires_at", "person_id", "entered_at",
}

// withoutAccount returns a line of an archive as it is compared: in an archive of one organization, a member has no
// columns of accounts.
func withoutAccount(table archive.Table, all bool, line []byte) ([]byte, error) {
	if all || table.Name != "users" || len(line) == 0 {
		return line, nil
	}
	values, err := archive.ParseRow(line, table.Columns)
	if err != nil {
		return nil, err
	}
	for _, column := range ofAccounts {
		if n := table.Column(column); n >= 0 {
			values[n] = nil
		}
	}
	return archive.AppendRow(nil, table.Columns, values)
}

// isSameRow compares a row of the database with one of the archive.
func isSameRow(table archive.Table, all bool, present, line []byte) (bool, error) {
	present, err := withoutAccount(table, all, present)
	if err != nil {
		return false, err
	}
	line, err = withoutAccount(table, all, line)
	return bytes.Equal(present, line), err
}

// withAccounts gives the members of an archive of one organization the accounts that their addresses have here, or new
// accounts.
func (c conn) withAccounts(ctx context.Context, table archive.Table, batch []importRow) ([]importRow, error) {
	members := make([]importRow, 0, len(batch))
	for _, row := range batch {
		values := append([]any(nil), row.values...)
		of := func(column string) *any { return &values[table.Column(column)] }
		id, _ := (*of("id")).(string)
		email, _ := (*of("email")).(string)
		*of("entered_at") = nil
		var account struct {
			PersonID       string `db:"person_id"`
			ID             string `db:"id"`
			Name           string `db:"name"`
			Email          string `db:"email"`
			PasswordHash   string `db:"password_hash"`
			Unproved       bool   `db:"unproved"`
			ProofExpiresAt *Time  `db:"proof_expires_at"`
		}
		err := sql.ErrNoRows
		if *of("removed_at") == nil {
			*of("person_id"), *of("email_key") = personOf(id), emailKey(email)
			err = c.Get(ctx, &account, `
				SELECT id, person_id, name, email, password_hash, unproved, proof_expires_at FROM users WHERE email_key = ?`+
				c.store.db.ForNoKeyUpdate, emailKey(email))
		}
		switch {
		case errors.Is(err, sql.ErrNoRows):
		case err != nil:
			return nil, err
		case account.ID != id: // this row is not there already
			*of("person_id"), *of("email_key"), *of("name"), *of("email") = account.PersonID, id, account.Name, account.Email
			*of("password_hash"), *of("unproved"), *of("proof_expires_at") = account.PasswordHash, account.Unproved, nil
			if account.ProofExpiresAt != nil {
				*of("proof_expires_at") = account.ProofExpiresAt.Time
			}
		}
		members = append(members, importRow{row.line, values})
	}
	return members, nil
}
