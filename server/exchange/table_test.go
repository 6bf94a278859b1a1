package exchange

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"assay/store/rules"
)

// briefOf writes a draft in short: a line for each question, and for each stage if there are several.
func briefOf(imported Imported) (lines []string) {
	for _, stage := range imported.Draft.Stages {
		if len(imported.Draft.Stages) > 1 {
			lines = append(lines, "# "+stage.Title)
		}
		for _, question := range stage.Questions {
			lines = append(lines, briefQuestion(question))
		}
	}
	return lines
}

func briefQuestion(q rules.Question) string {
	text := map[rules.QuestionType]string{
		rules.SingleChoice: "S: ", rules.MultipleChoice: "M: ", rules.Numeric: "N: ", rules.ShortText: "T: ",
		rules.FreeText: "F: ",
	}[q.Type] + q.Prompt
	if q.Points != 1 {
		text += " (" + formatNumber(q.Points) + ")"
	}
	var parts []string
	for i, option := range q.Options {
		mark := ""
		if slices.Contains(keyLetters(q), optionName(i)) {
			mark = "!"
		}
		parts = append(parts, mark+option.Text)
	}
	switch {
	case q.HasOptions():
		text += " = " + strings.Join(parts, " / ")
	case q.Type == rules.ShortText:
		text += fmt.Sprintf(" = %q", q.AcceptedAnswers)
	case q.Answer != nil:
		text += " = " + formatNumber(*q.Answer)
	}
	if q.Tolerance != 0 {
		text += " ± " + formatNumber(q.Tolerance)
	}
	if q.Explanation != nil {
		text += " because " + *q.Explanation
	}
	return text
}

// noteBriefs writes the notes that matter, in the order of the report: those about the whole first.
func noteBriefs(imported Imported) (lines []string) {
	add := func(notes []Note) {
		for _, note := range notes {
			lines = append(lines, fmt.Sprintf("%d %s: %s", note.Line, note.Code, note.Text))
		}
	}
	add(imported.Report.Notes)
	for _, item := range imported.Report.Questions {
		add(item.Notes)
	}
	return lines
}

const gas = "S: Which gas? = Oxygen / !Carbon dioxide / Helium"

type tableCase struct {
	name, text string
	columns    []Role
	language   string
	want       []string
	notes      []string
}

