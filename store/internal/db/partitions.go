package db

import "time"

// Day is one partition of a table: the rows with a time of this day in their ids.
type Day struct {
	Start          time.Time
	FirstID, EndID string // EndID is the first id of the next day
}

const dayFormat = "20060102"
