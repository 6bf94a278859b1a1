package exchange

import (
	"strings"
	"testing"
)

// Inputs that an earlier reader read wrongly. Each is a source of a wrong key or of a changed text.

func TestPastedTextIsNotChanged(t *testing.T) {
	check(t, Text, []textCase{
		{
			name:      "a function of x is no mark",
			text:      "Derivative of sin(x)?\nA) cos(x)\nB) tan(x)\nC) 1\nAnswer: A",
			questions: []string{"S: Derivative of sin(x)? = *cos(x) | tan(x) | 1"},
		},
		{
			name:      "stars outranked by an answer",
			text:      "Which is the address of x?\nA) *x\nB) &x\nC) x\nAnswer: B",
			questions: []string{"S: Which is the address of x? = *x | *&x | x"},
		},
		{
			name:      "stars in one question, an answer in another one",
			text:      "1. Which?\nA) *x\nB) x\n\n2. Which?\nA) x\nB) y\nAnswer: B",
			questions: []string{"S: Which? = *x | x", "S: Which? = x | *y"},
			notes:     []string{"1 key_missing: Which?"},
		},
		{
			name:      "marks of two kinds are text",
			text:      "Which is a string?\nA) char\nB) char*\nC) char**",
			questions: []string{"S: Which is a string? = char | char* | char**"},
			notes:     []string{"1 keys_disagree: Which is a string?", "1 key_missing: Which is a string?"},
		},
		{
			name:      "a bold text in a box that is not ticked",
			text:      "Where?\n- [ ] **Tools > Protect**\n- [x] File > Protect",
			questions: []string{"S: Where? = **Tools > Protect** | *File > Protect"},
		},
		{
			name:      "boxes of which none is ticked",
			text:      "Where?\n- [ ] **Tools > Protect**\n- [ ] File > Protect",
			questions: []string{"S: Where? = **Tools > Protect** | File > Protect"},
			notes:     []string{"1 key_missing: Where?"},
		},
		{
			name:      "a note after the options",
			text:      "Which?\n- [ ] One\n- [x] Two\n\n**Note:** the manual explains it.",
			questions: []string{"S: Which? = One | *Two because the manual explains it."},
		},
		{
			name: "a fenced block keeps its indentation",
			text: "What does it print?\n\n```python\ndef f():\n    return 1\n\nprint(f())\n```\n\nA) 1\nB) " +
				"None\nAnswer: A",
			questions: []string{"S: What does it print?\n\n```python\ndef f():\n    return 1\n\nprint(f())\n``` = *1 | None"},
		},
		{
			name:      "a fenced file has no options",
			text:      "What does this ignore?\n```\n*.log\n- build\nA) x\n```\nAnswer: logs",
			questions: []string{"S: What does this ignore?\n```\n*.log\n- build\nA) x\n``` = \"logs\""},
		},
		{
			name:      "powers",
			text:      "How much is 2<sup>10</sup>?\nA) 2<sup>3</sup>\nB) 1024\nAnswer: B",
			questions: []string{"S: How much is 2¹⁰? = 2³ | *1024"},
		},
		{
			name:      "the words correct answer behind an option",
			text:      "Which?\nA. One\nB. Two (Correct Answer)\nC. Three **(correct)**",
			questions: []string{"M: Which? = One | *Two | *Three"},
		},
		{
			name: "an answer in details",
			text: "Which?\nA) One\nB) Two\n\n<details>\n<summary>Answer</summary>\n\nCorrect answer: B\n\nTwo is even.\n" +
				"</details>\n\nWhich else?\nA) Three\nB) Four\n<details><summary>Show</summary>Answer: A</details>",
			questions: []string{"S: Which? = One | *Two because Two is even.", "S: Which else? = *Three | Four"},
		},
		{
			name:      "headings as questions",
			text:      "# Quiz\n\n## What is even?\n- [ ] One\n- [x] Two\n\n## The odd one\n- [x] One\n- [ ] Two\n",
			questions: []string{"S: What is even? = One | *Two", "S: The odd one = *One | Two"},
			notes:     []string{"1 heading_ignored: # Quiz"},
		},
		{
			name:      "a star in a box",
			text:      "Which?\n[ ] One\n[*] Two\n\nWho?\n- [ ] Ada\n- [*] Bob",
			questions: []string{"S: Which? = One | *Two", "S: Who? = Ada | *Bob"},
		},
		{
			name:      "bullets of stars with boxes",
			text:      "Which?\n* [ ] One\n* [x] Two",
			questions: []string{"S: Which? = One | *Two"},
		},
		{
			name:      "a rule ends a question",
			text:      "Which?\nA) One *\nB) Two\n---\nThe next part has one question.\nWho?\nA) Ada *\nB) Bob",
			questions: []string{"S: Which? = *One | Two", "S: The next part has one question.\nWho? = *Ada | Bob"},
		},
		{
			name:      "a letter that is the text of another option",
			text:      "Which letter is a vowel?\nA) B\nB) A\nC) C\nAnswer: A",
			questions: []string{"S: Which letter is a vowel? = B | A | C"},
			notes:     []string{"5 keys_disagree: A"},
		},
		{
			name:      "a number that is the text of an option and the position of another",
			text:      "How many?\n- 5\n- 6\n- 4\n- 1\nAnswer: 1",
			questions: []string{"S: How many? = 5 | 6 | 4 | 1"},
			notes:     []string{"6 keys_disagree: 1"},
		},
		{
			name:      "a number below letters is a text",
			text:      "How many?\nA) 5\nB) 6\nC) 4\nD) 1\nAnswer: 1",
			questions: []string{"S: How many? = 5 | 6 | 4 | *1"},
		},
		{
			name:      "ticks and an answer that disagree",
			text:      "Which?\n- [x] One\n- [ ] Two\nAnswer: Two",
			questions: []string{"S: Which? = One | Two"},
			notes:     []string{"4 keys_disagree: Two"},
		},
		{
			name:      "two answers that disagree",
			text:      "Which?\nA) One\nB) Two\nAnswer: A\nCorrect answer: B",
			questions: []string{"S: Which? = One | Two"},
			notes:     []string{"5 keys_disagree: Correct answer: B"},
		},
		{
			name:      "an option that names two others",
			text:      "Which?\nA) x\nB) y\nC) A and B\nAnswer: A and B",
			questions: []string{"S: Which? = x | y | A and B"},
			notes:     []string{"5 keys_disagree: A and B"},
		},
		{
			name:      "an answer with its reason",
			text:      "Which?\nA) One\nB) Two\n**Answer: B. It is even.**",
			questions: []string{"S: Which? = One | *Two because It is even."},
		},
		{
			name: "times, codes, and ratios are texts",
			text: "When?\nAnswer: 10:30\n\nWhich agent?\nAnswer: 007\n\nHow many?\nAnswer: 60.\n\nHow long?\nAnswer: " +
				"10 ± 5%",
			questions: []string{`S: When? = "10:30"`, `S: Which agent? = "007"`, "N: How many? = 60 ± 0",
				"N: How long? = 10 ± 0.5"},
		},
		{
			name:      "numbers of a language",
			text:      "How many?\nAntwort: 1.000\n\nWie viel?\nAntwort: 3,141",
			language:  "de",
			questions: []string{"N: How many? = 1000 ± 0", "N: Wie viel? = 3.141 ± 0"},
		},
		{
			name:      "code as an answer is one answer",
			text:      "Which operator?\nAnswer: a || b\n\nHow?\nAnswer: `x; y`\n\nWrite it.\nAnswer: i++;",
			questions: []string{`S: Which operator? = "a || b"`, `S: How? = "x; y"`, `S: Write it. = "i++;"`},
		},
		{
			name: "types by name",
			text: "Sort these.\nType: ordering\n- a\n- b\n\nName it.\nType: short answer\nAnswer: 42\n\nPick.\nType: " +
				"multiple response\n- [x] a\n- [ ] b",
			questions: []string{`S: Name it. = "42"`, "M: Pick. = *a | b"},
			notes:     []string{"2 type_unsupported: Type: ordering"},
		},
		{
			name:      "a table in a question",
			text:      "Which row is larger?\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nA) First\nB) Second *",
			questions: []string{"S: Which row is larger?\n\n| a | b |\n|---|---|\n| 1 | 2 | = First | *Second"},
		},
		{
			name:      "options of code",
			text:      "Which loops?\nA)\n```\nfor {\n\tx++\n}\n```\nB)\n```\nif x {}\n```\nAnswer: A",
			questions: []string{"S: Which loops? = *```\nfor {\n\tx++\n}\n``` | ```\nif x {}\n```"},
		},
	})
}

