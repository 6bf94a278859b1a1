package exchange

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

// Each input was once imported with a wrong key, a changed text, or a missing question.
func TestKnownTraps(t *testing.T) {
	for _, row := range []struct {
		name, text string
		format     Format // that is recognised
		questions  []string
		notes      []string
	}{
		{
			"a function of x", "Derivative of sin(x)?\nA) cos(x)\nB) tan(x)\nC) 1\nAnswer: A", Text,
			[]string{"S: Derivative of sin(x)? = *cos(x) | tan(x) | 1"}, nil,
		},
		{
			"pointers", "Which is the address?\nA) *x\nB) &x\nC) x\nAnswer: B", Text,
			[]string{"S: Which is the address? = *x | *&x | x"}, nil,
		},
		{
			"stars in a table", "Question,A,B,C,Correct\nWhich is a character?,char,char*,char**,A\n", CSV,
			[]string{"S: Which is a character? = *char | char* | char**"}, nil,
		},
		{
			"operators in a cell", "Question,Options,Correct\nWhich adds?,+;*;**;^,+\n", CSV,
			[]string{"S: Which adds? = *+ | * | ** | ^"}, nil,
		},
		{
			"bold in a box", "Where?\n- [ ] **Tools > Protect**\n- [x] File > Protect", Text,
			[]string{"S: Where? = **Tools > Protect** | *File > Protect"}, nil,
		},
		{
			"a note after the options", "Which?\n- [ ] One\n- [x] Two\n\n**Note:** the manual explains it.", Text,
			[]string{"S: Which? = One | *Two because the manual explains it."}, nil,
		},
		{
			"a number that is also a position", "Question,A,B,C,D,Correct\nHow many?,5,6,4,1,1\n", CSV,
			[]string{"S: How many? = 5 | 6 | 4 | 1"},
			[]string{"1 column_ambiguous: Correct", "2 column_ambiguous: 1", "2 key_missing: How many?"},
		},
		{
			"numbers, one only a position",
			"Question,A,B,C,D,Correct\nHow many?,5,6,4,1,1\nHow many more?,7,8,9,10,2\n", CSV,
			[]string{"S: How many? = *5 | 6 | 4 | 1", "S: How many more? = 7 | *8 | 9 | 10"}, nil,
		},
		{
			"indented code", "What does it print?\n\n```python\nif x:\n    print(1)\n```\n\nA) 1\nB) None\nAnswer: A", Text,
			[]string{"S: What does it print?\n\n```python\nif x:\n    print(1)\n``` = *1 | None"}, nil,
		},
		{
			"stars in code", "What does it ignore?\n```\n*.log\n```\nAnswer: logs", Text,
			[]string{"S: What does it ignore?\n```\n*.log\n``` = \"logs\""}, nil,
		},
		{
			"a power", "How much is 2<sup>10</sup>?\nA) 210\nB) 1024\nAnswer: B", Text,
			[]string{"S: How much is 2¹⁰? = 210 | *1024"}, nil,
		},
		{"a marker in an answer", "Capital?{=[plain]Vienna}", GIFT, []string{`S: Capital? = "Vienna"`}, nil},
		{
			"an equals sign begins an answer", "Which?{=four~five=six}", GIFT,
			[]string{"M: Which? = *four | five | *six"},
			[]string{"1 several_correct: Which?", "1 penalty_added: Which?"},
		},
		{
			"a wildcard", "Which cloud?{=*azure*}", GIFT, []string{`S: Which cloud? = "azure"`},
			[]string{"1 wildcard_unsupported: *azure*"},
		},
		{
			"a penalty", "Which?{ ~%50%A ~%50%B ~%-100%C }", GIFT, []string{"M: Which? = *A | *B | C"},
			[]string{"1 penalty_dropped: C"},
		},
		{
			"two gaps", "The {=cat} eats the {=mouse}.", GIFT, nil,
			[]string{"1 several_gaps: The {=cat} eats the {=mouse}."},
		},
		{
			"the words after an option", "Which?\nA. One\nB. Two (Correct Answer)", Text,
			[]string{"S: Which? = One | *Two"}, nil,
		},
		{
			"a list in the prompt above boxes",
			"Which two?\n\nA. Dodge\nB. Smudge\nC. Liquify\n\n- [ ] A, B\n- [x] B, C", Text,
			[]string{"S: Which two?\n\nA. Dodge\nB. Smudge\nC. Liquify = A, B | *B, C"}, nil,
		},
		{
			"a list below boxes", "Which?\n\n- [x] One\n- [ ] Two\n\n- One is first\n- Two is second", Text,
			[]string{"S: Which? = *One | Two"},
			[]string{"6 not_understood: - One is first", "7 not_understood: - Two is second"},
		},
		{
			"code in options", "Which?\n\n- [ ] A\n\n```\nx\n```\n\n- [x] B\n\n```\ny\n```\n\n" +
				"## Next?\n- [x] One\n- [ ] Two", Text,
			[]string{"S: Which? = A\n```\nx\n``` | *B\n```\ny\n```", "S: Next? = *One | Two"}, nil,
		},
		{
			"a block of code that is not closed",
			"## 1. Which?\n```css\nx\n ```md\n- [x] One\n- [ ] Two\n\n## 2. Next?\n- [ ] One\n- [x] Two", Text,
			[]string{"S: Next? = One | *Two"},
			[]string{"1 question_without_answer: Which? ```css x ```md - [x] One - [ ] Two", "8 not_closed: ## 2. Next?"},
		},
		{
			"an answer that is a heading", "Which?\n\n- A: One\n- B: Two\n\n<details><summary>Answer</summary>\n<p>\n\n" +
				"#### Answer: B\n\nBecause.\n\n</p>\n</details>", Text,
			[]string{"S: Which? = One | *Two because Because."}, nil,
		},
		{
			"a reference below the options", "Which?\n- [x] One\n- [ ] Two\n[Reference](https://a.example/x)", Text,
			[]string{"S: Which? = *One | Two"}, []string{"4 not_understood: [Reference](https://a.example/x)"},
		},
		{
			"letters behind bullets", "Which?\n\n- A: One\n- B: Two\n\nCorrect answer: B", Text,
			[]string{"S: Which? = One | *Two"}, nil,
		},
		{
			"letters that are texts", "Which?\n\n- B: One\n- A: Two\n\nCorrect answer: B: One", Text,
			[]string{"S: Which? = *B: One | A: Two"}, nil,
		},
		{
			"details", "Which?\nA) One\nB) Two\n<details>\n<summary>Answer</summary>\nCorrect answer: B\n</details>", Text,
			[]string{"S: Which? = One | *Two"}, nil,
		},
		{
			"headings", "## What is even?\n- [ ] One\n- [x] Two\n\n## The odd one\n- [x] One\n- [ ] Two\n", Text,
			[]string{"S: What is even? = One | *Two", "S: The odd one = *One | Two"}, nil,
		},
		{"a star in a box", "Which?\n[ ] One\n[*] Two", Text, []string{"S: Which? = One | *Two"}, nil},
		{
			"a qualified name", "What does it print?\n::printf(\"1\");\nA) 1\nB) 2\nAnswer: A", Text,
			[]string{"S: What does it print?\n::printf(\"1\"); = *1 | 2"}, nil,
		},
		{
			"a template", "What does {#each items} do?\nA) Loops\nB) Nothing\nAnswer: A", Text,
			[]string{"S: What does {#each items} do? = *Loops | Nothing"}, nil,
		},
	} {
		t.Run(row.name, func(t *testing.T) {
			imported, err := Read(Source{Content: []byte(row.text)})
			if err != nil || imported.Report.Format != row.format {
				t.Fatalf("read as %s, %v, want %s", imported.Report.Format, err, row.format)
			}
			if got := briefDraft(imported.Draft); !slices.Equal(got, row.questions) {
				t.Errorf("questions %q, want %q", got, row.questions)
			}
			if got := briefNotes(imported.Report); !slices.Equal(got, row.notes) {
				t.Errorf("notes %q, want %q", got, row.notes)
			}
		})
	}
}

