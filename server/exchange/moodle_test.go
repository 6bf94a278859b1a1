package exchange

import (
	"encoding/base64"
	"errors"
	"testing"
)

// pixel is a PNG of one pixel.
const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

func moodleQuestion(kind, text, rest string) string {
	return `<?xml version="1.0" encoding="UTF-8"?><quiz><question type="` + kind + `"><name><text>n</text></name>` +
		`<questiontext format="html"><text><![CDATA[` + text + `]]></text></questiontext>` + rest + `</question></quiz>`
}

func moodleAnswer(fraction, text string) string {
	return `<answer fraction="` + fraction + `" format="html"><text><![CDATA[` + text + `]]></text></answer>`
}

func TestReadsMoodleXML(t *testing.T) {
	two := moodleAnswer("100", "a") + moodleAnswer("0", "b")
	for _, row := range []struct{ name, content, want string }{
		{"one option", moodleQuestion("multichoice", "<p>Q</p>", "<single>true</single>"+two), `SINGLE_CHOICE "Q" *"a" "b"`},
		{"several options", moodleQuestion("multichoice", "Q", "<single>false</single>"+moodleAnswer("50", "a")+
			moodleAnswer("50", "b")+moodleAnswer("0", "c")), `MULTIPLE_CHOICE "Q" *"a" *"b" "c" partial {penalty_added Q}`},
		{"one of several", moodleQuestion("multichoice", "Q", "<single>false</single>"+two),
			`MULTIPLE_CHOICE "Q" *"a" "b" partial`},
		{"thirds", moodleQuestion("multichoice", "Q", "<single>false</single>"+moodleAnswer("33.33333", "a")+
			moodleAnswer("33.33333", "b")+moodleAnswer("33.33333", "c")), `MULTIPLE_CHOICE "Q" *"a" *"b" *"c" partial`},
		{"penalty", moodleQuestion("multichoice", "Q", "<single>false</single>"+moodleAnswer("50", "a")+
			moodleAnswer("50", "b")+moodleAnswer("-100", "c")),
			`MULTIPLE_CHOICE "Q" *"a" *"b" "c" partial {penalty_dropped c}`},
		{"weights", moodleQuestion("multichoice", "Q", "<single>true</single>"+moodleAnswer("100", "a")+
			moodleAnswer("50", "b")), `SINGLE_CHOICE "Q" *"a" "b" {partial_dropped b}`},
		{"no key", moodleQuestion("multichoice", "Q", "<single>true</single>"+moodleAnswer("0", "a")+
			moodleAnswer("0", "b")), `SINGLE_CHOICE "Q" "a" "b" {key_missing Q}`},
		{"all or nothing", moodleQuestion("multichoiceset", "Q", moodleAnswer("100", "a")+moodleAnswer("100", "b")+
			moodleAnswer("0", "c")), `MULTIPLE_CHOICE "Q" *"a" *"b" "c"`},
		{"true", moodleQuestion("truefalse", "Q", moodleAnswer("100", "true")+moodleAnswer("0", "false")),
			`SINGLE_CHOICE "Q" *"True" "False"`},
		{"false", moodleQuestion("truefalse", "Q", moodleAnswer("0", "true")+moodleAnswer("100", "false")),
			`SINGLE_CHOICE "Q" "True" *"False"`},
		{"short answer", moodleQuestion("shortanswer", "Q", "<usecase>1</usecase>"+moodleAnswer("100", "Paris")),
			`SHORT_TEXT "Q" ["Paris"] case`},
		{"wildcards", moodleQuestion("shortanswer", "Q", moodleAnswer("100", "*Paris*")+moodleAnswer("0", "*")),
			`SHORT_TEXT "Q" ["Paris"] {wildcard_unsupported *Paris*}`},
		{"a wildcard within", moodleQuestion("shortanswer", "Q", moodleAnswer("100", "Pa*is")),
			`SHORT_TEXT "Q" [] {wildcard_unsupported Pa*is; answer_missing Q}`},
		{"a star", moodleQuestion("shortanswer", "Q", moodleAnswer("100", `a\*b`)), `SHORT_TEXT "Q" ["a*b"]`},
		{"weights of texts", moodleQuestion("shortanswer", "Q", moodleAnswer("100", "York")+moodleAnswer("50", "york")),
			`SHORT_TEXT "Q" ["York" "york"] {weights_changed Q}`},
		{"number", moodleQuestion("numerical", "Q", `<answer fraction="100"><text>1.5</text><tolerance>0.25</tolerance>`+
			`</answer>`), `NUMERIC "Q" =1.5±0.25`},
		{"a wider range for less", moodleQuestion("numerical", "Q", `<answer fraction="100"><text>2</text><tolerance>0`+
			`</tolerance></answer><answer fraction="50"><text>2</text><tolerance>1</tolerance></answer>`),
			`NUMERIC "Q" =2 {weights_changed 2}`},
		{"two numbers", moodleQuestion("numerical", "Q", moodleAnswer("100", "1")+moodleAnswer("100", "2")),
			`NUMERIC "Q" {keys_disagree 1, 2; answer_missing Q}`},
		{"no number", moodleQuestion("numerical", "Q", moodleAnswer("100", "1/2")),
			`NUMERIC "Q" {answer_unknown 1/2; answer_missing Q}`},
		{"a number that is too large", moodleQuestion("numerical", "Q", moodleAnswer("100", "1e16")),
			`NUMERIC "Q" {number_out_of_range 10000000000000000}`},
		{"units", moodleQuestion("numerical", "Q", moodleAnswer("100", "3")+
			"<units><unit><multiplier>1</multiplier><unit_name>m</unit_name></unit></units>"),
			`NUMERIC "Q" =3 {unit_dropped m}`},
		{"essay", moodleQuestion("essay", "Q", "<defaultgrade>4.0000000</defaultgrade><maxwordlimit>200</maxwordlimit>"+
			`<graderinfo format="html"><text><![CDATA[<b>Look</b> for x]]></text></graderinfo>`),
			`FREE_TEXT "Q" 4p 200 words [grading "Grading" 4p "**Look** for x"]`},
		{"essay with a template", moodleQuestion("essay", "Q", "<responsetemplate><text>Dear</text></responsetemplate>"+
			"<attachments>1</attachments>"), `FREE_TEXT "Q" {setting_dropped Dear; setting_dropped attachments: 1}`},
		{"points and explanation", moodleQuestion("multichoice", "Q", "<defaultgrade>2.5</defaultgrade>"+
			"<generalfeedback><text>Because.</text></generalfeedback>"+two), `SINGLE_CHOICE "Q" 2.5p *"a" "b" ("Because.")`},
		{"bad points", moodleQuestion("multichoice", "Q", "<defaultgrade>x</defaultgrade>"+two),
			`SINGLE_CHOICE "Q" *"a" "b" {points_invalid x}`},
		{"too many points", moodleQuestion("multichoice", "Q", "<defaultgrade>5000</defaultgrade>"+two),
			`SINGLE_CHOICE "Q" *"a" "b" {points_invalid 5000}`},
		{"feedback", moodleQuestion("multichoice", "Q", `<answer fraction="100"><text>a</text><feedback><text>Yes</text>`+
			`</feedback></answer><answer fraction="0"><text>b</text></answer><correctfeedback><text>Good</text>`+
			`</correctfeedback><hint><text>Think</text></hint>`),
			`SINGLE_CHOICE "Q" *"a" "b" {feedback_dropped Yes; feedback_dropped Think; feedback_dropped Good}`},
		{"tags and hidden", moodleQuestion("multichoice", "Q", two+"<tags><tag><text>x</text></tag></tags><hidden>1"+
			"</hidden>"),
			`SINGLE_CHOICE "Q" *"a" "b" {setting_dropped tags: x; setting_dropped hidden}`},
		{"penalty for attempts", moodleQuestion("multichoice", "Q", two+"<penalty>0.3333333</penalty>"),
			"SINGLE_CHOICE \"Q\" *\"a\" \"b\"\nsource {penalty_dropped <penalty>}"},
		{"formulas and powers", moodleQuestion("multichoice", `2<sup>10</sup> \(x^2\)`, two),
			`SINGLE_CHOICE "Q" *"a" "b"`[:14] + `"2¹⁰ $x^2$" *"a" "b"`},
		{"code", moodleQuestion("multichoice", "<pre>if x:\n    y()</pre>", two),
			`SINGLE_CHOICE "` + "```\\nif x:\\n    y()\\n```" + `" *"a" "b"`},
		{"stars are text", moodleQuestion("multichoice", "Q", moodleAnswer("100", "*x")+moodleAnswer("0", "*y*")),
			`SINGLE_CHOICE "Q" *"*x" "\\*y\\*"`},
		{"no text", moodleQuestion("multichoice", "", two), `refused {prompt_missing }`},
		{"a missing picture", moodleQuestion("multichoice", `Q <img src="@@PLUGINFILE@@/a.png" alt="A">`, two),
			`SINGLE_CHOICE "Q A" *"a" "b" {picture_dropped @@PLUGINFILE@@/a.png}`},
		{"matching", moodleQuestion("matching", "Q", ""), `refused {type_unsupported matching}`},
		{"cloze", moodleQuestion("cloze", "Q {1:SHORTANSWER:=a}", ""), `refused {type_unsupported cloze}`},
		{"code runner", moodleQuestion("coderunner", "Q", ""), `refused {type_unsupported coderunner}`},
		{"formats of texts", `<quiz><question type="multichoice"><questiontext format="markdown"><text>**Q**</text>` +
			`</questiontext><answer fraction="100" format="plain_text"><text>*a*</text></answer><answer fraction="0" ` +
			`format="moodle_auto_format"><text>b` + "\n" + `c</text></answer></question></quiz>`,
			`SINGLE_CHOICE "**Q**" *"\\*a\\*" "b\\\nc"`},
		{"entities", `<!DOCTYPE quiz [<!ENTITY x "boom">]>` + `<quiz><question type="truefalse"><questiontext><text>a &x; b` +
			`</text></questiontext><answer fraction="100"><text>true</text></answer></question></quiz>`,
			"SINGLE_CHOICE \"a &x; b\" *\"True\" \"False\"\nsource {markup_changed <!ENTITY x>}"},
		{"a file that ends", moodleQuestion("multichoice", "Q", two)[:len(moodleQuestion("multichoice", "Q", two))-7] +
			`<question type="multichoice"><questiontext><text>half`,
			"SINGLE_CHOICE \"Q\" *\"a\" \"b\"\nsource {not_closed XML syntax error on line 1: unexpected EOF}"},
	} {
		reads(t, Auto, row.name, row.content, row.want)
	}
}