func TestGIFTReportsWhatItDrops(t *testing.T) {
	check(t, GIFT, []textCase{
		{
			name: "a marker in a short answer", text: "Capital?{=[plain]Vienna}",
			questions: []string{`S: Capital? = "Vienna"`},
		},
		{
			name: "each mark begins an option", text: "Which?{=four~five=six}",
			questions: []string{"M: Which? = *four | five | *six"},
			notes:     []string{"1 several_correct: Which?", "1 penalty_added: Which?"},
		},
		{
			name: "a wildcard", text: "Which cloud?{=*azure* =Azure =a*e}",
			questions: []string{`S: Which cloud? = "azure" or "Azure"`},
			notes:     []string{"1 wildcard_unsupported: *azure*", "1 wildcard_unsupported: a*e"},
		},
		{
			name: "a penalty", text: "Which?{ ~%50%A ~%50%B ~%-100%C }",
			questions: []string{"M: Which? = *A | *B | C"},
			notes:     []string{"1 penalty_dropped: C"},
		},
		{
			name: "two gaps", text: "The {=cat} eats the {=mouse}.",
			notes: []string{"1 several_gaps: The {=cat} eats the {=mouse}."},
		},
		{
			name: "stars of a plain text", text: "[plain]What is *azure*?{T}",
			questions: []string{`S: What is \*azure\*? = *True | False`},
		},
		{
			name: "a header of C in Moodle's own format", text: "What is in <stdio.h>?{=printf}",
			questions: []string{`S: What is in <stdio.h>? = "printf"`},
		},
		{
			name: "powers", text: "[html]2<sup>10</sup>?{=1024}",
			questions: []string{`S: 2¹⁰? = "1024"`},
		},
		{
			name: "two categories with the same last name",
			text: "$CATEGORY: a/Basics\n\nOne?{T}\n\n$CATEGORY: b/Basics\n\nTwo?{T}",
			questions: []string{
				"# a / Basics", "S: One? = *True | False", "# b / Basics", "S: Two? = *True | False",
			},
		},
	})
}

