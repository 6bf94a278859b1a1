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
}
