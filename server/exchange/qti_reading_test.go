package exchange

import (
	"archive/zip"
	"bytes"
	"errors"
	"strings"
	"testing"
)

// item2 returns an item of QTI 2.2: a declaration of RESPONSE, a body, and what follows it.
func item2(declaration, body, rest string) string {
	return `<?xml version="1.0" encoding="UTF-8"?><assessmentItem xmlns="http://www.imsglobal.org/xsd/imsqti_v2p2" ` +
		`identifier="i1" title="T" adaptive="false" timeDependent="false"><responseDeclaration identifier="RESPONSE" ` +
		declaration + `</responseDeclaration><outcomeDeclaration identifier="SCORE" cardinality="single" baseType="float"/>` +
		`<itemBody>` + body + `</itemBody>` + rest + `</assessmentItem>`
}

const (
	choiceBody = `<p>Q</p><choiceInteraction responseIdentifier="RESPONSE" maxChoices="1"><prompt>P</prompt>` +
		`<simpleChoice identifier="A">a</simpleChoice><simpleChoice identifier="B">b</simpleChoice></choiceInteraction>`
	severalBody = `<choiceInteraction responseIdentifier="RESPONSE" maxChoices="0"><prompt>P</prompt>` +
		`<simpleChoice identifier="A">a</simpleChoice><simpleChoice identifier="B">b</simpleChoice>` +
		`<simpleChoice identifier="C">c</simpleChoice></choiceInteraction>`
	entryBody = `<p>The <textEntryInteraction responseIdentifier="RESPONSE"/> is.</p>`
	keyA      = `cardinality="single" baseType="identifier"><correctResponse><value>A</value></correctResponse>`
	keyAB     = `cardinality="multiple" baseType="identifier"><correctResponse><value>A</value><value>B</value>` +
		`</correctResponse>`
	match      = `<responseProcessing template="http://www.imsglobal.org/question/qti_v2p2/rptemplates/match_correct"/>`
	mapping    = `<responseProcessing template="http://www.imsglobal.org/question/qti_v2p2/rptemplates/map_response"/>`
	matchInRow = `<responseProcessing><responseCondition><responseIf><match><variable identifier="RESPONSE"/>` +
		`<correct identifier="RESPONSE"/></match><setOutcomeValue identifier="SCORE"><baseValue baseType="float">3` +
		`</baseValue></setOutcomeValue></responseIf></responseCondition></responseProcessing>`
)

func mapped(entries string) string { return `<mapping defaultValue="0">` + entries + `</mapping>` }

func entry(key, value string) string {
	return `<mapEntry mapKey="` + key + `" mappedValue="` + value + `"/>`
}

func numberKey(value, mode string) (declaration, processing string) {
	return `cardinality="single" baseType="float"><correctResponse><value>` + value + `</value></correctResponse>`,
		`<responseProcessing><responseCondition><responseIf><equal ` + mode + `><variable identifier="RESPONSE"/><correct ` +
			`identifier="RESPONSE"/></equal><setOutcomeValue identifier="SCORE"><baseValue baseType="float">1</baseValue>` +
			`</setOutcomeValue></responseIf></responseCondition></responseProcessing>`
}

func numberItem(value, mode string) string {
	declaration, processing := numberKey(value, mode)
	return item2(declaration, entryBody, processing)
}

