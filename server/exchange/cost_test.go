//go:build unix

package exchange

import (
	"bytes"
	"math/rand/v2"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"testing"
	"time"

	"assay/store/storetest/costtest"
)

// largeSource is a source of nearly MaxBytes. Its format is named or recognised.
type largeSource struct {
	name   string
	format Format
	make   func(tb testing.TB) []byte
}

const nearMaxBytes = MaxBytes - 1<<10

// filled repeats a part up to the largest size.
func filled(before, part, after string) func(testing.TB) []byte {
	return func(testing.TB) []byte {
		count := (nearMaxBytes - len(before) - len(after)) / len(part)
		return []byte(before + strings.Repeat(part, count) + after)
	}
}

// unpacked makes an archive of a file that is as large as an archive permits when it is unpacked. The numbers in the
// parts are what a packer cannot leave out, so that the ratio is one that is accepted.
func unpacked(make func(tb testing.TB, parts string) []byte, part string) func(testing.TB) []byte {
	return func(tb testing.TB) []byte {
		var parts strings.Builder
		for r := rand.New(rand.NewPCG(1, 1)); parts.Len() < maxEntryBytes-1000; {
			parts.WriteString(strings.ReplaceAll(part, "1", itoa(r.IntN(10_000))))
		}
		return make(tb, parts.String())
	}
}

func randomBytes(testing.TB) []byte {
	content := make([]byte, nearMaxBytes)
	r := rand.NewChaCha8([32]byte{1})
	_, _ = r.Read(content) // it never fails
	return content
}

func randomLetters(tb testing.TB) []byte {
	content := randomBytes(tb)
	const letters = "abcdefghij ABCDEFGHIJ 0123456789 \n\n{}=~#*()[].:;,\"'<>&|\\/?"
	for i, b := range content {
		content[i] = letters[int(b)%len(letters)]
	}
	return content
}

