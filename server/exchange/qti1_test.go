package exchange

import (
	"strings"
	"testing"
)

// item1Of returns a file of QTI 1.2 with one item: its metadata, its presentation, and what follows.
func item1Of(kind, presentation, rest string) string {
	return `<?xml version="1.0"?><questestinterop xmlns="http://www.imsglobal.org/xsd/ims_qtiasiv1p2"><assessment ` +
		`title="Quiz">` +
		`<section ident="root_section"><item ident="i1" title="T"><itemmetadata><qtimetadata><qtimetadatafield><fieldlabel>` +
		`question_type</fieldlabel><fieldentry>` + kind + `</fieldentry></qtimetadatafield><qtimetadatafield><fieldlabel>` +
		`points_possible</fieldlabel><fieldentry>2.0</fieldentry></qtimetadatafield></qtimetadata></itemmetadata>` +
		`<presentation><material><mattext texttype="text/html">&lt;p&gt;Q &lt;b&gt;x&lt;/b&gt;&lt;/p&gt;</mattext>` +
		`</material>` +
		presentation + `</presentation>` + rest + `</item></section></assessment></questestinterop>`
}

func labels(cardinality string, texts ...string) string {
	var out strings.Builder
	out.WriteString(`<response_lid ident="r" rcardinality="` + cardinality + `"><render_choice>`)
	for i, text := range texts {
		out.WriteString(`<response_label ident="` + optionID(i) + `"><material><mattext texttype="text/plain">` +
			escapedXML(text) +
			`</mattext></material></response_label>`)
	}
	return out.String() + `</render_choice></response_lid>`
}

func when(conditions, score string) string {
	return `<respcondition continue="No"><conditionvar>` + conditions +
		`</conditionvar><setvar action="Set" varname="SCORE">` +
		score + `</setvar></respcondition>`
}

func is(value string) string { return `<varequal respident="r">` + value + `</varequal>` }

func scored(conditions ...string) string {
	return `<resprocessing><outcomes><decvar maxvalue="100" minvalue="0" varname="SCORE" vartype="Decimal"/></outcomes>` +
		strings.Join(conditions, "") + `</resprocessing>`
}

