package contract

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"sync"
	"testing"
	"time"
)

// wantFields reports an error for each dotted path whose value differs from the expected value.
func (r response) wantFields(values object) response {
	r.t.Helper()
	for _, path := range slices.Sorted(maps.Keys(values)) {
		if got, want := r.at(path), asJSON(r.t, values[path]); !reflect.DeepEqual(got, want) {
			r.t.Errorf("%s: %s is %v, want %v\n%s", r.name, path, got, want, r.body)
		}
	}

	return r
}

// asJSON encodes a value as JSON and decodes it again, so that it can be compared with a decoded response.
func asJSON(t testing.TB, value any) any {
	t.Helper()
	encoded, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	var decoded any
	if err := json.Unmarshal(encoded, &decoded); err != nil {
		t.Fatal(err)
	}
	return decoded
}

// wire formats a time as the API does.
func wire(at time.Time) string { return at.UTC().Format("2006-01-02T15:04:05.000Z") }

// moment parses the time at a dotted path.
func (r response) moment(path string) time.Time {
	r.t.Helper()
	at, err := time.Parse(time.RFC3339, r.text(path))
	if err != nil {
		r.t.Fatalf("%s: %s: %v", r.name, path, err)
	}
	return at
}

// wantSame reports an error if a client can distinguish the two responses.
func wantSame(t *testing.T, got, want response) {
	t.Helper()
	if got.status != want.status || visible(got) != visible(want) {
		t.Errorf("%s: %d\n%s\n%s: %d\n%s", got.name, got.status, visible(got), want.name, want.status, visible(want))
	}
}

// visible returns what a client can compare: the headers and the body without the request id and the date.
func visible(r response) string {
	header := r.header.Clone()
	header.Del("X-Request-Id")
	header.Del("Date")
	return fmt.Sprint(header, "\n", string(requestID.ReplaceAll(r.body, nil)))
}

var requestID = regexp.MustCompile(`req_[0-9a-z]{26}`)

// statuses returns the number of responses for each status.
func statuses(responses []response) map[int]int {
	counts := map[int]int{}
	for _, r := range responses {
		counts[r.status]++
	}
	return counts
}

// atOnce makes n concurrent calls and returns their results.
func atOnce[T any](n int, call func(i int) T) []T {
	results, start := make([]T, n), make(chan struct{})
	var done sync.WaitGroup
	for i := range n {
		done.Go(func() {
			<-start
			results[i] = call(i)
		})
	}

	close(start)
	done.Wait()
	return results
}

// lockedBuffer is a log that a test reads while the server writes.
type lockedBuffer struct {
	mu     sync.Mutex
	buffer bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buffer.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buffer.String()
}