// largeSources are files as programs write them, and files that no program writes.
var largeSources = []largeSource{
	{"text", Text, filled("", largeText, "")},
	{"text, one line", Text, filled("", "a b ", "")},
	{"text, empty lines", Text, filled("", "\n", "")},
	{"text, words without questions", Text, filled("", "This is a line of a book.\n", "")},
	{"text, options without questions", Text, filled("", "A) x\n", "")},
	{"text, letters in one line", Text, filled("", "a) b) ", "")},
	{"text, one option", Text, filled("x?\nA) y\n", "y\n", "")},
	{"text, random letters", Text, randomLetters},
	{"random bytes", Auto, randomBytes},
	{"random bytes", Text, randomBytes},
	{"random bytes", GIFT, randomBytes},
	{"random bytes", CSV, randomBytes},
	{"random bytes", MoodleXML, randomBytes},
	{"random bytes", QTI, randomBytes},
	{"random bytes", XLSX, randomBytes},
	{"random bytes", AssayJSON, randomBytes},
	{"zeros", Auto, filled("", "\x00", "")},
	{"GIFT", GIFT, filled("", largeGIFT, "")},
	{"GIFT, not closed", GIFT, filled("::Q:: Which? {=", "~a wrong answer = with marks # and feedback\n\n", "")},
	{"GIFT, braces", GIFT, filled("", "{", "")},
	{"GIFT, braces and blank lines", GIFT, filled("", "{\n\n", "")},
	{"GIFT, no questions", GIFT, filled("", "x\n\n", "")},
	{"GIFT, answers of one question", GIFT, filled("Which? {", "~x", "}")},
	{"GIFT, categories", GIFT, filled("", "$CATEGORY: a/b\n\n", "")},
	{"GIFT, HTML", GIFT, filled("[html]", "<b>x</b> ", "{T}")},
	{"GIFT, HTML in each question", GIFT, filled("", strings.Repeat("<b>x</b> ", 550)+"{T}\n\n", "")},
	{"GIFT, random letters", GIFT, randomLetters},
	{"Aiken", Aiken, filled("", largeAiken, "")},
	{"Aiken, options", Aiken, filled("Which?\n", "A. x\n", "")},
	{"Aiken, random letters", Aiken, randomLetters},
	{"CSV", CSV, filled("Question,A,B,C,Correct\n", largeRow, "")},
	{"CSV, separators", CSV, filled("Question,A,B,C,Correct\n", ",", "")},
	{"CSV, one cell", CSV, filled("Question,A,B,C,Correct\n\"", "x\n", "\"")},
	{"CSV, quotes", CSV, filled("Question,A,B,C,Correct\n", `"`, "")},
	{"CSV, random letters", CSV, randomLetters},
	{"XLSX", XLSX, unpacked(func(tb testing.TB, rows string) []byte {
		return workbookOf(tb, map[string]string{"s": texts(1, "Question", "A", "B", "C", "Correct") + rows}, nil)
	}, largeCells)},
	{"XLSX, shared texts", XLSX, unpacked(func(tb testing.TB, shared string) []byte {
		return workbookOf(tb, map[string]string{"s": texts(1, "Question", "A")}, map[string]string{"sharedStrings": shared})
	}, "<si><t>1</t></si>")},
	{"XLSX, cells of one row", XLSX, unpacked(func(tb testing.TB, cells string) []byte {
		return workbookOf(tb, map[string]string{"s": "<row>" + cells + "</row>"}, nil)
	}, "<c><v>1</v></c>")},
	{"XLSX, empty cells", XLSX, unpacked(func(tb testing.TB, cells string) []byte {
		return workbookOf(tb, map[string]string{"s": "<row>" + cells + "</row>"}, nil)
	}, "<c/><c/><c/><c><v>1</v></c>")},
	{"XLSX, empty texts", XLSX, unpacked(func(tb testing.TB, shared string) []byte {
		return workbookOf(tb, map[string]string{"s": texts(1, "Question", "A")}, map[string]string{"sharedStrings": shared})
	}, "<si/><si/><si/><si><t>1</t></si>")},
	{"Moodle XML", MoodleXML, filled("<quiz>", largeMoodle, "</quiz>")},
	{"Moodle XML, elements", MoodleXML, filled("<quiz>", "<a/>", "</quiz>")},
	{"Moodle XML, one text", MoodleXML, filled(moodleStart, "<p>Which?</p> ", moodleEnd)},
	{"Moodle XML, HTML in each question", MoodleXML, filled("<quiz>", moodleStart[len("<quiz>"):]+
		strings.Repeat("<i>x</i>,", 550)+moodleEnd[:len(moodleEnd)-len("</quiz>")], "</quiz>")},
	{"Moodle XML, tags", MoodleXML, filled(moodleStart, "<b>", moodleEnd)},
	{"Moodle XML, attributes", MoodleXML, filled("<quiz><question ", `a="" `, "/></quiz>")},
	{"QTI 1.2", QTI, filled("<questestinterop>", largeItem, "</questestinterop>")},
	{"QTI, package", QTI, unpacked(func(tb testing.TB, items string) []byte {
		return zipped(tb, "imsmanifest.xml", manifestOf("a.xml"), "a.xml", "<questestinterop>"+items+"</questestinterop>")
	}, largeItem)},
	{"QTI, package of many files", Auto, func(tb testing.TB) []byte {
		names, files := []string{}, []string{}
		for i := range maxEntries - 10 {
			names = append(names, "f"+itoa(i)+".xml")
			files = append(files, names[i], "<questestinterop>"+itoa(i)+strings.Repeat("<a/>", 3000)+"</questestinterop>")
		}
		return zipped(tb, append(files, "imsmanifest.xml", manifestOf(names...))...)
	}},
	{"Assay JSON", AssayJSON, filled(`{"stages":[{"title":"a","questions":[{}`, ","+largeJSON, `]}]}`)},
	{"Assay JSON, brackets", AssayJSON, filled(`{"stages":[`, "[", "")},
	{"Assay JSON, empty questions", AssayJSON, filled(`{"stages":[{"questions":[{}`, ",{}", "]}]}")},
	{"Assay JSON, fields", AssayJSON, filled(`{"stages":[{"questions":[{"a":1`, `,"b":1`, "}]}]}")},
}

const (
	largeText  = "12. Which is even?\nA) One\nB) Two *\nC) Three\nExplanation: Two is.\n\n"
	largeGIFT  = "::Even:: Which is even? {~One#No =Two#Yes ~Three}\n\n"
	largeAiken = "Which is even?\nA. One\nB. Two\nANSWER: B\n\n"
	largeRow   = "Which is even?,One,Two,Three,B\n"
	largeCells = `<row><c t="str"><v>Which 1?</v></c><c t="str"><v>One</v></c><c t="str"><v>Two</v></c><c><v>1</v></c>` +
		`<c t="str"><v>B</v></c></row>`
	largeMoodle = `<question type="multichoice"><name><text>Even</text></name><questiontext format="html">` +
		`<text><![CDATA[<p>Which is <b>even</b>?</p>]]></text></questiontext><single>true</single>` +
		`<answer fraction="0"><text>One</text></answer><answer fraction="100"><text>Two</text></answer></question>`
	largeItem = `<item ident="q1"><presentation><material><mattext>Which is even?</mattext></material>` +
		`<response_lid ident="r"><render_choice><response_label ident="x"><material><mattext>One</mattext></material>` +
		`</response_label><response_label ident="y"><material><mattext>Two</mattext></material></response_label>` +
		`</render_choice></response_lid></presentation><resprocessing><respcondition><conditionvar>` +
		`<varequal respident="r">y</varequal></conditionvar><setvar>100</setvar></respcondition></resprocessing></item>`
	largeJSON = `{"type":"SINGLE_CHOICE","prompt":"Which is even?","options":[{"id":"a","text":"One"},` +
		`{"id":"b","text":"Two"}],"correctOptionId":"b","points":1}`
)

