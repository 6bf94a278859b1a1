package store

import (
	"encoding/json"
	"math"
	"testing"
	"time"
)

// Scan must read a stored time as the same instant in UTC, whether the driver
// returns an integer (microseconds) or a time.Time. Encoding a time as JSON and
// decoding it must lose less than a millisecond.
func FuzzTime(f *testing.F) {
	for _, micros := range []int64{0, -1, 999, 1_795_168_800_123_456, -62_135_596_800_000_000, 253_402_300_799_999_999,
		math.MinInt64, math.MaxInt64} {
		f.Add(micros, 0, "text")
	}
	f.Add(int64(1_795_168_800_123_456), -9*60*60, "")
	f.Fuzz(func(t *testing.T, micros int64, zone int, other string) {
		want := time.UnixMicro(micros)
		zone %= 24 * 60 * 60

		var stored, zoned, none Time
		if err := stored.Scan(micros); err != nil {
			t.Fatal(err)
		}
		if err := zoned.Scan(want.In(time.FixedZone("", zone))); err != nil {
			t.Fatal(err)
		}
		for _, read := range []Time{stored, zoned} {
			if !read.Equal(want) || read.Location() != time.UTC || read.UnixMicro() != micros {
				t.Errorf("%d is read as %v", micros, read)
			}
		}
		for _, wrong := range []any{nil, other, []byte(other), float64(micros)} {
			if err := none.Scan(wrong); err == nil || !none.IsZero() {
				t.Errorf("Scan accepts %#v as %v", wrong, none)
			}
		}

		if year := want.UTC().Year(); year < 0 || year > 9999 {
			return // RFC 3339 cannot express it
		}
		encoded, err := json.Marshal(wireTime(stored.Time))
		var decoded wireTime
		if err == nil {
			err = json.Unmarshal(encoded, &decoded)
		}
		if err != nil || len(encoded) != len(`"2006-01-02T15:04:05.000Z"`) {
			t.Fatalf("%v is encoded as %s: %v", want, encoded, err)
		}
		if lost := want.Sub(time.Time(decoded)); lost < 0 || lost >= time.Millisecond {
			t.Errorf("%v is decoded as %v", want, time.Time(decoded))
		}
	})
}