func TestMoodleCategoriesAreStages(t *testing.T) {
	category := func(path string) string {
		return `<question type="category"><category><text>` + path +
			`</text></category><info><text>About</text></info></question>`
	}
	question := `<question type="truefalse"><questiontext><text>Q</text></questiontext><answer fraction="100"><text>true` +
		`</text></answer></question>`
	imported, err := Read(Source{Content: []byte("<quiz>" + question + category("$course$/top/A/Storage") + question +
		category("$course$/top/B/Storage") + question + category("$course$/top/R//D") + question + category("top") +
		question + "</quiz>")})
	if err != nil {
		t.Fatal(err)
	}
	var titles []string
	for _, stage := range imported.Draft.Stages {
		titles = append(titles, stage.Title)
	}
	want := []string{"Questions", "Storage", "B / Storage", "R/D"}
	if len(titles) != len(want) {
		t.Fatalf("stages %q, want %q", titles, want)
	}
	for i := range want {
		if titles[i] != want[i] {
			t.Errorf("stages %q, want %q", titles, want)
		}
	}
	if imported.Draft.Stages[1].Description == nil || *imported.Draft.Stages[1].Description != "About" {
		t.Error("the description of the category is missing")
	}
}

func TestMoodlePicturesAreImported(t *testing.T) {
	file := `<file name="a b.png" path="/" encoding="base64">` + pixel + `</file>`
	content := `<quiz><question type="essay"><questiontext format="html"><text><![CDATA[<img ` +
		`src="@@PLUGINFILE@@/a%20b.png" ` +
		`alt="A"> <img src="data:image/png;base64,` + pixel + `" alt="same">]]></text>` + file +
		`</questiontext></question></quiz>`
	imported, err := Read(Source{Content: []byte(content)})
	if err != nil {
		t.Fatal(err)
	}
	if got := summary(imported); got != `FREE_TEXT "![A](media:import-1) ![same](media:import-1)"` {
		t.Error(got)
	}
	want := contentOf(t, pixel)
	if len(imported.Pictures) != 1 || imported.Pictures[0].Name != "a b.png" ||
		string(imported.Pictures[0].Content) != string(want) {
		t.Errorf("pictures %+v", imported.Pictures)
	}
}

func TestFilesThatAreNotMoodleXML(t *testing.T) {
	for _, row := range []struct {
		content string
		want    error
	}{
		{"<quiz></quiz>", ErrEmpty}, {"<other/>", ErrDamaged}, {"", ErrDamaged}, {"{}", ErrDamaged},
	} {
		_, err := Read(Source{Content: []byte(row.content), Options: Options{Format: MoodleXML}})
		if !errors.Is(err, row.want) {
			t.Errorf("%q: %v, want %v", row.content, err, row.want)
		}
	}
}

func contentOf(t *testing.T, text string) []byte {
	t.Helper()
	content, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return content
}
