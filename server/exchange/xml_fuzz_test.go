package exchange

import (
	"testing"
	"time"
)

func FuzzMoodleXML(f *testing.F) {
	two := moodleAnswer("100", "a") + moodleAnswer("0", "b")
	for _, kind := range []string{"multichoice", "truefalse", "shortanswer", "numerical", "essay", "cloze", "category"} {
		f.Add(moodleQuestion(kind, `<p>Q <img src="@@PLUGINFILE@@/a.png"> 2<sup>10</sup></p>`, two))
	}
	f.Fuzz(func(t *testing.T, content string) { readsAnything(t, MoodleXML, content) })
}

func FuzzQTI(f *testing.F) {
	f.Add(item2(keyA, choiceBody, match))
	f.Add(item2(keyAB+mapped(entry("A", "1")), severalBody, mapping))
	f.Add(numberItem("1.5", `toleranceMode="absolute" tolerance="1 2"`))
	f.Add(item1Of("numerical_question", labels("Single", "one", "two"), scored(when(is("b"), "100"))))
	f.Add(string(zipped(f, "imsmanifest.xml", manifestOf("a.xml"), "a.xml", item2(keyA, choiceBody, match))))
	f.Fuzz(func(t *testing.T, content string) { readsAnything(t, QTI, content) })
}

// readsAnything checks what holds for each source: the positions in the report, the lengths, and the time per byte.
func readsAnything(t *testing.T, format Format, content string) {
	t.Helper()
	began := time.Now()
	imported, err := Read(Source{Content: []byte(content), Options: Options{Format: format}})
	if took := time.Since(began); took > time.Second+time.Duration(len(content))*20*time.Microsecond {
		t.Errorf("%v for %d bytes", took, len(content))
	}
	if err != nil {
		return
	}
	checkPositions(t, imported)
	notes := imported.Report.Notes
	for _, item := range imported.Report.Questions {
		notes = append(notes, item.Notes...)
		if item.Stage < 0 && len(item.Notes) == 0 {
			t.Errorf("a question is missing without a word: %+v", item)
		}
	}
	for _, n := range notes {
		if n.Code.Severity() == "" || len([]rune(n.Text)) > maxExcerpt {
			t.Errorf("note %+v", n)
		}
	}
}
