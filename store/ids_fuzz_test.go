package store

import (
	"encoding/json"
	"math"
	"testing"
	"time"
)

// A stored time is read as the same instant in UTC from either database's form,
// and goes over the wire and back within its millisecond.
func FuzzTime(f *testing.F) {
	for _, micros := range []int64{0, -1, 999, 1_795_168_800_123_456, -62_135_596_800_000_000, 253_402_300_799_999_999, math.MinInt64, math.MaxInt64} {
		f.Add(micros, 0, "text")
	}
	f.Add(int64(1_795_168_800_123_456), -9*60*60, "")
	f.Fuzz(func(t *testing.T, micros int64, zone int, other string) {
		want := time.UnixMicro(micros)
		zone %= 24 * 60 * 60
		var stored, elsewhere, none Time
		if err := stored.Scan(micros); err != nil {
			t.Fatal(err)
		}
		if err := elsewhere.Scan(want.In(time.FixedZone("", zone))); err != nil {
			t.Fatal(err)
		}
		for _, read := range []Time{stored, elsewhere} {
			if !read.Equal(want) || read.Location() != time.UTC || read.UnixMicro() != micros {
				t.Errorf("%d is read as %v", micros, read)
			}
		}
		for _, wrong := range []any{nil, other, []byte(other), float64(micros)} {
			if err := none.Scan(wrong); err == nil || !none.IsZero() {
				t.Errorf("%#v is read as the time %v", wrong, none)
			}
		}
		if year := want.UTC().Year(); year < 0 || year > 9999 {
			return // no client can write it: see checkDateTime of the server
		}
		encoded, err := json.Marshal(wireTime(stored.Time))
		var decoded wireTime
		if err == nil {
			err = json.Unmarshal(encoded, &decoded)
		}
		if err != nil || len(encoded) != len(`"2006-01-02T15:04:05.000Z"`) {
			t.Fatalf("%v goes over the wire as %s: %v", want, encoded, err)
		}
		if lost := want.Sub(time.Time(decoded)); lost < 0 || lost >= time.Millisecond {
			t.Errorf("%v comes back as %v", want, time.Time(decoded))
		}
	})
}
