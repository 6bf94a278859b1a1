package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"assay/store/archive"
	"assay/store/keys"
)

// The statements of archives are built from the list of tables: each is the same for all of them, and written out they
// would be seventy copies that could differ.

// notedAt is the column with the time of the last change by the clock of the database. Triggers set it.
const notedAt = "noted_at"

// archiveColumn is the expression that reads a column of the table t.
func (s *Store) archiveColumn(table archive.Table, column string) string {
	if table.Name == "candidate_sessions" && column == notedAt && s.hasSessionChanges() {
		return `COALESCE((SELECT c.noted_at FROM candidate_session_changes c WHERE c.organization = t.organization_id
			AND c.changed_at = t.updated_at AND c.session_id = t.id), CAST('1970-01-01 00:00:00+00' AS TIMESTAMPTZ))`
	}
	return "t." + column
}

// selectArchived reads all columns of rows.
func (s *Store) selectArchived(table archive.Table, where string) string {
	columns := make([]string, 0, len(table.Columns))
	for _, column := range table.Columns {
		columns = append(columns, s.archiveColumn(table, column.Name))
	}
	return fmt.Sprintf(`SELECT %s FROM %s t WHERE %s`, strings.Join(columns, ", "), table.Name, where)
}

// selectTable reads the rows of a table in the order of the archive: those of an organization, or all if there is no
// parameter.
func (s *Store) selectTable(table archive.Table, organizationID string) (query string, args []any) {
	where := "TRUE"
	if organizationID != "" {
		where, args = archivedWhere(table.Name), []any{organizationID}
	}
	order := make([]string, 0, len(table.Key))
	for _, key := range table.Key {
		if table.Columns[table.Column(key)].Kind == archive.Text {
			key += s.db.Bytewise
		}
		order = append(order, key)
	}
	return s.selectArchived(table, where) + ` ORDER BY ` + strings.Join(order, ", "), args
}

// archivedWhere is the condition that finds an organization's rows of a table.
func archivedWhere(table string) string {
	if where, special := archivedOfOrganization[table]; special {
		return where
	}
	return `organization_id = ?`
}

// isKey is the condition that finds one row of a table.
func isKey(table archive.Table) string { return strings.Join(table.Key, " = ? AND ") + " = ?" }

// keyOf returns the values of a row's key.
func keyOf(table archive.Table, row []any) []any {
	key := make([]any, 0, len(table.Key))
	for _, name := range table.Key {
		key = append(key, row[table.Column(name)])
	}
	return key
}

// rowName names a row in a message.
func rowName(table archive.Table, row []any) string {
	names := make([]string, 0, len(table.Key))
	for _, value := range keyOf(table, row) {
		if content, ok := value.([]byte); ok {
			names = append(names, fmt.Sprintf("%x", content))
		} else {
			names = append(names, fmt.Sprint(value))
		}
	}
	return fmt.Sprintf("%s of %s", strings.Join(names, "/"), table.Name)
}

// ErrSecretsLost means that an active endpoint or connection has a secret that no master secret decrypts.
var ErrSecretsLost = errors.New("no master secret decrypts the secrets of")

// archiveRows calls each with every row of a table as a line of the archive, which is valid until each returns.
func (s *Store) archiveRows(
	ctx context.Context, c conn, table archive.Table, organizationID string, each func(line []byte) error,
) (err error) {
	query, args := s.selectTable(table, organizationID)
	rows, err := c.Rows(ctx, query, args...)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	values, dest := make([]any, len(table.Columns)), make([]any, len(table.Columns))
	for i := range values {
		dest[i] = &values[i]
	}
	var line []byte
	var lost []string
	for rows.Next() {
		if err := rows.Scan(dest...); err != nil {
			return err
		}
		if line, err = s.archiveLine(line[:0], table, values); errors.Is(err, keys.ErrSealed) {
			lost = append(lost, rowName(table, values))
			continue
		} else if err != nil {
			return fmt.Errorf("%s: %w", rowName(table, values), err)
		}
		if err := each(line); err != nil {
			return err
		}
	}
	if err := rows.Err(); err != nil {
		return err
	}
	if lost != nil {
		return fmt.Errorf("%w %s: replace them, or delete the endpoints and connections", ErrSecretsLost,
			strings.Join(lost, ", "))
	}
	return nil
}

