package exchange

var giftCases = []textCase{
	{
		name: "multiple choice with a title and a comment",
		text: "// question: 1\n" +
			"::Grants tomb::Who's buried in Grant's tomb? {\n" +
			"~No one\n" +
			"=Grant\n" +
			"~Napoleon\n" +
			"}",
		questions: []string{
			"S: Who's buried in Grant's tomb? = No one | *Grant | Napoleon",
		},
	},
	{
		name: "all in one line",
		text: "Who's buried in Grant's tomb?{~No one =Grant ~Napoleon}",
		questions: []string{
			"S: Who's buried in Grant's tomb? = No one | *Grant | Napoleon",
		},
	},
	{
		name: "Windows line ends and a byte order mark",
		text: "\ufeffWho's buried in Grant's tomb?{\r\n" +
			"~No one\r\n" +
			"=Grant\r\n" +
			"~Napoleon\r\n" +
			"}\r\n",
		questions: []string{
			"S: Who's buried in Grant's tomb? = No one | *Grant | Napoleon",
		},
	},
	{
		name: "feedback of answers, and general feedback",
		text: "::Q::Who's buried in Grant's tomb?{\n" +
			"~No one\n" +
			"=Grant #Right!\n" +
			"~Napoleon #He was buried in Paris.\n" +
			"####See chapter 3.}",
		questions: []string{
			"S: Who's buried in Grant's tomb? = No one | *Grant | Napoleon because See chapter 3.\n\nGrant: Right!\n\nNapoleon: He was buried in Paris.",
		},
	},
	{
		name: "true",
		text: "The sun rises in the East.{T}",
		questions: []string{
			"S: The sun rises in the East. = *True | False",
		},
	},
	{
		name: "false in words",
		text: "::Earth::The earth is flat. {FALSE}",
		questions: []string{
			"S: The earth is flat. = True | *False",
		},
	},
	{
		name: "true with two kinds of feedback",
		text: "2+2 is 4.{TRUE#No, it is 4.#Right.}",
		questions: []string{
			"S: 2+2 is 4. = *True | False because No, it is 4.\n\nRight.",
		},
	},
	{
		name: "short answer",
		text: "Who is buried there?{=Grant =Ulysses S. Grant}",
		questions: []string{
			"S: Who is buried there? = \"Grant\" or \"Ulysses S. Grant\"",
		},
	},
	{
		name: "one short answer",
		text: "Capital of Austria? {=Vienna}",
		questions: []string{
			"S: Capital of Austria? = \"Vienna\"",
		},
	},
	{
		name: "short answers with full and partial weights",
		text: "Capital of Austria? {=%100%Vienna =%100%Wien =%50%Vien}",
		questions: []string{
			"S: Capital of Austria? = \"Vienna\" or \"Wien\"",
		},
		notes: []string{
			"1 partial_dropped: Vien",
		},
	},
	{
		name: "a number",
		text: "When was Ulysses S. Grant born?{#1822}",
		questions: []string{
			"N: When was Ulysses S. Grant born? = 1822 ± 0",
		},
	},
	{
		name: "a number with a tolerance",
		text: "What is pi?{#3.1415:0.0005}",
		questions: []string{
			"N: What is pi? = 3.1415 ± 0.0005",
		},
	},
	{
		name: "a range",
		text: "What is pi? {#3.141..3.142}",
		questions: []string{
			"N: What is pi? = 3.1415 ± 0.0005",
		},
	},
	{
		name: "a negative number",
		text: "Lowest?{#-18:1}",
		questions: []string{
			"N: Lowest? = -18 ± 1",
		},
	},
	{
		name: "three decimals are no thousands",
		text: "How many?{#1.500}",
		questions: []string{
			"N: How many? = 1.5 ± 0",
		},
	},
	{
		name: "numbers with weights",
		text: "When was Grant born? {#\n" +
			"=1822:0\n" +
			"=%50%1822:2\n" +
			"}",
		questions: []string{
			"N: When was Grant born? = 1822 ± 0",
		},
		notes: []string{
			"1 partial_dropped: 1822:2",
		},
	},
	{
		name: "one number with a mark and feedback",
		text: "How many?{#=42:1#Yes}",
		questions: []string{
			"N: How many? = 42 ± 1 because Yes",
		},
	},
	{
		name: "several correct answers by weights",
		text: "Which two are buried?{\n" +
			"~%-100%No one\n" +
			"~%50%Grant\n" +
			"~%50%Grant's wife\n" +
			"~%-100%Her father\n" +
			"}",
		questions: []string{
			"M: Which two are buried? = No one | *Grant | *Grant's wife | Her father",
		},
		notes: []string{
			"1 penalty_dropped: No one",
			"1 penalty_dropped: Her father",
		},
	},
	{
		name: "thirds as weights",
		text: "Which?{~%33.33333%A ~%33.33333%B ~%33.33333%C ~%-100%D}",
		questions: []string{
			"M: Which? = *A | *B | *C | D",
		},
		notes: []string{
			"1 penalty_dropped: D",
		},
	},
	{
		name: "weights that differ",
		text: "Which?{~%75%A ~%25%B ~C}",
		questions: []string{
			"M: Which? = *A | *B | C",
		},
		notes: []string{
			"1 weights_changed: Which?",
			"1 penalty_added: Which?",
		},
	},
	{
		name: "a partly correct answer beside the correct one",
		text: "Which?{=A ~%50%B ~C}",
		questions: []string{
			"S: Which? = *A | B | C",
		},
		notes: []string{
			"1 partial_dropped: B",
		},
	},
	{
		name: "escapes",
		text: "Which answer equals 5\\: x \\= ?{~ \\= 2 + 2 = \\= 2 + 3 ~ \\{3\\} \\~ 1 \\# a\\\\b}",
		questions: []string{
			"S: Which answer equals 5: x = ? = = 2 + 2 | *= 2 + 3 | {3} ~ 1 # a\\b",
		},
	},
	{
		name: "an escaped line end",
		text: "First line\\nSecond line?{T}",
		questions: []string{
			"S: First line\\\nSecond line? = *True | False",
		},
	},
	{
		name: "categories become stages",
		text: "$CATEGORY: $course$/top/Plants\n" +
			"\n" +
			"Is grass green?{T}\n" +
			"\n" +
			"$CATEGORY: $course$/top/Animals/Two//four legs\n" +
			"\n" +
			"Is a cat a dog?{F}\n" +
			"\n" +
			"$CATEGORY: Plants\n" +
			"\n" +
			"Is moss a plant?{T}",
		questions: []string{
			"# Plants",
			"S: Is grass green? = *True | False",
			"S: Is moss a plant? = *True | False",
			"# Two/four legs",
			"S: Is a cat a dog? = True | *False",
		},
	},
	{
		name: "HTML",
		text: "::Q1::[html]<p>Water boils at <b>100&nbsp;&deg;C</b>.<br>Is this &quot;right&quot;?</p>{=<p>Yes</p> ~<p>No</p>}",
		questions: []string{
			"S: Water boils at **100 °C**.\\\nIs this \"right\"? = *Yes | No",
		},
	},
	{
		name: "an image in HTML is reported",
		text: "[html]<p>What is this? <img src=\"@@PLUGINFILE@@/a.png\" alt=\"cat\"></p>{~Dog =Cat}",
		questions: []string{
			"S: What is this? cat = Dog | *Cat",
		},
		notes: []string{
			"1 picture_dropped: @@PLUGINFILE@@/a.png",
		},
	},
	{
		name: "Markdown stays as it is",
		text: "::Q::[markdown]Is **2 < 3**?{T}",
		questions: []string{
			"S: Is **2 < 3**? = *True | False",
		},
	},
	{
		name: "signs of mathematics are no tags",
		text: "Which is true?{~2 > 3 =2 < 3}",
		questions: []string{
			"S: Which is true? = 2 > 3 | *2 < 3",
		},
	},
	{
		name: "a title without a text is the question",
		text: "::Is grass green?::{T}",
		questions: []string{
			"S: Is grass green? = *True | False",
		},
	},
	{
		name: "questions, blank lines within braces, and comments between them",
		text: "// unit 1\n" +
			"One?{\n" +
			"=A\n" +
			"\n" +
			"~B\n" +
			"}\n" +
			"\n" +
			"// unit 2\n" +
			"Two?{\n" +
			"// wrong\n" +
			"~A\n" +
			"=B\n" +
			"}",
		questions: []string{
			"S: One? = *A | B",
			"S: Two? = A | *B",
		},
	},
	{
		name: "essays, also with general feedback",
		text: "Write a poem.{}\n" +
			"\n" +
			"::Job::Describe your last job. {\n" +
			"####Names tasks and results.\n" +
			"}",
		questions: []string{
			"F: Write a poem. = graded",
			"F: Describe your last job. = graded because Names tasks and results.",
		},
	},
	{
		name: "types that Assay does not have",
		text: "Match.{=cat -> cat food =dog -> dog food}\n" +
			"\n" +
			"Two plus {=two ~three} equals four.\n" +
			"\n" +
			"Read this first.",
		questions: []string{
			"S: Two plus _____ equals four. = *two | three"},
		notes: []string{
			"1 type_unsupported: Match.{=cat -> cat food =dog -> dog food}",
			"5 type_unsupported: Read this first.",
		},
	},
	{
		name: "no correct answer, and one option",
		text: "Which?{~A ~B}\n" +
			"\n" +
			"Who?{~%100%Ada}",
		questions: []string{
			"S: Which? = A | B",
			"S: Who? = *Ada",
		},
		notes: []string{
			"1 key_missing: Which?",
			"3 too_few_options: Who?",
		},
	},
	{
		name: "a brace that is not closed does not swallow the next question",
		text: "::A::Broken?{=yes ~no\n" +
			"\n" +
			"::B::Whole?{T}\n" +
			"\n" +
			"::C::Broken too?{",
		questions: []string{
			"S: Whole? = *True | False",
		},
		notes: []string{
			"1 not_closed: Broken?{=yes ~no",
			"5 not_closed: Broken too?{",
		},
	},
	{
		name: "what is no number, and text before the first mark",
		text: "How many?{#many}\n" +
			"\n" +
			"Which?{A ~B}\n" +
			"\n" +
			"{T}",
		questions: []string{},
		notes: []string{
			"1 not_understood: many",
			"3 not_understood: A ~B",
			"5 prompt_missing: {T}",
		},
	},
}
