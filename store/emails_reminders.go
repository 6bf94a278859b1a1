package store

import (
	"database/sql/driver"
	"encoding/json"
	"fmt"
)

// hours is a list of numbers that is stored as JSON.
type hours []int

// Value implements driver.Valuer.
func (h hours) Value() (driver.Value, error) {
	if h == nil {
		return "[]", nil
	}
	encoded, err := json.Marshal([]int(h))
	return string(encoded), err
}

// Scan implements sql.Scanner.
func (h *hours) Scan(stored any) error {
	switch stored := stored.(type) {
	case string:
		return json.Unmarshal([]byte(stored), h)
	case []byte:
		return json.Unmarshal(stored, h)
	}
	return fmt.Errorf("store: hours are a %T", stored)
}

// storedHours is the stored form of a list, or nil for no list.
func storedHours(list []int) *string {
	if list == nil {
		return nil
	}
	encoded, _ := json.Marshal(list) // numbers have a JSON form
	text := string(encoded)
	return &text
}
