//go:build unix

// Package costtest measures what inputs of strangers cost, for tests. The tests that use it are not parallel, because
// it measures the process.
package costtest

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Growing measures processor time per byte: each input at a size and at four times the size, beside
// json.Unmarshal of the same number of bytes in the same run.
const (
	// maxGrowthOfTime is how many times longer four times the bytes may take. Quadratic work takes 16 times as long.
	maxGrowthOfTime = 8

	// enoughTime is the time below which nothing is compared, because most of it does not depend on the input.
	enoughTime = 2 * time.Millisecond
)

// Growing is an input of a stranger.
type Growing struct {
	Name  string
	Bytes int // the smaller size
	// MaxMultiple is how many times longer than json.Unmarshal the larger size may take.
	MaxMultiple int
	// Prepare returns the processing of an input of a size, each time of another input: some work is remembered.
	Prepare func(bytes, number int) (process func())
}

// Check fails the test if the time per byte grows, or is too long. The garbage collector and other load can only make
// a measurement longer, so the shortest counts, and a long one is measured again.
func (g Growing) Check(t *testing.T) {
	t.Helper()
	defer debug.SetGCPercent(debug.SetGCPercent(400)) // otherwise the collector takes a fifth of the time
	small, large, plain := time.Hour, time.Hour, time.Hour
	ordinary := ordinaryJSON(4 * g.Bytes)
	var growth, multiple float64
	began := ProcessorTime()
	for attempt := 0; attempt < 10 && ProcessorTime()-began < 2*time.Second; attempt++ {
		large = min(large, Took(g.Prepare(4*g.Bytes, 2*attempt)))
		if large < enoughTime {
			return
		}
		small = min(small, Took(g.Prepare(g.Bytes, 2*attempt+1)))
		plain = min(plain, Took(func() {
			var into any
			if err := json.Unmarshal(ordinary, &into); err != nil {
				t.Fatal(err)
			}
		}))
		growth, multiple = float64(large)/float64(small), float64(large)/float64(plain)
		if growth <= maxGrowthOfTime && multiple <= float64(g.MaxMultiple) {
			return
		}
	}
	t.Fatalf("%s: %d bytes take %s, %.1f times as long as a quarter of them and %.0f times as long as to decode JSON;"+
		" at most %d and %d are permitted", g.Name, 4*g.Bytes, large, growth, multiple, maxGrowthOfTime, g.MaxMultiple)
}

// ordinaryJSON is a usual body of a size.
func ordinaryJSON(bytes int) []byte {
	row := `{"candidateName":"Ada Lovelace","candidateEmail":"ada@example.com","metadata":{"source":"page"},"points":2.5}`
	return []byte("[" + strings.Repeat(row+",", max(0, bytes/(len(row)+1)-1)) + row + "]")
}

// Rounds is how many random inputs of each kind a test makes, and their random numbers. make fuzz-cost tries more
// and others.
func Rounds(t *testing.T, usual int) (rounds int, random *rand.Rand) {
	t.Helper()
	factor, seed := 1, uint64(1)
	if given := os.Getenv("COST_ROUNDS"); given != "" {
		var err error
		if factor, err = strconv.Atoi(given); err != nil {
			t.Fatal(err)
		}
		seed = rand.Uint64()
		t.Logf("COST_ROUNDS=%d, seed %d", factor, seed)
	}
	return usual * factor, rand.New(rand.NewPCG(seed, 0))
}

// hostileWords are what parsers of texts, addresses, and templates look at.
var hostileWords = []string{
	"*", "_", "**", "`", "``", "[", "]", "(", ")", "![", "](", "<", ">", "<a ", "</a>", "<http://a>",
	"http://a", "&", "&#", "&#x", "&amp;", "|", "|-|", "\n", "\n\n", "> ", "- ", "1. ", "    ", "\t", "#", "\\",
	"~~~", "```", "=", "-", "[a]: b", "a", "ab ", "é", "e\u0301", "\u0301", "\u202e", "\u200d", "ﬃ", "İ", "ß",
	"한", "😀", "{{", "}}", "{{candidateName}}", `"`, "'", "@", ".", ",", ";", ":", "/", "%", "%41", "+", "0",
	"9", "1e9", "$", "^", " ", "www.", "xn--", "mailto:a@b.example",
}

// KnownWords made a parser slow, here or elsewhere.
var KnownWords = []string{
	"_*a", "*a **a ", "[", "![", "[a](", "[a](<b", "`a``", "<a ", "&#", "> ", "- ", ">- ", "|`\\|`", "<http://a>", "a@",
	"\u0301", "{{", "https://a.", "1. ", "a\n-\n",
}

// RandomWord joins up to four hostile words.
func RandomWord(random *rand.Rand) string {
	var word strings.Builder
	for range 1 + random.IntN(4) {
		word.WriteString(hostileWords[random.IntN(len(hostileWords))])
	}
	return word.String()
}

// HostileText repeats a word behind a number that makes it another text.
func HostileText(word string, bytes, number int) string {
	begin := "a" + strconv.Itoa(number) + " "
	return begin + strings.Repeat(word, max(0, bytes-len(begin))/len(word))
}

// PerShort returns how many times longer a long input takes than 16 inputs of a sixteenth of its length: about once if
// the time grows with the length, and 16 times if it grows with its square. The sum of the lengths is the same, so that
// the garbage collector counts for both alike. What disturbs a measurement makes it longer: the shortest counts, and a
// high ratio is measured again.
func PerShort(short, long func()) (ratio float64) {
	ofShort, ofLong := time.Hour, time.Hour
	for range 10 {
		ofShort = min(ofShort, Took(func() {
			for range 16 {
				short()
			}
		}))
		ofLong = min(ofLong, Took(long))
		if ratio = float64(ofLong) / float64(max(ofShort, time.Microsecond)); ratio < 4 {
			break
		}
	}
	return ratio
}

// Took returns the processor time of the process while process runs. Other load of the machine changes it little.
//
// Linux counts the time of a thread when the thread stops, or every few milliseconds. A goroutine that moves to another
// thread while the first one goes on with something else would therefore seem to have used less. With one processor,
// no other thread runs Go code when the clock is read.
func Took(process func()) time.Duration {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	began := ProcessorTime()
	process()
	return ProcessorTime() - began
}

// ProcessorTime is what the process has used. A few milliseconds of each running thread may be missing.
func ProcessorTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// Allocated returns how many bytes run allocates, and in how many allocations. The calling
// test must not be parallel.
func Allocated(run func()) (size, count uint64) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	run()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc, after.Mallocs - before.Mallocs
}