func TestReadsItemsOfQTI1(t *testing.T) {
	two, three := labels("Single", "one", "two"), labels("Multiple", "one", "two", "three")
	fib := `<response_str ident="r" rcardinality="Single"><render_fib><response_label ident="l"/></render_fib>` +
		`</response_str>`
	add := func(value, score string) string {
		return strings.Replace(when(is(value), score), `"Set"`, `"Add"`, 1)
	}
	const q = `"Q **x**" 2p`
	for _, row := range []struct{ name, content, want string }{
		{"one option", item1Of("multiple_choice_question", two, scored(when(is("b"), "100"))), "SINGLE_CHOICE " + q +
			` "one" *"two"`},
		{"plain texts", item1Of("multiple_choice_question", labels("Single", "<br />", "*a*"), scored(when(is("a"), "100"))),
			"SINGLE_CHOICE " + q + ` *"<br />" "\\*a\\*"`},
		{"true or false", item1Of("true_false_question", labels("Single", "True", "False"), scored(when(is("b"), "100"))),
			"SINGLE_CHOICE " + q + ` "True" *"False"`},
		{"several options", item1Of("multiple_answers_question", three, scored(when("<and>"+is("a")+"<not>"+is("b")+"</not>"+
			is("c")+"</and>", "100"))), "MULTIPLE_CHOICE " + q + ` *"one" "two" *"three" partial`},
		{"all or nothing", item1Of("", three, scored(when("<and>"+is("a")+"<not>"+is("b")+"</not>"+is("c")+"</and>", "100"))),
			"MULTIPLE_CHOICE " + q + ` *"one" "two" *"three"`},
		{"points are added", item1Of("", three, scored(add("a", "50"), add("c", "50"), add("b", "-50"))),
			"MULTIPLE_CHOICE " + q + ` *"one" "two" *"three" partial {penalty_dropped b}`},
		{"weights", item1Of("", two, scored(when(is("a"), "100"), when(is("b"), "50"))),
			"SINGLE_CHOICE " + q + ` *"one" "two" {weights_changed Q **x**}`},
		{"a key that is no option", item1Of("", two, scored(when(is("z"), "100"))),
			"SINGLE_CHOICE " + q + ` "one" "two" {answer_unknown z; key_missing Q **x**}`},
		{"no key", item1Of("", two, ""), "SINGLE_CHOICE " + q + ` "one" "two" {key_missing Q **x**}`},
		{"two keys", item1Of("", three, scored(when("<and>"+is("a")+is("b")+"</and>", "100"), when("<and>"+is("a")+is("c")+
			"</and>",
			"100"))), "MULTIPLE_CHOICE " + q + ` "one" "two" "three" {keys_disagree a, b; a, c; key_missing Q **x**}`},
		{"the maximum of the score", item1Of("", two, `<resprocessing><outcomes><decvar maxvalue="1" varname="SCORE"/>`+
			`</outcomes>`+
			`<respcondition title="correct"><conditionvar>`+is("a")+`</conditionvar><setvar action="Set" variablename="SCORE">`+
			`SCORE.max</setvar></respcondition><respcondition title="incorrect"><conditionvar><other/></conditionvar><setvar `+
			`variablename="SCORE">0.0</setvar></respcondition></resprocessing>`), "SINGLE_CHOICE " + q + ` *"one" "two"`},
		{"a short answer", item1Of("short_answer_question", fib, scored(when(is("Paris")+is("paris, France"), "100"))),
			"SHORT_TEXT " + q + ` ["Paris" "paris, France"]`},
		{"a short answer with its case", item1Of("short_answer_question", fib,
			scored(when(`<varequal respident="r" case="Yes">Paris`+
				`</varequal>`, "100"))), "SHORT_TEXT " + q + ` ["Paris"] case`},
		{"a part of an answer", item1Of("short_answer_question", fib,
			scored(when(`<varsubset respident="r">Par</varsubset>`, "100"))),
			"SHORT_TEXT " + q + ` ["Par"] {scoring_changed varsubset Par}`},
		{"a number", item1Of("numerical_question", fib, scored(when("<or>"+is("4")+
			"<and><vargte>3.5</vargte><varlte>4.5</varlte></and>"+
			"</or>", "100"))), "NUMERIC " + q + " =4±0.5"},
		{"a range", item1Of("numerical_question", fib, scored(when("<vargte>10</vargte><varlte>20</varlte>", "100"))),
			"NUMERIC " + q + " =15±5"},
		{"two numbers", item1Of("numerical_question", fib, scored(when(is("4"), "100"), when(is("5"), "100"))),
			"NUMERIC " + q + " {keys_disagree 4, 5; answer_missing Q **x**}"},
		{"half a range", item1Of("numerical_question", fib, scored(when("<vargte>10</vargte>", "100"))),
			"NUMERIC " + q + " {tolerance_invalid Q **x**; answer_missing Q **x**}"},
		{"an essay", item1Of("essay_question", fib, scored(when("<other/>", "0"))), "FREE_TEXT " + q},
		{"a text without a key", item1Of("", fib, ""), "FREE_TEXT " + q},
		{"two gaps", item1Of("fill_in_multiple_blanks_question", fib+fib, ""),
			"refused {type_unsupported fill_in_multiple_blanks_question}"},
		{"two texts", item1Of("", fib+fib, ""), "refused {several_gaps Q **x**}"},
		{"matching", item1Of("matching_question", two+two, ""), "refused {type_unsupported matching_question}"},
		{"two choices", item1Of("", two+two, ""), "refused {type_unsupported several responses}"},
		{"only a text", item1Of("text_only_question", "", ""), "refused {type_unsupported text_only_question}"},
		{"a file", item1Of("file_upload_question", "", ""), "refused {type_unsupported file_upload_question}"},
		{"a formula with variables", item1Of("calculated_question", fib, ""),
			"refused {type_unsupported calculated_question}"},
		{"feedback", item1Of("", two, scored(when(is("a"), "100"))+
			`<itemfeedback ident="general_fb"><material><mattext>E</mattext>`+
			`</material></itemfeedback><itemfeedback ident="a_fb"><material><mattext>Yes</mattext></material></itemfeedback>`),
			"SINGLE_CHOICE " + q + ` *"one" "two" ("E") {feedback_dropped Yes}`},
		{"a picture", item1Of("", `<material><matimage uri="a.png" label="A"/></material>`+two, scored(when(is("a"), "100"))),
			"SINGLE_CHOICE " + q + ` *"one" "two" {picture_dropped a.png}`},
	} {
		reads(t, Auto, row.name, row.content, row.want)
	}
}