func TestRecognition(t *testing.T) {
	for _, c := range []struct {
		name, text, file string
		want             Format
	}{
		{"GIFT", "::Q:: Which? {=a ~b}", "", GIFT},
		{"the name of a file", "Which?", "quiz.gift", GIFT},
		{"an essay", "Write a poem. {}", "", GIFT},
		{"a qualified name in code", "What does it print?\n```\n::std::cout << 1;\nint a[]{=1};\n```\nA) 1\nB) " +
			"2\nAnswer: A", "", Text},
		{"a qualified name outside of a fence", "What does it print?\n::printf(\"1\");\nA) 1\nB) 2\nAnswer: A", "", Text},
		{"a template", "What does {#each items} do?\nA) Loops\nB) Nothing\nAnswer: A", "", Text},
		{"a Svelte block", "```\n{#if x}\n```\nAnswer: B", "", Text},
		{"Aiken", "Which?\nA. One\nB. Two\nANSWER: B\n", "", Aiken},
		{"text that is nearly Aiken", "Which?\nA. One\nB. Two\nAnswer: B\n", "", Text},
		{"text", "Which?\n* One\n* Two", "", Text},
	} {
		formats := Recognise(Source{Content: []byte(c.text), FileName: c.file})
		if len(formats) == 0 || formats[0] != c.want {
			t.Errorf("%s: recognised %v, want %s", c.name, formats, c.want)
		}
	}
}

// A brace that is not closed is named, however long its text is.
func TestUnclosedBraceOfALongText(t *testing.T) {
	text := "::Q:: Which? {=" + strings.Repeat("~a wrong answer = with marks # and feedback\n\n", 10_000)
	if len(text) < 436<<10 {
		t.Fatal("the text is too short")
	}
	imported, err := Read(Source{Content: []byte(text), Options: Options{Format: GIFT}})
	if err != nil || len(imported.Report.Questions) != 1 || imported.Report.Questions[0].Notes[0].Code != NotClosed {
		t.Fatalf("read %+v, %v", imported.Report.Questions, err)
	}
}
