package db

import (
	"errors"
	"reflect"
	"testing"
	"time"
)

// Rows that share a statement are stored as rows alone are: with the same values, and with
// their dependents, if they are inserted themselves.
func TestInsertRowsTogether(t *testing.T) {
	t.Parallel()
	d := openURL(t, postgresURL(t))
	execute(t, d, `CREATE TABLE people (id TEXT PRIMARY KEY, name TEXT, age INTEGER, born TIMESTAMPTZ, alive BOOLEAN)`)
	execute(t, d, `CREATE TABLE letters (person TEXT, text TEXT)`)
	execute(t, d, `INSERT INTO people VALUES ('present', '', 0, now(), true)`)
	type person struct {
		Name  *string
		Age   int64
		Born  time.Time
		Alive bool
	}
	name, born := `Zoë "Ampère" 🙂 \ ?`, time.Date(2026, 2, 3, 4, 5, 6, 789_123_000, time.UTC)
	added := map[string]person{
		"first": {&name, 1, born, true}, "second": {nil, -1 << 31, born.Add(time.Microsecond), false},
	}
	row := func(id string, p person, returned *string) *Row {
		return &Row{
			Insert: Insert{
				Into: `INSERT INTO people (id, name, age, born, alive)`, Select: `SELECT ?, ?, ?, ?, ?`,
				End: ` ON CONFLICT DO NOTHING RETURNING id`, Args: []any{id, p.Name, p.Age, p.Born, p.Alive},
			},
			Returned: []any{returned},
			Dependents: []Insert{
				{Into: `INSERT INTO letters (person, text)`, Select: `SELECT ?, ?`, Args: []any{id, "one"}},
				{
					Into:   `INSERT INTO letters (person, text)`,
					Select: `SELECT ?, w.text FROM (SELECT 'two' AS text UNION SELECT ?) w`, Args: []any{id, "three"},
				},
			},
		}
	}
	returned := make([]string, 3)
	rows := []*Row{
		row("second", added["second"], &returned[0]), row("present", person{}, &returned[1]),
		row("first", added["first"], &returned[2]),
	}
	if err := insertRows(t.Context(), d.Autocommit(), rows); err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"second", "", "first"} {
		if rows[i].Inserted != (want != "") || want != "" && rows[i].Dependent != 2 || returned[i] != want {
			t.Errorf("row %d: inserted is %v, dependents %d, returned %q", i, rows[i].Inserted, rows[i].Dependent, returned[i])
		}
	}
	for id, want := range added {
		var got person
		if err := d.Read().Row(t.Context(), []any{&got.Name, &got.Age, &got.Born, &got.Alive},
			`SELECT name, age, born, alive FROM people WHERE id = ?`, id); err != nil {
			t.Fatal(err)
		}
		if got.Born = got.Born.UTC(); !reflect.DeepEqual(got, want) {
			t.Errorf("%s is %+v, want %+v", id, got, want)
		}
		if got := count(t, d, `SELECT COUNT(DISTINCT text) FROM letters WHERE person = '`+id+`'`); got != 3 {
			t.Errorf("%s has %d letters, want 3", id, got)
		}
	}
	if got := count(t, d, `SELECT COUNT(*) FROM letters`); got != 6 {
		t.Errorf("%d letters, want 6", got)
	}

	rows[0].Args[2] = 1.5
	if err := insertRows(t.Context(), d.Autocommit(), rows[:1]); !errors.Is(err, errArgument) {
		t.Errorf("a number with a fraction: %v", err)
	}
}