func TestReadsBlackboardItems(t *testing.T) {
	text := func(content string) string {
		return `<flow class="Block"><material><mat_extension><mat_formattedtext type="HTML">` + content +
			`</mat_formattedtext></mat_extension></material></flow>`
	}
	item := func(kind, responses, rest string) string {
		return `<questestinterop><assessment title="Pool"><section><item><itemmetadata><bbmd_questiontype>` + kind +
			`</bbmd_questiontype><bbmd_partialcredit>false</bbmd_partialcredit><qmd_absolutescore_max>3.0` +
			`</qmd_absolutescore_max>` +
			`</itemmetadata><presentation><flow class="Block"><flow class="QUESTION_BLOCK">` + text("Q") +
			`</flow><flow class=` +
			`"RESPONSE_BLOCK">` + responses + `</flow></flow></presentation>` + rest +
			`</item></section></assessment></questestinterop>`
	}
	choice := `<response_lid ident="r" rcardinality="Single"><render_choice><flow_label><response_label ident="a">` +
		text("one") +
		`</response_label></flow_label><flow_label><response_label ident="b">` + text("two") +
		`</response_label></flow_label></render_choice></response_lid>`
	correct := `<resprocessing><respcondition title="correct"><conditionvar><and>` + is("a") + `<not>` + is("b") +
		`</not></and>` +
		`</conditionvar><setvar variablename="SCORE" action="Set">SCORE.max</setvar></respcondition></resprocessing>`
	for _, row := range []struct{ name, content, want string }{
		{"several options", item("Multiple Answer", choice, correct), `MULTIPLE_CHOICE "Q" 3p *"one" "two"`},
		{"a short response", item("Short Response", `<response_str ident="r"><render_fib/></response_str>`,
			`<itemfeedback ident=`+
				`"solution"><solution><solutionmaterial>`+text("S")+`</solutionmaterial></solution></itemfeedback>`),
			`FREE_TEXT "Q" 3p ("S")`},
		{"an order", item("Ordering", choice, correct), `refused {type_unsupported Ordering}`},
		{"a scale", item("Opinion Scale/Likert", choice, ""), `refused {type_unsupported Opinion Scale/Likert}`},
	} {
		reads(t, Auto, row.name, row.content, row.want)
	}
}

func TestCanvasCartridgesAreReadOnce(t *testing.T) {
	full := item1Of("multiple_choice_question", labels("Single", "one", "two"), scored(when(is("b"), "100")))
	other := strings.Replace(full, "Quiz", "Second", 1)
	content := zipped(t, "imsmanifest.xml", manifestOf("g1/assessment_qti.xml", "g2/g2.xml"), "g1/assessment_qti.xml",
		full,
		"g2/g2.xml", other, "non_cc_assessments/g1.xml.qti", full)
	imported, err := Read(Source{Content: content})
	if err != nil {
		t.Fatal(err)
	}
	if len(imported.Report.Questions) != 2 || len(imported.Draft.Stages) != 2 || imported.Draft.Stages[1].Title != "Quiz" {
		t.Errorf("%d questions in %+v", len(imported.Report.Questions), imported.Draft.Stages)
	}
}
