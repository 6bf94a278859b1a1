package attack

import (
	"bytes"
	"fmt"
	"strings"

	"assay/server/cmd/lab/rig"
)

// shape is a body of nearly the permitted size.
type shape struct {
	name string
	body rig.Raw
}

// fill repeats a text between head and tail up to the size.
func fill(head, repeated, tail string, size int) rig.Raw {
	times := max(0, (size-len(head)-len(tail)-1)/len(repeated))
	return rig.Raw(head + strings.TrimSuffix(strings.Repeat(repeated, times), ",") + tail)
}

// numbered is fill with a number in each repetition.
func numbered(head, format, tail string, size int) rig.Raw {
	var out bytes.Buffer
	out.WriteString(head)
	for n := 0; out.Len()+len(format)+len(tail)+12 < size; n++ {
		if n > 0 {
			out.WriteByte(',')
		}
		_, _ = fmt.Fprintf(&out, format, n)
	}
	out.WriteString(tail)
	return out.Bytes()
}

// generalShapes are hostile for any operation that reads JSON. field is one of its
// fields.
func generalShapes(field string, size int) []shape {
	quoted := `{"` + field + `":`
	return []shape{
		{"unknown fields", numbered("{", `"f%d":1`, "}", size)},
		{"one field twice", fill("{", `"`+field+`":1,`, "}", size)},
		{"deep arrays", append(fill(quoted, "[", "", size/2), fill("", "]", "}", size/2)...)},
		{"deep objects", append(fill("", `{"a":`, "1", size*5/6), fill("", "}", "", size/6)...)},
		{"long string", fill(quoted+`"`, "x", `"}`, size)},
		{"escapes", fill(quoted+`"`, `\u0041`, `"}`, size)},
		{"not UTF-8", fill(quoted+`"`, "\xff", `"}`, size)},
		{"long number", fill(quoted, "9", "}", size)},
		{"array of numbers", fill(quoted+"[", "1,", "]}", size)},
		{"array of empty objects", fill(quoted+"[", "{},", "]}", size)},
		{"array of empty arrays", fill(quoted+"[", "[],", "]}", size)},
		{"array of strings", numbered(quoted+"[", `"%d"`, "]}", size)},
		{"white space", fill(quoted, " \n", "1}", size)},
		{"not closed", fill(quoted+"[", `{"a":`, "", size)},
	}
}

// wrongRow and wrongQuestion are wrong in every field.
const wrongRow = `{"assessmentId":7,"candidateName":"","candidateEmail":"x","metadata":{"a":[{}]},"q":1},`

const wrongQuestion = `{"type":"SINGLE_CHOICE","prompt":7,"points":-1,"options":[{},{},{}],"correctOptionId":"","q":1},`

func bulkShapes(size int) []shape {
	return append(generalShapes("rows", size),
		shape{"87,000 rows {}", fill(`{"rows":[`, "{},", "]}", 87_000*3+20)},
		shape{"rows with every fault", fill(`{"rows":[`, wrongRow, "]}", size)},
		shape{"500 rows with much metadata", fill(`{"rows":[`,
			`{"assessmentId":"asm_x","candidateName":"N","candidateEmail":"n@x.example","metadata":{`+
				strings.TrimSuffix(strings.Repeat(`"k":"v",`, 200), ",")+`}},`, "]}", size)},
	)
}

func assessmentShapes(size int) []shape {
	stages := func(questions string) rig.Raw {
		return fill(`{"title":"T","stages":[{"title":"S","questions":[`, questions, "]}]}", size)
	}
	manyStages := fill(`{"title":"T","stages":[`, `{"title":"S","questions":[{},{}]},`, "]}", size)
	markdown := func(text string) rig.Raw {
		return rig.Raw(`{"title":"T","instructions":"` + strings.Repeat(text, 9990/len(text)) + `"}`)
	}
	return append(generalShapes("stages", size),
		shape{"questions {}", stages("{},")},
		shape{"questions with every fault", stages(wrongQuestion)},
		shape{"many stages", manyStages},
		shape{"valid, 500 questions", valid(500, 1800)},
		shape{"valid, 500 questions with 20 options", options(500, 20)},
		shape{"Markdown: brackets", markdown("[")}, shape{"Markdown: stars", markdown("**a*")},
		shape{"Markdown: quotes", markdown(">")}, shape{"Markdown: links", markdown("[a](")},
		shape{"Markdown: lists", markdown("- ")}, shape{"Markdown: ticks", markdown("`a``")},
	)
}

// valid is an assessment that is accepted.
func valid(questions, promptLength int) rig.Raw {
	one := `{"type":"SHORT_TEXT","points":1,"acceptedAnswers":["because"],"prompt":"` +
		strings.Repeat("why ", promptLength/4) + `"},`
	return rig.Raw(`{"title":"Valid","stages":[{"title":"S","questions":[` +
		strings.TrimSuffix(strings.Repeat(one, questions), ",") + `]}]}`)
}

func options(questions, count int) rig.Raw {
	var list []string
	for n := range count {
		list = append(list, fmt.Sprintf(`{"id":"o%d","text":"an option %d"}`, n, n))
	}
	one := `{"type":"SINGLE_CHOICE","points":1,"prompt":"why","correctOptionId":"o1","options":[` +
		strings.Join(list, ",") + `]},`
	return rig.Raw(`{"title":"Valid","stages":[{"title":"S","questions":[` +
		strings.TrimSuffix(strings.Repeat(one, questions), ",") + `]}]}`)
}

func answerShapes(size int) []shape {
	change := `{"questionId":7,"answer":{"optionIds":[{},{}]},"revision":-1,"seenRevision":"x"},`
	return append(generalShapes("answers", size),
		shape{"changes with every fault", fill(`{"stageId":"s","clientId":"c","answers":[`, change, "]}", size)},
		shape{"changes {}", fill(`{"stageId":"s","clientId":"c","answers":[`, "{},", "]}", size)},
	)
}
