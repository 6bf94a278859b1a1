package exchange

var moreTextCases = []textCase{
	{
		name: "points and an explanation",
		text: "Which gas do plants take up?\n" +
			"A) Oxygen\n" +
			"*B) Carbon dioxide\n" +
			"C) Helium\n" +
			"Points: 2\n" +
			"Explanation: Plants need it\n" +
			"for photosynthesis.",
		questions: []string{
			"S: Which gas do plants take up? (2) = Oxygen | *Carbon dioxide | Helium because Plants need it\nfor " +
				"photosynthesis.",
		},
	},
	{
		name: "points at the end of the prompt",
		text: "1. What is 2 + 2? (2.5 points)\n" +
			"Answer: 4\n" +
			"2. What is 3 + 3? [3 pts]\n" +
			"Answer: 6",
		questions: []string{
			"N: What is 2 + 2? (2.5) = 4 ± 0",
			"N: What is 3 + 3? (3) = 6 ± 0",
		},
	},
	{
		name: "numbers with a tolerance",
		text: "1. Pi?\n" +
			"Answer: 3.14 ± 0.01\n" +
			"2. Pi?\n" +
			"Answer: 3,14\n" +
			"Tolerance: 0,01\n" +
			"3. Pi?\n" +
			"Answer: 3.13..3.15\n" +
			"4. Zero?\n" +
			"Answer: −40 +/- 2",
		questions: []string{
			"N: Pi? = 3.14 ± 0.01",
			"N: Pi? = 3.14 ± 0.01",
			"N: Pi? = 3.14 ± 0.01",
			"N: Zero? = -40 ± 2",
		},
	},
	{
		name: "an answer in words, with a second form",
		text: "What is the capital of Austria?\n" +
			"Answer: Vienna | Wien",
		questions: []string{
			"S: What is the capital of Austria? = \"Vienna\" or \"Wien\"",
		},
	},
	{
		name: "a number with a unit is a text, because the unit must not get lost",
		text: "How long is a marathon?\n" +
			"Answer: 42 km",
		questions: []string{
			"S: How long is a marathon? = \"42 km\"",
		},
	},
	{
		name: "true and false",
		text: "1. The earth is a disc.\n" +
			"Answer: False\n" +
			"2. Wasser ist nass.\n" +
			"Antwort: Richtig",
		questions: []string{
			"S: The earth is a disc. = True | *False",
			"S: Wasser ist nass. = *Richtig | Falsch",
		},
	},
	{
		name: "question and answer in letters",
		text: "Q: How many days has a leap year?\n" +
			"A: 366\n" +
			"\n" +
			"Q: Who wrote Faust?\n" +
			"A: Goethe",
		questions: []string{
			"N: How many days has a leap year? = 366 ± 0",
			"S: Who wrote Faust? = \"Goethe\"",
		},
	},
	{
		name: "named questions, in German",
		text: "Frage 1: Welches Gas nehmen Pflanzen auf?\n" +
			"a) Sauerstoff\n" +
			"b) Kohlendioxid (richtig)\n" +
			"Punkte: 2\n" +
			"Erklärung: Für die Fotosynthese.\n" +
			"\n" +
			"Frage 2\n" +
			"Wie viele Beine hat eine Spinne?\n" +
			"Antwort: 8",
		questions: []string{
			"S: Welches Gas nehmen Pflanzen auf? (2) = Sauerstoff | *Kohlendioxid because Für die Fotosynthese.",
			"N: Wie viele Beine hat eine Spinne? = 8 ± 0",
		},
	},
	{
		name: "a prompt of two paragraphs",
		text: "A guest is allergic to nuts.\n" +
			"\n" +
			"What do you do first?\n" +
			"A) Ask the kitchen *\n" +
			"B) Guess",
		questions: []string{
			"S: A guest is allergic to nuts.\n\nWhat do you do first? = *Ask the kitchen | Guess",
		},
	},
	{
		name: "an option that continues in the next line",
		text: "Which is right?\n" +
			"A) A long option that Word\n" +
			"has wrapped\n" +
			"*B) A short one",
		questions: []string{
			"S: Which is right? = A long option that Word has wrapped | *A short one",
		},
	},
	{
		name: "questions without blank lines and numbers between them",
		text: "Which is even?\n" +
			"A) One\n" +
			"B) Two *\n" +
			"Which is odd?\n" +
			"A) Two\n" +
			"B) Three *",
		questions: []string{
			"S: Which is even? = One | *Two",
			"S: Which is odd? = Two | *Three",
		},
	},
	{
		name: "numbers and abbreviations in a prompt are no markers",
		text: "1. The U.S. has 50 states. In 1.5 hours, a train travels 90 km. How fast is it?\n" +
			"Answer: 60",
		questions: []string{
			"N: The U.S. has 50 states. In 1.5 hours, a train travels 90 km. How fast is it? = 60 ± 0",
		},
	},
	{
		name: "stars that are bullets name no correct option",
		text: "Which is even?\n" +
			"* One\n" +
			"* Two",
		questions: []string{
			"S: Which is even? = One | Two",
		},
		notes: []string{
			"1 key_missing: Which is even?",
		},
	},
	{
		name: "a title and headings",
		text: "Biology test\n" +
			"\n" +
			"Part 1: Plants\n" +
			"\n" +
			"1. Which gas do plants take up?\n" +
			"A) Oxygen\n" +
			"B) Carbon dioxide *\n" +
			"C) Helium",
		questions: []string{
			"S: Which gas do plants take up? = Oxygen | *Carbon dioxide | Helium",
		},
		notes: []string{
			"1 question_without_answer: Biology test",
			"3 heading_ignored: Part 1: Plants",
		},
	},
	{
		name: "a question without a correct option, with one option, and without an answer",
		text: "1. Which?\n" +
			"A) One\n" +
			"B) Two\n" +
			"\n" +
			"2. Who?\n" +
			"A) Ada *\n" +
			"\n" +
			"3. Describe your last job.",
		questions: []string{
			"S: Which? = One | Two",
			"S: Who? = *Ada",
		},
		notes: []string{
			"1 key_missing: Which?",
			"5 too_few_options: Who?",
			"8 question_without_answer: Describe your last job.",
		},
	},
	{
		name: "an answer that is no option, and points that are no number",
		text: "Which?\n" +
			"A) One\n" +
			"B) Two\n" +
			"Answer: D\n" +
			"Points: many",
		questions: []string{
			"S: Which? = One | Two",
		},
		notes: []string{
			"4 answer_unknown: D",
			"5 points_invalid: many",
		},
	},
	{
		name: "a number with two meanings",
		text: "How many metres has a kilometre?\n" +
			"Answer: 1,000",
		questions: []string{
			"N: How many metres has a kilometre? = null ± 0",
		},
		notes: []string{
			"2 number_ambiguous: 1,000",
		},
	},
	{
		name: "a range whose limits have two meanings",
		text: "Pi?\n" +
			"Answer: 3.141..3.142",
		questions: []string{
			"N: Pi? = null ± 0",
		},
		notes: []string{
			"2 number_ambiguous: 3.141..3.142",
		},
	},
	{
		name: "lines that belong to no question",
		text: "Points: 3\n" +
			"A) Alone\n" +
			"\n" +
			"Which?\n" +
			"A) One *\n" +
			"B) Two\n" +
			"A) Three",
		questions: []string{
			"S: Which? = *One | Two",
		},
		notes: []string{
			"1 not_understood: Points: 3",
			"2 option_without_question: A) Alone",
			"7 options_repeated: A) Three",
		},
	},
	{
		name: "free text in brackets, with points in any order, and without numbers",
		text: "Describe your last job. (free text)\n" +
			"\n" +
			"What went wrong? (2 points) [essay]\n" +
			"And why? (Freitext) (3 Punkte)",
		questions: []string{
			"F: Describe your last job. = graded",
			"F: What went wrong? (2) = graded",
			"F: And why? (3) = graded",
		},
	},
	{
		name: "free text by a line, with what a good answer contains",
		text: "1. Describe your last job.\n" +
			"Type: free text\n" +
			"Points: 4\n" +
			"Explanation: Names tasks.\n" +
			"\n" +
			"2. Why us?\n" +
			"Typ: Essay\n" +
			"- Knows what we do\n" +
			"- Has a reason\n" +
			"\n" +
			"3. Which?\n" +
			"A) One *\n" +
			"B) Two",
		questions: []string{
			"F: Describe your last job. (4) = graded because Names tasks.",
			"F: Why us? = graded because - Knows what we do\n- Has a reason",
			"S: Which? = *One | Two",
		},
	},
	{
		name: "a type that is not free text stays text",
		text: "Fill in.\n" +
			"Type: the name of the tool\n" +
			"Answer: hammer",
		questions: []string{
			"S: Fill in.\nType: the name of the tool = \"hammer\"",
		},
	},
	{
		name: "nothing",
		text: " \n" +
			"\n" +
			"\t\n",
		questions: []string{},
	},
}
