//go:build unix

package exchange

import (
	"strings"
	"syscall"
	"testing"
	"time"
)

// The time for a text grows with its length, and not with its square: a text takes about as long as 16 texts of a
// sixteenth of its length. The test does not run in parallel with others, because it measures the processor time
// of the
// process.
func TestTimeOfTextsGrowsWithTheLength(t *testing.T) {
	repeated := []string{
		"Which?\nA) x\nB) y *\n\n", "Which?\n- [ ] x\n- [x] y\n", "A) x\n", "x ", "x\n", "x\n\n", "*", "**x** ",
		"* x\n", "(x) ", "[x] ",
		"A) x B) y C) z ", "a) b) ", "```\n", "```\nx\n", "~~~", "# x\n", "# x?\n", "1. x\n", "1) x\n\n", "Answer: A\n",
		"Answer: x\n\n",
		"Explanation: x\n", "<details>\nx\n", "<details><summary>", "<sup>2</sup>", "<sup>", "`x` <sub>", "| a | b |\n",
		"---\n", "Q: x\nA: y\n",
		"?\n", "x?\nAnswer: a | b\n", "x?\nA) " + strings.Repeat("y\n", 500), "x?\nAnswer: 1" + strings.Repeat(",000",
			50) + "\n",
		"One?{=a ~b}\n\n", "::x::", "::x", "{", "}", "{\n\n", "{=", "=x", "~x", "#x", "####", `\`, `\{`, "{}", "{T}\n",
		"$CATEGORY: a/b\n\n", "//\n",
		"%1%", "->", "::a{=b ~\n", "a\n\n::b{\n", "[html]<p>", "<b>", "<x", "&amp;", "$$", `\(`, "[markdown]",
		"x{=*a*}\n\n", "x{#1}\n\n",
		"x{#1..", "x{T#a#b", "x\n y", "_", "_ ", "[a](", "&", "<a:", "One\nA. x\nB. y\nANSWER: A\n\n", "A. x\n",
		"ANSWER: A\n",
	}
	begins := []string{"", "x?\nA) y\n", "x?\nExplanation: y\n", "x {="}
	for _, format := range []Format{Text, GIFT, Aiken} {
		for _, part := range repeated {
			for _, begin := range begins {
				source := func(length int) []byte {
					return []byte(begin + strings.Repeat(part, 1+length/len(part)))
				}
				if ratio := textGrowth(format, source(2000), source(32_000)); ratio > 8 {
					t.Errorf("%s %q, then %q: a long text takes %.1f times as long as 16 short ones", format, begin, part, ratio)
				}
			}
		}
	}
}

// textGrowth returns how many times longer the long text takes than 16 short ones. What disturbs a measurement
// makes it
// longer: the shortest counts, and a high ratio is measured again.
func textGrowth(format Format, short, long []byte) (ratio float64) {
	shortest := func(so time.Duration, content []byte, times int) time.Duration {
		began := textTime()
		for range times {
			source := Source{Content: content, Options: Options{Format: format}}
			_, _ = Read(source) // a refusal takes time, too
		}
		return min(so, textTime()-began)
	}
	ofShort, ofLong := time.Hour, time.Hour
	for range 10 {
		ofShort, ofLong = shortest(ofShort, short, 16), shortest(ofLong, long, 1)
		if ratio = float64(ofLong) / float64(ofShort); ratio < 4 {
			break
		}
	}
	return ratio
}

func textTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
