//go:build unix

package exchange

import (
	"syscall"
	"testing"
	"time"
)

// checkGrowth checks that the time for a source grows with its length, and not with its square: a long source takes
// about as long as 16 short ones of the same length in all. A test that calls it does not run in parallel with others,
// because it measures the processor time of the process.
//
// What disturbs a measurement makes it longer: the shortest counts, and a high ratio is measured again.
func checkGrowth(t *testing.T, name string, format Format, source func(length int) []byte, length int) {
	t.Helper()
	shortest := func(so time.Duration, content []byte, times int) time.Duration {
		began := usedTime()
		for range times {
			_, _ = Read(Source{Content: content, Options: Options{Format: format}}) // refusals take time, too
		}
		return min(so, usedTime()-began)
	}
	short, long := source(length/16), source(length)
	ratio, ofShort, ofLong := 0.0, time.Hour, time.Hour
	for range 10 {
		ofShort, ofLong = shortest(ofShort, short, 16), shortest(ofLong, long, 1)
		if ratio = float64(ofLong) / float64(max(ofShort, time.Microsecond)); ratio < 4 {
			break
		}
	}
	if ratio > 8 {
		t.Errorf("%s: a long source takes %.1f times as long as 16 short ones of the same length in all", name, ratio)
	}
}

// usedTime is the processor time of the process.
func usedTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