func TestReadsItemsOfQTI2And3(t *testing.T) {
	kebab := `<qti-assessment-item xmlns="http://www.imsglobal.org/xsd/imsqtiasi_v3p0" identifier="i">` +
		`<qti-response-declaration ` +
		`identifier="RESPONSE" cardinality="multiple" base-type="identifier"><qti-correct-response><qti-value>A</qti-value>` +
		`</qti-correct-response></qti-response-declaration><qti-item-body><qti-choice-interaction response-identifier=` +
		`"RESPONSE" max-choices="2"><qti-prompt>P <b>x</b></qti-prompt><qti-simple-choice identifier="A">a` +
		`</qti-simple-choice>` +
		`<qti-simple-choice identifier="B">b</qti-simple-choice></qti-choice-interaction></qti-item-body>` +
		`<qti-response-processing template="https://purl.imsglobal.org/spec/qti/v3p0/rptemplates/match_correct"/>` +
		`<qti-modal-feedback outcome-identifier="F" identifier="general" show-hide="show"><qti-content-body>E` +
		`</qti-content-body>` +
		`</qti-modal-feedback></qti-assessment-item>`
	text := `cardinality="single" baseType="string"><correctResponse><value>York</value></correctResponse>`
	for _, row := range []struct{ name, content, want string }{
		{"one option", item2(keyA, choiceBody, match), `SINGLE_CHOICE "Q\n\nP" *"a" "b"`},
		{"several options", item2(keyAB, severalBody, match), `MULTIPLE_CHOICE "P" *"a" *"b" "c"`},
		{"QTI 3", kebab, `MULTIPLE_CHOICE "P **x**" *"a" "b" ("E")`},
		{"a prefix", strings.NewReplacer("<?", "<?", "</", "</q:", "<", "<q:").Replace(item2(keyA, choiceBody, match)),
			`SINGLE_CHOICE "Q\n\nP" *"a" "b"`},
		{"match in the item", item2(keyA, choiceBody, matchInRow), `SINGLE_CHOICE "Q\n\nP" 3p *"a" "b"`},
		{"mapping", item2(keyAB+mapped(entry("A", "1")+entry("B", "1")), severalBody, mapping),
			`MULTIPLE_CHOICE "P" 2p *"a" *"b" "c" partial {penalty_added A, B}`},
		{"mapping without a correct response", item2(`cardinality="multiple" baseType="identifier">`+
			mapped(entry("A", "1")+entry("C", "1")), severalBody, mapping),
			`MULTIPLE_CHOICE "P" 2p *"a" "b" *"c" partial {penalty_added A, C}`},
		{"mapping with weights", item2(keyAB+mapped(entry("A", "2")+entry("B", "1")), severalBody, mapping),
			`MULTIPLE_CHOICE "P" 3p *"a" *"b" "c" partial {penalty_added A, B; weights_changed A, B}`},
		{"mapping with a penalty", item2(keyAB+mapped(entry("A", "1")+entry("B", "1")+entry("C", "-2")), severalBody,
			mapping),
			`MULTIPLE_CHOICE "P" 2p *"a" *"b" "c" partial {penalty_dropped C -2}`},
		{"a mapping that disagrees", item2(keyA+mapped(entry("B", "1")), choiceBody, mapping),
			`SINGLE_CHOICE "Q\n\nP" "a" "b" {keys_disagree A; B; key_missing Q P}`},
		{"the best of a mapping", item2(keyA+mapped(entry("A", "1")+entry("B", "0.5")), choiceBody, mapping),
			`SINGLE_CHOICE "Q\n\nP" *"a" "b" {weights_changed A, B}`},
		{"a key that is no option", item2(strings.Replace(keyA, ">A<", ">X<", 1), choiceBody, match),
			`SINGLE_CHOICE "Q\n\nP" "a" "b" {answer_unknown X; key_missing Q P}`},
		{"no key", item2(`cardinality="single" baseType="identifier">`, choiceBody, match),
			`SINGLE_CHOICE "Q\n\nP" "a" "b" {key_missing Q P}`},
		{"at most two", item2(keyAB, strings.Replace(severalBody, `"0"`, `"2"`, 1), match),
			`MULTIPLE_CHOICE "P" *"a" *"b" "c" {setting_dropped maxChoices=2}`},
		{"an unknown template", item2(keyA, choiceBody, `<responseProcessing template="http://x.example/own.xml"/>`),
			`SINGLE_CHOICE "Q\n\nP" *"a" "b" {scoring_changed http://x.example/own.xml}`},
		{"other processing", item2(keyA, choiceBody, `<responseProcessing><responseCondition><responseIf><gt/></responseIf>`+
			`</responseCondition></responseProcessing>`), `SINGLE_CHOICE "Q\n\nP" *"a" "b" {scoring_changed gt}`},
		{"an inline choice", item2(keyA, `<p>A <inlineChoiceInteraction responseIdentifier="RESPONSE"><inlineChoice `+
			`identifier="A">`+
			`a</inlineChoice><inlineChoice identifier="B">b</inlineChoice></inlineChoiceInteraction> c.</p>`, match),
			`SINGLE_CHOICE "A ____ c." *"a" "b"`},
		{"a text", item2(text, entryBody, match), `SHORT_TEXT "The ____ is." ["York"] case`},
		{"a text in a line of its own", item2(text, `<p>Q</p><p><textEntryInteraction responseIdentifier="RESPONSE"/></p>`,
			match),
			`SHORT_TEXT "Q" ["York"] case`},
		{"mapped texts", item2(text+mapped(`<mapEntry mapKey="york" mappedValue="1"/>`), entryBody, mapping),
			`SHORT_TEXT "The ____ is." ["York" "york"]`},
		{"mapped texts with their case", item2(text+mapped(`<mapEntry mapKey="York" mappedValue="1" caseSensitive="true"/>`),
			entryBody, mapping), `SHORT_TEXT "The ____ is." ["York"] case`},
		{"a mapping that mixes the case", item2(text+mapped(`<mapEntry mapKey="York" mappedValue="1" caseSensitive="true"/>`+
			entry("x", "1")), entryBody, mapping), `SHORT_TEXT "The ____ is." ["York" "x"] case {scoring_changed ` +
			`caseSensitive}`},
		{"a pattern", item2(text, strings.Replace(entryBody, "/>", ` patternMask="[A-Z]+"/>`, 1), match),
			`SHORT_TEXT "The ____ is." ["York"] case {setting_dropped patternMask=[A-Z]+}`},
		{"digits that are a text", item2(strings.Replace(text, "York", "007", 1), entryBody, match),
			`SHORT_TEXT "The ____ is." ["007"] case`},
		{"a text without a key", item2(`cardinality="single" baseType="string">`, entryBody, match),
			`SHORT_TEXT "The ____ is." [] case {answer_missing The ____ is.}`},
		{"a number", numberItem("1.5", `toleranceMode="exact"`), `NUMERIC "The ____ is." =1.5`},
		{"an absolute tolerance", numberItem("1.5", `toleranceMode="absolute" tolerance="0.5 0.5"`),
			`NUMERIC "The ____ is." =1.5±0.5`},
		{"a relative tolerance", numberItem("200", `toleranceMode="relative" tolerance="5"`),
			`NUMERIC "The ____ is." =200±10`},
		{"another tolerance below", numberItem("10", `toleranceMode="absolute" tolerance="2 1"`),
			`NUMERIC "The ____ is." =9.5±1.5`},
		{"a bad tolerance", numberItem("10", `toleranceMode="absolute" tolerance="x"`),
			`NUMERIC "The ____ is." =10 {tolerance_invalid x}`},
		{"no number", numberItem("ten", `toleranceMode="exact"`),
			`NUMERIC "The ____ is." {answer_unknown ten; answer_missing The ____ is.}`},
		{"an essay", item2(`cardinality="single" baseType="string">`,
			`<rubricBlock view="scorer"><p>Look.</p></rubricBlock><p>Q</p>`+
				`<extendedTextInteraction responseIdentifier="RESPONSE"/>`, ""), `FREE_TEXT "Q" [grading "Grading" 1p "Look."]`},
		{"an essay with an answer", item2(text, `<extendedTextInteraction responseIdentifier="RESPONSE"><prompt>P</prompt>`+
			`</extendedTextInteraction>`, ""), `FREE_TEXT "P" ("York")`},
		{"two gaps", item2(text, entryBody+entryBody, match), `refused {several_gaps The is.The is.}`},
		{"two interactions", item2(keyA, choiceBody+entryBody, match),
			`refused {type_unsupported choiceinteraction, textentryinteraction}`},
		{"a match", item2(keyA, `<matchInteraction responseIdentifier="RESPONSE"/>`, match),
			`refused {type_unsupported matchinteraction}`},
		{"no interaction", item2(keyA, `<p>Q</p>`, match), `refused {type_unsupported no interaction}`},
		{"variables", item2(keyA, choiceBody+"<printedVariable identifier='X'/>", match),
			`refused {type_unsupported templateDeclaration}`},
		{"general feedback", item2(keyA, choiceBody, match+`<modalFeedback outcomeIdentifier="F" identifier="general" `+
			`showHide=`+
			`"show">E</modalFeedback>`), `SINGLE_CHOICE "Q\n\nP" *"a" "b" ("E")`},
		{"feedback to an option", item2(keyA, choiceBody, match+`<modalFeedback outcomeIdentifier="F" identifier="A" `+
			`showHide=`+
			`"show">E</modalFeedback>`), `SINGLE_CHOICE "Q\n\nP" *"a" "b" {feedback_dropped E}`},
		{"feedback in an option", item2(keyA, strings.Replace(choiceBody, ">a<", `>a <feedbackInline identifier="A">Yes`+
			`</feedbackInline><`, 1), match), `SINGLE_CHOICE "Q\n\nP" *"a" "b" {feedback_dropped Yes}`},
		{"the most points", strings.Replace(item2(keyA, choiceBody, match), `<outcomeDeclaration`,
			`<outcomeDeclaration identifier=`+
				`"MAXSCORE" cardinality="single" baseType="float"><defaultValue><value>4</value></defaultValue>`+
				`</outcomeDeclaration>`+
				`<outcomeDeclaration`, 1), `SINGLE_CHOICE "Q\n\nP" 4p *"a" "b"`},
		{"a power", item2(keyA, strings.Replace(choiceBody, ">a<", ">2<sup>10</sup><", 1), match),
			`SINGLE_CHOICE "Q\n\nP" *"2¹⁰" "b"`},
		{"a missing picture", item2(keyA, strings.Replace(choiceBody, "<p>Q",
			`<p>Q <object type="image/png" data="a.png">A</object>`, 1),
			match), `SINGLE_CHOICE "Q A\n\nP" *"a" "b" {picture_dropped a.png}`},
		{"a response that is not declared", item2(keyA, strings.Replace(choiceBody, `"RESPONSE"`, `"OTHER"`, 1), match),
			`SINGLE_CHOICE "Q\n\nP" "a" "b" {not_understood responseIdentifier=OTHER; key_missing Q P}`},
		{"half an item", item2(keyA, choiceBody, match)[:700], `source {not_closed XML syntax error on line 1: unexpected ` +
			`EOF}`},
	} {
		reads(t, Auto, row.name, row.content, row.want)
	}
}