// sourcesOf500 are assessments of the largest size.
func sourcesOf500(tb testing.TB) map[Format][]byte {
	repeated := func(before, part, after string) []byte { return []byte(before + strings.Repeat(part, 500) + after) }
	head := texts(1, "Question", "A", "B", "C", "Correct")
	return map[Format][]byte{
		Text: repeated("", largeText, ""), GIFT: repeated("", largeGIFT, ""), Aiken: repeated("", largeAiken, ""),
		CSV:       repeated("Question,A,B,C,Correct\n", largeRow, ""),
		XLSX:      workbookOf(tb, map[string]string{"s": head + strings.Repeat(largeCells, 500)}, nil),
		MoodleXML: repeated("<quiz>", largeMoodle, "</quiz>"),
		QTI:       repeated("<questestinterop>", largeItem, "</questestinterop>"),
		AssayJSON: repeated(`{"stages":[{"title":"a","questions":[`+largeJSON, ","+largeJSON, "]}]}"),
	}
}

// The most that a source of nearly MaxBytes can cost on a machine of 2026, and one with 500 questions.
const (
	mostTime   = 2 * time.Second        // of the processor
	mostOf500  = 100 * time.Millisecond // of the processor
	mostMemory = 300 << 20              // of the heap, with the source and what is not collected yet
	tolerated  = 3                      // a test permits slower machines more time
)

// BenchmarkLargestSources prints the bytes per second, the processor time, and the peak of the heap.
func BenchmarkLargestSources(b *testing.B) {
	for _, row := range largeSources {
		b.Run(string(row.format)+"/"+row.name, func(b *testing.B) {
			content := row.make(b)
			b.SetBytes(int64(len(content)))
			for b.Loop() {
				took, peak := costOf(row.format, content)
				b.ReportMetric(float64(took.Milliseconds()), "cpu-ms")
				b.ReportMetric(float64(peak>>20), "peak-MiB")
			}
		})
	}
}

func BenchmarkSourcesOf500Questions(b *testing.B) {
	for format, content := range sourcesOf500(b) {
		b.Run(string(format), func(b *testing.B) {
			b.SetBytes(int64(len(content)))
			for b.Loop() {
				took, peak := costOf(format, content)
				b.ReportMetric(float64(took.Milliseconds()), "cpu-ms")
				b.ReportMetric(float64(peak>>20), "peak-MiB")
			}
		})
	}
}

// The test does not run in parallel with others, because it measures the process.
func TestCostOfTheLargestSources(t *testing.T) {
	for _, row := range largeSources {
		checkCost(t, row.name, row.format, row.make(t), mostTime)
	}
	for format, content := range sourcesOf500(t) {
		checkCost(t, "500 questions", format, content, mostOf500)
	}
}

// checkCost measures a long time again, because what disturbs a measurement makes it longer.
func checkCost(t *testing.T, name string, format Format, content []byte, most time.Duration) {
	t.Helper()
	var took time.Duration
	var peak uint64
	for range 3 {
		if took, peak = costOf(format, content); took <= tolerated*most {
			break
		}
	}
	if took > tolerated*most || peak > mostMemory {
		t.Errorf("%s, read as %s, takes %s and %d MiB", name, format, took, peak>>20)
	}
}

// costOf reads a source and returns the processor time and the largest size of the heap.
func costOf(format Format, content []byte) (took time.Duration, peak uint64) {
	debug.FreeOSMemory()
	heap := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	done, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for ticks := time.NewTicker(2 * time.Millisecond); ; {
			metrics.Read(heap)
			peak = max(peak, heap[0].Value.Uint64())
			select {
			case <-done:
				ticks.Stop()
				return
			case <-ticks.C:
			}
		}
	}()
	began := costtest.ProcessorTime()
	_, _ = Read(Source{Content: bytes.Clone(content), Options: Options{Format: format}}) // refusals take time, too
	took = costtest.ProcessorTime() - began
	close(done)
	<-stopped
	return took, peak
}