// archiveLine appends a row that the database has returned, with its secrets decrypted. Error: keys.ErrSealed.
func (s *Store) archiveLine(line []byte, table archive.Table, values []any) (_ []byte, err error) {
	for i, column := range table.Columns {
		if column.Kind == archive.Secret && values[i] != nil {
			if values[i], err = s.openArchived(table, values, values[i]); err != nil {
				return nil, err
			}
		}
		if values[i], err = column.Kind.Stored(values[i]); err != nil {
			return nil, fmt.Errorf("column %s: %w", column.Name, err)
		}
	}
	return archive.AppendRow(line, table.Columns, values)
}

// openArchived decrypts a secret of a row. That of a deleted endpoint, which is not used any more, is "" if it is lost.
// Answers to voluntary questions that are lost become no answers, and second factors that are lost match no code.
// Otherwise they would make the export impossible, because nobody can replace them.
func (s *Store) openArchived(table archive.Table, row []any, sealed any) (string, error) {
	content, ok := sealed.([]byte)
	if !ok {
		return "", fmt.Errorf("%T is not a stored secret", sealed)
	}
	open := s.opts.Keys.OpenSecret
	switch table.Name {
	case groupAnswers:
		open = s.opts.Keys.OpenAnswers
	case secondFactors:
		open = s.opts.Keys.OpenTOTP
	case recoveryCodesTable, signInRecoveryCodes:
		open = s.opts.Keys.OpenRecoveryCode
	case signInProviders:
		open = s.opts.Keys.OpenClientSecret
	}
	secret, err := open(secretOwner(table, row), content)
	if deleted := table.Column("deleted_at"); errors.Is(err, keys.ErrSealed) && deleted >= 0 && row[deleted] != nil {
		return "", nil
	}
	if errors.Is(err, keys.ErrSealed) {
		switch table.Name {
		case groupAnswers:
			return "{}", nil
		case secondFactors, recoveryCodesTable, signInRecoveryCodes, signInProviders: // they can be replaced
			return "", nil
		}
	}
	return secret, err
}

// sealArchived encrypts the secrets of a row of an archive with the master secret, in a copy of the row.
func (s *Store) sealArchived(table archive.Table, row []any) ([]any, error) {
	sealed := row
	for i, column := range table.Columns {
		if column.Kind != archive.Secret || row[i] == nil {
			continue
		}
		if &sealed[0] == &row[0] {
			sealed = slices.Clone(row)
		}
		seal := s.opts.Keys.SealSecret
		switch table.Name {
		case groupAnswers:
			seal = s.opts.Keys.SealAnswers
		case secondFactors:
			seal = s.opts.Keys.SealTOTP
		case recoveryCodesTable, signInRecoveryCodes:
			seal = s.opts.Keys.SealRecoveryCode
		case signInProviders:
			seal = s.opts.Keys.SealClientSecret
		}
		content, err := seal(secretOwner(table, row), row[i].(string))
		if err != nil {
			return nil, err
		}
		sealed[i] = content
	}
	return sealed, nil
}

// secretOwner is what binds an encrypted secret to its row.
func secretOwner(table archive.Table, row []any) string {
	text := func(column string) string { return fmt.Sprint(row[table.Column(column)]) }
	switch table.Name {
	case "integrations":
		return integrationSecretID(text("organization_id"), Partner(text("partner")))
	case groupAnswers:
		return text("session_id")
	}
	return text("id")
}

// presentLine returns the row of the database with the key of a row, as a line of the archive, or nil.
func (c conn) presentLine(ctx context.Context, table archive.Table, row []any) (line []byte, err error) {
	rows, err := c.Rows(ctx, c.store.selectArchived(table, isKey(table)), keyOf(table, row)...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	if !rows.Next() {
		return nil, rows.Err()
	}
	values, dest := make([]any, len(table.Columns)), make([]any, len(table.Columns))
	for i := range values {
		dest[i] = &values[i]
	}
	if err := rows.Scan(dest...); err != nil {
		return nil, err
	}
	line, err = c.store.archiveLine(nil, table, values)
	if errors.Is(err, keys.ErrSealed) { // not the secret of the archive, which is known
		return []byte{}, rows.Err()
	}
	return line, errors.Join(err, rows.Err())
}