// zipped returns a ZIP file with names and contents in turn.
func zipped(t testing.TB, files ...string) []byte {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for i := 0; i < len(files); i += 2 {
		file, err := w.Create(files[i])
		if err == nil {
			_, err = file.Write([]byte(files[i+1]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func manifestOf(names ...string) string {
	var out strings.Builder
	out.WriteString(`<manifest xmlns="http://www.imsglobal.org/xsd/imscp_v1p1"><resources>`)
	for _, name := range names {
		out.WriteString(`<resource type="x" href="` + name + `"><file href="` + name + `"/></resource>`)
	}
	return out.String() + `</resources></manifest>`
}

func TestReadsPackagesOfQTI(t *testing.T) {
	one := item2(keyA, strings.Replace(choiceBody, "<p>Q", `<p>Q <img src="../pics/a%20b.png" alt="A"/>`, 1), match)
	two := item2(keyAB, severalBody, match)
	test := `<assessmentTest title="Exam"><testPart><timeLimits maxTime="90"/><assessmentSection identifier="s" ` +
		`title="First">` +
		`<selection select="1"/><rubricBlock view="candidate"><p>Hello</p></rubricBlock><assessmentItemRef identifier="b" ` +
		`href="items/two.xml"><weight identifier="W" value="2.5"/></assessmentItemRef><assessmentItemRef identifier="z" ` +
		`href="items/gone.xml"/></assessmentSection></testPart></assessmentTest>`
	content := zipped(t, "p/imsmanifest.xml", manifestOf("items/one.xml", "test.xml"), "p/items/one.xml", one,
		"p/items/two.xml", two,
		"p/test.xml", test, "p/pics/a b.png", string(contentOf(t, pixel)), "../evil.xml", one)
	imported, err := Read(Source{Content: content})
	if err != nil {
		t.Fatal(err)
	}
	want := `MULTIPLE_CHOICE "P" 2.5p *"a" *"b" "c"` + "\n" + `SINGLE_CHOICE "Q ![A](media:import-1)\n\nP" *"a" "b"` +
		"\n" +
		`source {setting_dropped selection 1; not_understood items/gone.xml}`
	if got := summary(imported); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	stage := imported.Draft.Stages[0]
	if imported.Draft.Title != "Exam" || stage.Title != "First" || *stage.TimeLimitMinutes != 2 ||
		*stage.Description != "Hello" {
		t.Errorf("draft %+v", imported.Draft)
	}
	if place := imported.Report.Questions[0].Place; place.ID != "p/items/two.xml" {
		t.Errorf("place %+v", place)
	}
	if len(imported.Pictures) != 1 {
		t.Errorf("%d pictures", len(imported.Pictures))
	}
}

func TestPackagesAreBounded(t *testing.T) {
	bomb := zipped(t, "imsmanifest.xml", manifestOf("a.xml"), "a.xml", strings.Repeat(" ", 8<<20))
	imported, err := Read(Source{Content: bomb})
	if err != nil || len(imported.Report.Questions) != 0 || imported.Report.Notes[0].Code != NotUnderstood {
		t.Errorf("a bomb: %v, %+v", err, imported.Report)
	}
	var many []string
	for range maxEntries + 1 {
		many = append(many, "imsmanifest.xml", "")
	}
	if _, err := Read(Source{Content: zipped(t, many...), Options: Options{Format: QTI}}); !errors.Is(err, ErrTooLarge) {
		t.Errorf("too many files: %v", err)
	}
	content := zipped(t, "imsmanifest.xml", manifestOf("a.xml"), "a.xml", item2(keyA, choiceBody, match))
	if _, err := Read(Source{Content: content[:len(content)-10], Options: Options{Format: QTI}}); !errors.Is(err,
		ErrDamaged) {
		t.Errorf("a damaged package: %v", err)
	}
	nested := zipped(t, "imsmanifest.xml", manifestOf("a.zip"), "a.zip", string(content))
	if _, err := Read(Source{Content: nested}); !errors.Is(err, ErrEmpty) {
		t.Errorf("a package in a package: %v", err)
	}
	if _, err := Read(Source{Content: zipped(t, "a.xml", "<a/>")}); !errors.Is(err, ErrUnknownFormat) {
		t.Errorf("a ZIP file without a manifest: %v", err)
	}
}

func TestXMLIsBounded(t *testing.T) {
	for name, row := range map[string]struct {
		content string
		want    NoteCode
	}{
		"depth":    {"<questestinterop>" + strings.Repeat("<a>", 300), NotClosed},
		"elements": {"<questestinterop>" + strings.Repeat("<a/>", maxXMLNodes), NotClosed},
		"entities": {`<!DOCTYPE q [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><questestinterop>&b;</questestinterop>`,
			MarkupChanged},
		"external": {`<!DOCTYPE q [<!ENTITY a SYSTEM "file:///etc/passwd">]><questestinterop>&a;</questestinterop>`,
			MarkupChanged},
		"encoding": {`<?xml version="1.0" encoding="x-none"?><questestinterop/>`, ""},
	} {
		imported, err := Read(Source{Content: []byte(row.content), Options: Options{Format: QTI}})
		if row.want == "" {
			if !errors.Is(err, ErrDamaged) {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if err != nil || imported.Report.Notes[0].Code != row.want {
			t.Errorf("%s: %v, %+v", name, err, imported.Report.Notes)
		}
	}
}

func TestEncodingsOfXML(t *testing.T) {
	item := item2(keyA, strings.Replace(choiceBody, ">Q<", ">Größe €<", 1), match)
	want := `SINGLE_CHOICE "Größe €\n\nP" *"a" "b"`
	utf16 := []byte{0xff, 0xfe}
	for _, r := range item {
		utf16 = append(utf16, byte(r), byte(r>>8))
	}
	windows := strings.NewReplacer("UTF-8", "windows-1252", "ö", "\xf6", "ß", "\xdf", "€", "\x80").Replace(item)
	for name, content := range map[string]string{
		"UTF-8": item, "a mark of UTF-8": "\xef\xbb\xbf" + item, "UTF-16": string(utf16), "Windows": windows,
	} {
		reads(t, Auto, name, content, want)
	}
}
