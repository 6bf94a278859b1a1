package store

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"slices"

	"assay/store/archive"
)

// An archive of one organization has the members of the organization, and the accounts of its people as they are in the
// exporting database. A person whose address has an account in the importing database gets one more membership of that
// account, with the name, the password, and the second factors there. So what belongs to accounts is not compared.

// ofAccounts are the columns of users that are the same in all memberships of a person.
var ofAccounts = []string{
	"name", "email", "email_key", "password_hash", "unproved", "proof_expires_at", "person_id", "entered_at",
}

// isOfAccounts reports whether a table has rows of accounts, and not of organizations.
func isOfAccounts(table archive.Table) bool {
	return table.Name == secondFactors || table.Name == recoveryCodesTable
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

// noteMember notes which member has an account of an archive of one organization.
func (i *archiveImport) noteMember(table archive.Table, line []byte) error {
	id, personID := table.Column("id"), table.Column("person_id")
	if i.manifest.All || id < 0 || personID < 0 {
		return nil
	}
	values, err := archive.ParseRow(line, table.Columns)
	if err != nil {
		return err
	}
	member, _ := values[id].(string)
	if person, ok := values[personID].(string); ok {
		i.memberOf[person] = member
	}
	return nil
}

// ofPeople returns the rows of a table with the accounts that people have here.
func (i *archiveImport) ofPeople(
	ctx context.Context, c conn, table archive.Table, batch []importRow,
) ([]importRow, error) {
	switch {
	case i.manifest.All:
		return batch, nil
	case table.Name == "users":
		return c.withAccounts(ctx, Scope{OrganizationID: i.manifest.Organizations[0].ID}, table, batch)
	case isOfAccounts(table):
		return i.ofNewAccounts(ctx, c, table, batch)
	}
	return batch, nil
}

// ofNewAccounts returns the second factors and recovery codes of the accounts that the import has made. The others
// are left out: an account that was here before keeps its own.
func (i *archiveImport) ofNewAccounts(
	ctx context.Context, c conn, table archive.Table, batch []importRow,
) ([]importRow, error) {
	rows := make([]importRow, 0, len(batch))
	for _, row := range batch {
		values, column := slices.Clone(row.values), table.Column("person_id")
		archived, _ := values[column].(string)
		var personID string
		err := c.Get(ctx, &personID, `
			SELECT person_id FROM users WHERE organization_id = ? AND id = ? AND removed_at IS NULL AND NOT EXISTS (
				SELECT 1 FROM users o WHERE o.person_id = users.person_id AND o.id <> users.id)`,
			i.manifest.Organizations[0].ID, i.memberOf[archived])
		if errors.Is(err, sql.ErrNoRows) {
			continue
		}
		if err != nil {
			return nil, err
		}
		values[column] = personID
		line, err := archive.AppendRow(nil, table.Columns, values)
		if err != nil {
			return nil, err
		}
		rows = append(rows, importRow{line, values})
	}
	return rows, nil
}

// withAccounts gives the members of an archive of one organization the accounts that their addresses have here, or new
// accounts. An unproved account can be a stranger's, so it loses the address, as it does for an invitation.
func (c conn) withAccounts(
	ctx context.Context, scope Scope, table archive.Table, batch []importRow,
) ([]importRow, error) {
	members := make([]importRow, 0, len(batch))
	for _, row := range batch {
		values := slices.Clone(row.values)
		of := func(column string) *any { return &values[table.Column(column)] }
		id, _ := (*of("id")).(string)
		email, _ := (*of("email")).(string)
		person, _ := (*of("person_id")).(string)
		*of("entered_at"), *of("person_id"), *of("email_key") = nil, id, id
		members = append(members, importRow{row.line, values})
		if *of("removed_at") != nil {
			continue
		}
		account, err := c.accountOf(ctx, email)
		if err == nil && account.ID != id && account.Unproved {
			if err := c.displace(ctx, scope, email, c.store.Now()); err != nil {
				return nil, err
			}
			account, err = c.accountOf(ctx, email)
		}
		switch {
		case err == nil && account.ID == id: // this row is there already
			*of("person_id"), *of("email_key") = account.PersonID, emailKey(email)
		case errors.Is(err, sql.ErrNoRows):
			*of("email_key") = emailKey(email)
			if *of("person_id"), err = c.newPerson(ctx, id, person); err != nil {
				return nil, err
			}
		case err != nil:
			return nil, err
		case account.Unproved:
			return nil, refuseImport("the address %s of %s has an account here whose address is not proved, and which is "+
				"the only OWNER of an organization with other members: remove it first", email, rowName(table, row.values))
		default:
			*of("person_id"), *of("name"), *of("email") = account.PersonID, account.Name, account.Email
			*of("password_hash"), *of("unproved"), *of("proof_expires_at") = account.PasswordHash, false, nil
		}
	}
	return members, nil
}

// newPerson returns the id of a person without an account here. It stays the same, because passkeys contain it, unless
// another person has it.
func (c conn) newPerson(ctx context.Context, memberID, personID string) (string, error) {
	var taken bool
	err := c.Get(ctx, &taken, `SELECT EXISTS (SELECT 1 FROM users WHERE person_id = ? AND id <> ?)`, personID, memberID)
	if taken {
		personID = c.store.NewID("per")
	}
	return personID, err
}
