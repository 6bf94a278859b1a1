package exchange

var textCases = []textCase{
	{
		name: "letters with a star before the correct option",
		text: "1. Which gas do plants take up?\n" +
			"A) Oxygen\n" +
			"*B) Carbon dioxide\n" +
			"C) Helium",
		questions: []string{
			"S: Which gas do plants take up? = Oxygen | *Carbon dioxide | Helium",
		},
	},
	{
		name: "small letters with points, and a star at the end",
		text: "Which gas do plants take up?\n" +
			"a. Oxygen\n" +
			"b. Carbon dioxide *\n" +
			"c. Helium",
		questions: []string{
			"S: Which gas do plants take up? = Oxygen | *Carbon dioxide | Helium",
		},
	},
	{
		name: "colons and the word (correct)",
		text: "1) Which gas do plants take up?\n" +
			"A: Oxygen\n" +
			"B: Carbon dioxide (correct)\n" +
			"C: Helium",
		questions: []string{
			"S: Which gas do plants take up? = Oxygen | *Carbon dioxide | Helium",
		},
	},
	{
		name: "boxes of Markdown",
		text: "Which gas do plants take up?\n" +
			"- [ ] Oxygen\n" +
			"- [x] Carbon dioxide\n" +
			"- [ ] Helium",
		questions: []string{
			"S: Which gas do plants take up? = Oxygen | *Carbon dioxide | Helium",
		},
	},
	{
		name: "boxes without bullets",
		text: "Which gas do plants take up?\n" +
			"[ ] Oxygen\n" +
			"[X] Carbon dioxide\n" +
			"[ ] Helium",
		questions: []string{
			"S: Which gas do plants take up? = Oxygen | *Carbon dioxide | Helium",
		},
	},
	{
		name: "ticked characters from Word",
		text: "Which gas do plants take up?\n" +
			"☐ Oxygen\n" +
			"☑ Carbon dioxide\n" +
			"☐ Helium",
		questions: []string{
			"S: Which gas do plants take up? = Oxygen | *Carbon dioxide | Helium",
		},
	},
	{
		name: "bullets, tabs, and Windows line ends from Word",
		text: "1.\tWhich gas do plants take up?\r\n" +
			"•\tOxygen\r\n" +
			"•\tCarbon dioxide (correct)\r\n" +
			"•\tHelium\r\n",
		questions: []string{
			"S: Which gas do plants take up? = Oxygen | *Carbon dioxide | Helium",
		},
	},
	{
		name: "round bullets of Word",
		text: "Which gas do plants take up?\n" +
			"o\tOxygen\n" +
			"o\tCarbon dioxide ✓\n" +
			"o\tHelium",
		questions: []string{
			"S: Which gas do plants take up? = Oxygen | *Carbon dioxide | Helium",
		},
	},
	{
		name: "blank lines between all paragraphs, from a web page",
		text: "1. Which gas do plants take up?\n" +
			"\n" +
			"A) Oxygen\n" +
			"\n" +
			"B) Carbon dioxide*\n" +
			"\n" +
			"C) Helium\n" +
			"\n" +
			"2. How many legs has a spider?\n" +
			"\n" +
			"Answer: 8",
		questions: []string{
			"S: Which gas do plants take up? = Oxygen | *Carbon dioxide | Helium",
			"N: How many legs has a spider? = 8 ± 0",
		},
	},
	{
		name: "spaces that do not break, and invisible characters",
		text: "\ufeff1.\u00a0Which gas do plants take up?\u200b\n" +
			"A)\u00a0Oxygen\n" +
			"*B)\u00a0Carbon dioxide\n" +
			"C)\u00a0Helium",
		questions: []string{
			"S: Which gas do plants take up? = Oxygen | *Carbon dioxide | Helium",
		},
	},
	{
		name: "an answer by its letter",
		text: "Which gas do plants take up?\n" +
			"A) Oxygen\n" +
			"B) Carbon dioxide\n" +
			"C) Helium\n" +
			"Answer: B",
		questions: []string{
			"S: Which gas do plants take up? = Oxygen | *Carbon dioxide | Helium",
		},
	},
	{
		name: "an answer by letter and text, and by text",
		text: "1. Which gas do plants take up?\n" +
			"A) Oxygen\n" +
			"B) Carbon dioxide\n" +
			"C) Helium\n" +
			"Correct answer: B) Carbon dioxide\n" +
			"2. Which gas do plants take up?\n" +
			"- Oxygen\n" +
			"- Carbon dioxide\n" +
			"- Helium\n" +
			"Answer: carbon dioxide.",
		questions: []string{
			"S: Which gas do plants take up? = Oxygen | *Carbon dioxide | Helium",
			"S: Which gas do plants take up? = Oxygen | *Carbon dioxide | Helium",
		},
	},
	{
		name: "several correct options",
		text: "Which are prime?\n" +
			"A) 2 (correct)\n" +
			"B) 4\n" +
			"C) 5 (correct)",
		questions: []string{
			"M: Which are prime? = *2 | 4 | *5",
		},
	},
	{
		name: "several answers by letters, in four forms",
		text: "1. Which are prime?\n" +
			"A) 2\n" +
			"B) 4\n" +
			"C) 5\n" +
			"Answer: A, C\n" +
			"\n" +
			"2. Which are prime?\n" +
			"A) 2\n" +
			"B) 4\n" +
			"C) 5\n" +
			"Answer: A and C\n" +
			"\n" +
			"3. Which are prime?\n" +
			"A) 2\n" +
			"B) 4\n" +
			"C) 5\n" +
			"Answer: AC\n" +
			"\n" +
			"4. Which are prime?\n" +
			"A) 2\n" +
			"B) 4\n" +
			"C) 5\n" +
			"Answer: a; c",
		questions: []string{
			"M: Which are prime? = *2 | 4 | *5",
			"M: Which are prime? = *2 | 4 | *5",
			"M: Which are prime? = *2 | 4 | *5",
			"M: Which are prime? = *2 | 4 | *5",
		},
	},
	{
		name: "numbers as markers of options",
		text: "1. Which gas do plants take up?\n" +
			"1) Oxygen\n" +
			"2) Carbon dioxide *\n" +
			"3) Helium\n" +
			"2. What is 2 + 2?\n" +
			"Answer: 4",
		questions: []string{
			"S: Which gas do plants take up? = Oxygen | *Carbon dioxide | Helium",
			"N: What is 2 + 2? = 4 ± 0",
		},
	},
	{
		name: "the same marker for questions and options",
		text: "1. Which is even?\n" +
			"1. One\n" +
			"2. Two *\n" +
			"\n" +
			"2. Which is odd?\n" +
			"1. Two\n" +
			"2. Three *\n" +
			"\n" +
			"3. Which is a prime?\n" +
			"1. Four\n" +
			"2. Five *",
		questions: []string{
			"S: Which is even? = One | *Two",
			"S: Which is odd? = Two | *Three",
			"S: Which is a prime? = Four | *Five",
		},
	},
	{
		name: "options in one line",
		text: "Which gas do plants take up? A) Oxygen *B) Carbon dioxide C) Helium",
		questions: []string{
			"S: Which gas do plants take up? = Oxygen | *Carbon dioxide | Helium",
		},
	},
	{
		name: "options in columns",
		text: "Which gas do plants take up?\n" +
			"A) Oxygen\tB) Carbon dioxide*\tC) Helium",
		questions: []string{
			"S: Which gas do plants take up? = Oxygen | *Carbon dioxide | Helium",
		},
	},
	{
		name: "options without markers, the correct one with a star",
		text: "Which gas do plants take up?\n" +
			"Oxygen\n" +
			"*Carbon dioxide\n" +
			"Helium",
		questions: []string{
			"S: Which gas do plants take up? = Oxygen | *Carbon dioxide | Helium",
		},
	},
	{
		name: "options without markers, the correct one in words, after a blank line",
		text: "Which gas do plants take up?\n" +
			"\n" +
			"Oxygen\n" +
			"Carbon dioxide (correct)\n" +
			"Helium",
		questions: []string{
			"S: Which gas do plants take up? = Oxygen | *Carbon dioxide | Helium",
		},
	},
	{
		name: "bold text as the correct option",
		text: "Which gas do plants take up?\n" +
			"A) Oxygen\n" +
			"**B) Carbon dioxide**\n" +
			"C) Helium",
		questions: []string{
			"S: Which gas do plants take up? = Oxygen | *Carbon dioxide | Helium",
		},
	},
	{
		name: "a bold prompt",
		text: "**Which is even?**\n" +
			"- One\n" +
			"- Two (correct)\n" +
			"\n" +
			"**Which is odd?**\n" +
			"- Two\n" +
			"- Three (correct)",
		questions: []string{
			"S: **Which is even?** = One | *Two",
			"S: **Which is odd?** = Two | *Three",
		},
	},
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
			"S: Which gas do plants take up? (2) = Oxygen | *Carbon dioxide | Helium because Plants need it\nfor photosynthesis.",
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
			"1 answer_missing: Biology test",
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
			"8 answer_missing: Describe your last job.",
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
