//go:build unix

package exchange

import (
	"strings"
	"syscall"
	"testing"
	"time"
)

// The time for a table grows with its length, and not with its square: a long source takes about as long as 16 short ones
// of the same length in all. The test does not run in parallel with others, because it measures the processor time of
// the process.
func TestTimeOfTablesGrowsWithTheLength(t *testing.T) {
	head := "Question,A,B,Correct\n"
	fill := func(part string) func(length int) []byte {
		return func(length int) []byte { return []byte(head + strings.Repeat(part, length/len(part))) }
	}
	for name, row := range map[string]struct {
		format Format
		source func(length int) []byte
	}{
		"questions":                 {CSV, fill("Which?,x,y,A\n")},
		"quotes":                    {CSV, fill(`"`)},
		"pairs of quotes":           {CSV, fill(`""`)},
		"quotes within quotes":      {CSV, fill(`"a""b,`)},
		"quotes that do not end":    {CSV, fill("\"a\n")},
		"quotes before a text":      {CSV, fill(`"a" b,`)},
		"separators":                {CSV, fill(",")},
		"line breaks":               {CSV, fill("\n")},
		"one long cell":             {CSV, fill("x")},
		"apostrophes":               {CSV, fill("'")},
		"options in a cell":         {CSV, func(n int) []byte { return []byte("Question,Options,Correct\nq," + strings.Repeat("a|", n/2) + ",a") }},
		"names in a key":            {CSV, func(n int) []byte { return []byte(head + "q,x,y,\"" + strings.Repeat("A, ", n/3) + "\"") }},
		"a rubric":                  {CSV, func(n int) []byte { return []byte("Question,Rubric\nq,\"" + strings.Repeat("1: x\n", n/5) + "\"") }},
		"stages of Assay JSON":      {AssayJSON, func(n int) []byte { return []byte(`{"stages":[` + strings.Repeat(`{},`, n/3) + `{}]}`) }},
		"brackets in Assay JSON":    {AssayJSON, func(n int) []byte { return []byte(`{"stages":` + strings.Repeat(`[`, n) + `}`) }},
		"questions of Assay JSON":   {AssayJSON, func(n int) []byte { return []byte(`{"stages":[{"questions":[` + strings.Repeat(`{},`, n/3) + `{}]}]}`) }},
		"unknown fields, each once": {AssayJSON, unknownFields},
		"options of Assay JSON":     {AssayJSON, func(n int) []byte { return []byte(questionJSON(`,"options":[` + strings.Repeat(`{},`, n/3) + `{}]`)) }},
		"rows of a workbook": {XLSX, func(n int) []byte {
			return workbookOf(t, map[string]string{"s": strings.Repeat(texts(1, "q", "x"), n/40)}, nil)
		}},
		"merged cells of a workbook": {XLSX, func(n int) []byte {
			return workbookOf(t, map[string]string{"s": strings.Repeat(`<row><c t="str"><v>x</v></c></row>`, n/60) +
				strings.Repeat(`<mergeCell ref="A1:A9999"/>`, n/60)}, nil)
		}},
	} {
		short, long := row.source(16_000), row.source(256_000)
		if ratio := tableGrowth(row.format, short, long); ratio > 8 {
			t.Errorf("%s: a long source takes %.1f times as long as 16 short ones of the same length in all", name, ratio)
		}
	}
}

func unknownFields(n int) []byte {
	var text strings.Builder
	text.WriteString(`{"stages":[]`)
	for i := range n / 12 {
		text.WriteString(`,"f` + strings.Repeat("0", i%7) + formatNumber(float64(i)) + `":1`)
	}
	text.WriteString(`}`)
	return []byte(text.String())
}

// tableGrowth returns how many times longer the long source takes than 16 short ones. What disturbs a measurement makes
// it longer: the shortest counts, and a high ratio is measured again.
func tableGrowth(format Format, short, long []byte) (ratio float64) {
	shortest := func(so time.Duration, content []byte, times int) time.Duration {
		began := usedTime()
		for range times {
			_, _ = Read(Source{Content: content, Options: Options{Format: format}}) // refusals take time, too
		}
		return min(so, usedTime()-began)
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

func usedTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
