package db

import "time"

// Day is one day of a table that is kept in days by the time of its ids.
type Day struct {
	Start          time.Time
	FirstID, EndID string // EndID is the first id of the next day
}

const dayFormat = "20060102"