// A person can choose another format than the one that is recognised.
func TestChosenFormat(t *testing.T) {
	source := Source{Content: []byte("::Q:: What is {#1} in text?"), Options: Options{Format: Text}}
	imported, err := Read(source)
	if err != nil || imported.Report.Format != Text || imported.Report.Recognised[0] != GIFT {
		t.Errorf("read as %s of %s, %v", imported.Report.Format, imported.Report.Recognised, err)
	}
}

// A damaged archive is a package also if the damage has removed what is no text in it.
func TestDamagedPackages(t *testing.T) {
	whole := zipped(t, "imsmanifest.xml", manifestOf("a.xml"), "a.xml", "<quiz/>")
	for _, row := range []struct {
		name, file string
		content    []byte
		format     Format
	}{
		{"cut", "", whole[:len(whole)/2], QTI},
		{"without zeros", "", []byte(strings.ReplaceAll(string(whole), "\x00", "")), QTI},
		{"a workbook", "questions.XLSX", whole[:len(whole)/2], XLSX},
		{"only the beginning", "", []byte("PK\x03\x04"), QTI},
		{"an end alone", "", []byte("PK\x05\x06 Which?\nA) One\nB) Two"), QTI},
	} {
		source := Source{Content: row.content, FileName: row.file}
		if got := Recognise(source); !slices.Equal(got, []Format{row.format}) {
			t.Errorf("%s: recognised as %s", row.name, got)
		}
		if _, err := Read(source); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: %v", row.name, err)
		}
	}
}