func tableCases() []tableCase {
	return []tableCase{
		{name: "a column for each option, and a letter",
			text: "Question,A,B,C,Correct\nWhich gas?,Oxygen,Carbon dioxide,Helium,B", want: []string{gas}},
		{name: "semicolons, as Excel writes them in Europe",
			text: "Question;A;B;C;Correct\r\nWhich gas?;Oxygen;Carbon dioxide;Helium;b\r\n", want: []string{gas}},
		{name: "the separator in the first line",
			text:  "sep=;\r\nQuestion;A;B;C;Correct\r\nWhich gas?;Oxygen;Carbon dioxide;Helium;Z\r\n",
			want:  []string{"S: Which gas? = Oxygen / Carbon dioxide / Helium"},
			notes: []string{"3 answer_unknown: Z", "3 key_missing: Which gas?"}},
		{name: "tabs", text: "Question\tOption A\tOption B\tOption C\tAnswer\nWhich gas?\tOxygen\tCarbon dioxide\tHelium\tB",
			want: []string{gas}},
		{name: "bars", text: "Question|Option A|Option B|Option C|Answer\nWhich gas?|Oxygen|Carbon dioxide|Helium|B",
			want: []string{gas}},
		{name: "a byte order mark, quotes, and spaces",
			text: "\ufeff\"Question\" , \"Option 1\",\"Option 2\",\"Option 3\" ,\"Correct Answer\"\n" +
				`"Which gas?","Oxygen","Carbon dioxide","Helium","2"`, want: []string{gas}},
		{name: "the text of the correct option",
			text: "prompt,choice 1,choice 2,choice 3,key\nWhich gas?,Oxygen,Carbon dioxide,Helium,carbon dioxide",
			want: []string{gas}},
		{name: "names as programs write them",
			text: "questionText,option1,option2,option3,correctAnswer\nWhich gas?,Oxygen,Carbon dioxide,Helium,Carbon dioxide",
			want: []string{gas}},
		{name: "stars in the options, without a key", text: "Question,A,B,C\nWhich gas?,Oxygen,*Carbon dioxide,Helium",
			want: []string{gas}},
		{name: "all options in one cell", text: "Question,Options,Correct\nWhich gas?,Oxygen | Carbon dioxide | Helium,B",
			want: []string{gas}},
		{name: "all options in one cell, with letters and line ends",
			text: "Question,Options,Correct\n\"Which gas?\",\"A) Oxygen\nB) Carbon dioxide\nC) Helium\",B", want: []string{gas}},
		{name: "all options in one cell, with semicolons",
			text: "Question,Answers,Correct\nWhich gas?,Oxygen; Carbon dioxide (correct); Helium,", want: []string{gas}},
		{name: "all options in one cell, with commas",
			text: "Question,Choices,Correct\nWhich gas?,\"Oxygen, Carbon dioxide, Helium\",Carbon dioxide", want: []string{gas}},
		{name: "a list as programs write it",
			text: "Question,Choices,Correct\nWhich?,\"[\"\"a, b\"\", \"\"c; d\"\"]\",\"c; d\"",
			want: []string{"S: Which? = a, b / !c; d"}},
		{name: "German names of columns",
			text: "Frage;Antwort A;Antwort B;Antwort C;Richtig;Punkte;Teil;Erklärung\n" +
				"Welches Gas?;Sauerstoff;Kohlendioxid;Helium;B;2,5;Luft;Siehe Kapitel 3",
			want: []string{"S: Welches Gas? (2.5) = Sauerstoff / !Kohlendioxid / Helium because Siehe Kapitel 3"}},
		{name: "German names with umlauts and capitals",
			text: "FRAGETEXT;ANTWORTMÖGLICHKEITEN;LÖSUNG\nWelches Gas?;Sauerstoff|Helium;A",
			want: []string{"S: Welches Gas? = !Sauerstoff / Helium"}},
		{name: "several correct options",
			text: "Question,A,B,C,Correct\nWhich?,2,4,5,\"A, C\"\nWhich too?,2,4,5,A;C\nWhich three?,2,4,5,AC",
			want: []string{"M: Which? = !2 / 4 / !5", "M: Which too? = !2 / 4 / !5", "M: Which three? = !2 / 4 / !5"}},
		{name: "several correct options by their texts",
			text: "Question,A,B,C,Correct\nWhich?,red,green,blue,\"red, blue\"", want: []string{"M: Which? = !red / green / " +
				"!blue"}},
		{name: "a number, a tolerance, and texts", text: "Question,Answer,Tolerance\nPi?,3.14,0.01\nCapital?,Vienna | Wien,",
			want: []string{"N: Pi? = 3.14 ± 0.01", `T: Capital? = ["Vienna" "Wien"]`}},
		{name: "types in words",
			text: "Question,Type,A,B,Correct\nOne?,multiple choice,x,y,A\nTwo?,multiple response,x,y,A\n" +
				"Three?,numeric,,,7\nFour?,short answer,,,7\nFive?,true/false,,,TRUE",
			want: []string{"S: One? = !x / y", "M: Two? = !x / y", "N: Three? = 7", `T: Four? = ["7"]`,
				"S: Five? = !True / False"}},
		{name: "German types",
			text: "Frage;Typ;A;B;Richtig\nEins?;Mehrfachauswahl;x;y;A,B\nZwei?;Zahl;;;7,5\nDrei?;Wahr/Falsch;;;Falsch",
			want: []string{"M: Eins? = !x / !y", "N: Zwei? = 7.5", "S: Drei? = Richtig / !Falsch"}},
		{name: "the answers of a text in the columns for options",
			text: "Question,Type,A,B,Correct\nCapital?,text,Vienna,\"Wien; Wean\",", want: []string{`T: Capital? = ["Vienna" ` +
				`"Wien; Wean"]`}},
		{name: "stages, in the order of their first question",
			text: "Stage,Question,Answer\nAir,One?,1\nWater,Two?,2\nAir,Three?,3",
			want: []string{"# Air", "N: One? = 1", "N: Three? = 3", "# Water", "N: Two? = 2"}},
		{name: "commas, quotes, and line ends in cells",
			text: "Question,A,B,Correct\n\"Who said \"\"Eureka\"\",\nand where?\",\"Archimedes, in Syracuse\",Plato,A\nNext?," +
				"x,y,B",
			want: []string{"S: Who said \"Eureka\",\nand where? = !Archimedes, in Syracuse / Plato", "S: Next? = x / !y"}},
		{name: "a text that begins with a quote and goes on",
			text: "Question,A,B,Correct\n\"Eureka\" means?,found,lost,A", want: []string{`S: "Eureka" means? = !found / lost`}},
		{name: "indentation of code",
			text: "Question,A,B,Correct\n\"What?\n```\nif x:\n    y\n```\",x,y,A", want: []string{"S: What?\n```\nif x:\n    " +
				"y\n``` = !x / y"}},
		{name: "empty rows and empty options", text: "Question,A,B,C,D,Correct\n\nWhich?,x,y,,,A\n,,,,,\n",
			want: []string{"S: Which? = !x / y"}},
		{name: "a letter names a column, also behind an empty one", text: "Question,A,B,C,Correct\nWhich?,x,,z,C",
			want: []string{"S: Which? = x / !z"}},
		{name: "columns in another order", text: "Question,Option B,Option A,Correct\nWhich?,x,y,B",
			want: []string{"S: Which? = !x / y"}},
		{name: "further columns", text: "Timestamp,Question,Option A,Option B,Correct\n2026-01-01,Which?,x,y,A",
			want: []string{"S: Which? = !x / y"}, notes: []string{"1 column_unknown: Timestamp"}},
		{name: "an unknown column without values, and one that counts",
			text: "No.,Question,Remark,Answer\n1,One?,,1\n2,Two?,,2", want: []string{"N: One? = 1", "N: Two? = 2"}},
		{name: "the row of a note behind a cell with several lines",
			text: "Question,A,B,Correct\n\"One\n\ntwo?\",x,y,A\n\nThree?,x,y,Z", want: []string{"S: One\n\ntwo? = !x / y",
				"S: Three? = x / y"},
			notes: []string{"4 answer_unknown: Z", "4 key_missing: Three?"}},
		{name: "missing texts, types, points, and answers",
			text: "Question,Type,A,B,Correct,Points\n,,x,y,A,1\nOne?,origami,,,,1\nTwo?,number,,,,1\nThree?,,x,y,B,lots",
			want: []string{"N: Two?", "S: Three? = x / !y"},
			notes: []string{"2 prompt_missing: x / y / A / 1", "3 type_unknown: origami", "3 question_without_answer: One?",
				"4 answer_missing: Two?", "5 points_invalid: lots"}},
		{name: "a type that Assay does not have", text: "Question,Type,A,B,Correct\nOne?,Reorder,x,y,\"1,2\"\nTwo?,,x,y,1",
			want: []string{"S: Two? = !x / y"}, notes: []string{"2 type_unsupported: Reorder"}},
		{name: "free text by each of its names, with what a good answer contains",
			text: "Question,Type,Correct,Points,Explanation\nOne?,FREE_TEXT,,4,\nTwo?,Essay,Tasks and results,1,\n" +
				"Drei?,Freitext,,1,Nennt Fristen.",
			want: []string{"F: One? (4)", "F: Two? because Tasks and results", "F: Drei? because Nennt Fristen."}},
		{name: "a row with too many cells", text: "Question,Answer\nHow much, in euros?,5\nHow many?,6",
			want: []string{`T: How much = ["in euros?"]`, "N: How many? = 6"}, notes: []string{"2 row_too_long: 5"}},
		{name: "a number with two meanings", text: "Question;Answer\nHow many?;1.000", want: []string{"N: How many?"},
			notes: []string{"2 number_ambiguous: 1.000"}},
		{name: "a number with one meaning in its language", text: "Question;Answer\nHow many?;1.000", language: "de",
			want: []string{"N: How many? = 1000"}},
		{name: "no column with questions", text: "a,b\n1,2", notes: []string{"1 column_missing: a, b"}},
		{name: "quotes that do not end", text: "Question,A,B,Correct\nOne?,x,y,A\n\"Two?,x,y,B\nThree?,x,y,A",
			want: []string{"S: One? = !x / y"}, notes: []string{"3 not_closed: \"Two?,x,y,B Three?,x,y,A"}},
		{name: "more options than the contract permits",
			text:  "Question,Options,Correct\nWhich?," + strings.Repeat("x|", 20) + "y,1\nNext?,x|y,1",
			want:  []string{"S: Next? = !x / y"},
			notes: []string{"2 too_many_options: Which?"}},
		// A column means one thing.
		{name: "numbers that are also texts", text: "Question,A,B,C,D,Correct\nWhich?,5,6,4,1,1",
			want:  []string{"S: Which? = 5 / 6 / 4 / 1"},
			notes: []string{"1 column_ambiguous: Correct", "2 column_ambiguous: 1", "2 key_missing: Which?"}},
		{name: "numbers that are texts in no other row",
			text: "Question,A,B,C,D,Correct\nWhich?,5,6,4,1,1\nColour?,red,green,blue,black,3",
			want: []string{"S: Which? = !5 / 6 / 4 / 1", "S: Colour? = red / green / !blue / black"}},
		{name: "texts that are numbers in no other row",
			text: "Question,A,B,C,D,Correct\nWhich?,5,6,4,1,1\nColour?,red,green,blue,black,blue",
			want: []string{"S: Which? = 5 / 6 / 4 / !1", "S: Colour? = red / green / !blue / black"}},
		{name: "numbers and texts that name the same options", text: "Question,A,B,C,Correct\nWhich?,1,2,3,2",
			want: []string{"S: Which? = 1 / !2 / 3"}},
		{name: "a heading that says it", text: "Question,A,B,C,D,Correct number\nWhich?,5,6,4,1,1",
			want: []string{"S: Which? = !5 / 6 / 4 / 1"}},
		{name: "a person says that they are texts", text: "Question,A,B,C,D,Correct\nWhich?,5,6,4,1,1",
			columns: []Role{RoleQuestion, RoleOption, RoleOption, RoleOption, RoleOption, RoleCorrectText},
			want:    []string{"S: Which? = 5 / 6 / 4 / !1"}},
		{name: "letters that are also texts", text: "Question,A,B,C,Correct\nWhich?,C,A,B,A",
			want:  []string{"S: Which? = C / A / B"},
			notes: []string{"1 column_ambiguous: Correct", "2 column_ambiguous: A", "2 key_missing: Which?"}},
		{name: "a column that mixes letters and texts",
			text:  "Question,A,B,C,Correct\nOne?,x,y,z,B\nTwo?,Paris,Rome,Bern,Rome\nThree?,C,A,B,A",
			want:  []string{"S: One? = x / !y / z", "S: Two? = Paris / !Rome / Bern", "S: Three? = C / A / B"},
			notes: []string{"4 column_ambiguous: A", "4 key_missing: Three?"}},
		{name: "numbers that begin with 0",
			text: "question,option_1,option_2,option_3,correct_index\nOne?,x,y,z,0\nTwo?,x,y,z,2",
			want: []string{"S: One? = !x / y / z", "S: Two? = x / y / !z"}, notes: []string{"1 counted_from_zero: " +
				"correct_index"}},
		{name: "a 0 among numbers that begin with 1", text: "Question,A,B,C,Correct\nOne?,x,y,z,0\nTwo?,x,y,z,3",
			want:  []string{"S: One? = x / y / z", "S: Two? = x / y / !z"},
			notes: []string{"2 answer_unknown: 0", "2 key_missing: One?"}},
		{name: "stars are texts beside a key", text: "Question,A,B,C,Correct\nWhich?,char,char*,char**,A",
			want: []string{"S: Which? = !char / char* / char**"}},
		{name: "operators in one cell", text: "Question,Options,Correct\nPower?,+;*;**;^,C",
			want: []string{"S: Power? = + / * / !** / ^"}},
		{name: "a star before a text beside a key in another row",
			text: "Question,A,B,C,Correct\nWhich?,*x,&x,x,B\nNext?,*x,&x,x,",
			want: []string{"S: Which? = *x / !&x / x", "S: Next? = *x / &x / x"}, notes: []string{"3 key_missing: Next?"}},
		{name: "a letter and the text", text: "Question,A,B,Correct\nOne?,x,y,B) y\nTwo?,x,y,B) x",
			want: []string{"S: One? = x / !y", "S: Two? = x / y"}, notes: []string{"3 answer_unknown: B) x",
				"3 key_missing: Two?"}},
		{name: "wrong answers in their own columns",
			text: "question,correct_answer,incorrect_answer_1,incorrect_answer_2\nWhich?,x,y,z",
			want: []string{"S: Which? = !x / y / z"}},
		// Without headings.
		{name: "no headings", text: "Which gas?,Oxygen,Carbon dioxide,Helium,B\nWhich metal?,Iron,Wood,Clay,A",
			want:  []string{gas, "S: Which metal? = !Iron / Wood / Clay"},
			notes: []string{"1 heading_missing: Which gas? | Oxygen | Carbon dioxide | Helium | B"}},
		{name: "a person gives the columns their roles", text: "a,b,c,d\nWhich?,x,y,B",
			columns: []Role{RoleQuestion, RoleOption, RoleOption, RoleCorrect}, want: []string{"S: Which? = x / !y"},
			notes: []string{"1 heading_ignored: a | b | c | d"}},
		{name: "a person gives the columns of a table without headings their roles", text: "One?,x,y,A\nTwo?,x,y,B",
			columns: []Role{RoleQuestion, RoleOption, RoleOption, RoleCorrect}, want: []string{"S: One? = !x / y",
				"S: Two? = x / !y"}},
		// Templates of other services.
		{name: "Kahoot",
			text: "Quiz template,,,,,,,\nAdd questions and answers,,,,,,,\n,,,,,,,\n,Question - max 120 characters,Answer 1 " +
				"- max 75 characters," +
				"Answer 2 - max 75 characters,Answer 3 - max 75 characters,Answer 4 - max 75 characters," +
				"\"Time limit (sec) – 5, 10, 20, 30, 60, 90, 120, or 240 secs\",Correct answer(s) - choose at least one\n" +
				"1,Which gas?,Oxygen,Carbon dioxide,Helium,,20,2\n2,Which?,x,y,z,w,30,\"1,3\"\n",
			want: []string{gas, "M: Which? = !x / y / !z / w"},
			notes: []string{"1 heading_ignored: Quiz template | | | | | | |", "2 heading_ignored: Add questions and answers " +
				"| | | | | | |",
				"4 time_limit_dropped: Time limit (sec) – 5, 10, 20, 30, 60, 90, 120, or 240 secs"}},
		{name: "Wayground",
			text: "Question Text,Question Type,Option 1,Option 2,Option 3,Option 4,Option 5,Correct Answer,Time in seconds," +
				"Image Link," +
				"Answer explanation\n\"Text of the question\n\n(required)\",Question Type,Text for option 1,,,,,,,,\n" +
				"Which gas?,Multiple Choice,Oxygen,Carbon dioxide,Helium,,,2,20,https://x.example/a.png,Plants\n" +
				"Which?,Checkbox,x,y,z,,,\"1,3\",20,,\nCapital?,Fill-in-the-Blank,Vienna,Wien,,,,,30,,\nWhy?,Open-Ended,,,,,,," +
				"60,,\n" +
				"Draw it,Draw,,,,,,,60,,\n",
			want: []string{gas + " because Plants", "M: Which? = !x / y / !z", `T: Capital? = ["Vienna" "Wien"]`, "F: Why?"},
			notes: []string{"1 time_limit_dropped: Time in seconds",
				"2 heading_ignored: Text of the question (required) | Question Type | Text for option 1 | | | | | | | |",
				"3 picture_dropped: https://x.example/a.png", "7 type_unsupported: Draw"}},
		{name: "Blooket",
			text: "\"Blooket\nImport Template\",,,,,,,,,\nQuestion #,Question Text,Answer 1,Answer 2,\"Answer " +
				"3\n(Optional)\",\"Answer 4\n(Optional)\"," +
				"\"Time Limit (sec)\n(Max: 300 seconds)\",\"Correct Answer(s)\n(Only include Answer #)\",,\n" +
				"1,Which gas?,Oxygen,Carbon dioxide,Helium,,20,2,,\n2,Which?,x,y,,,20,\"1,2\",,\n",
			want: []string{gas, "M: Which? = !x / !y"},
			notes: []string{"1 heading_ignored: Blooket Import Template | | | | | | | | |",
				"2 time_limit_dropped: Time Limit (sec) (Max: 300 seconds)"}},
		// Cells that other programs protect.
		{name: "an apostrophe before a formula", text: "Question,A,B,Correct\nWhich?,'-5,'+' and '-',B",
			want: []string{"S: Which? = -5 / !'+' and '-'"}, notes: []string{"2 format_marker_dropped: '-5"}},
		{name: "a rubric and a limit of words",
			text: "Question,Type,Points,Max words,Rubric\nWhy?,Essay,3,200,\"2: Names the cause\n   The cable.\n1: Is polite\"",
			want: []string{"F: Why? (3)"}},
		{name: "a rubric that cannot be read", text: "Question,Type,Points,Max words,Rubric\nWhy?,Essay,3,many,Be nice",
			want: []string{"F: Why? (3)"}, notes: []string{"2 field_invalid: many", "2 field_invalid: Be nice"}},
		{name: "a tolerance beside options", text: "Question,A,B,Correct,Tolerance\nWhich?,x,y,A,0.5",
			want: []string{"S: Which? = !x / y"}, notes: []string{"2 not_understood: 0.5"}},
	}
}

func TestCSV(t *testing.T) {
	for _, row := range tableCases() {
		t.Run(row.name, func(t *testing.T) {
			source := Source{Content: []byte(row.text), Options: Options{Format: CSV, Columns: row.columns,
				Language: row.language}}
			imported, err := Read(source)
			if err != nil {
				t.Fatal(err)
			}
			if got := briefOf(imported); !slices.Equal(got, row.want) {
				t.Errorf("questions\n%q, want\n%q", got, row.want)
			}
			if got := noteBriefs(imported); !slices.Equal(got, row.notes) {
				t.Errorf("notes\n%q, want\n%q", got, row.notes)
			}
		})
	}
}
