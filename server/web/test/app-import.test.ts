// Questions from pasted text: each line is in a question or in a fault.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseLines } from '../src/app/import/paste.ts'
import { brief, faultsOf } from './support/imports.ts'

interface Row {
  name: string
  text: string
  questions: string[]
  faults?: string[]
}

const gas = 'S: Which gas do plants take up? = Oxygen | *Carbon dioxide | Helium'

const rows: Row[] = [
  {
    name: 'letters with a star before the correct option',
    text: '1. Which gas do plants take up?\nA) Oxygen\n*B) Carbon dioxide\nC) Helium',
    questions: [gas],
  },
  {
    name: 'small letters with points, and a star at the end',
    text: 'Which gas do plants take up?\na. Oxygen\nb. Carbon dioxide *\nc. Helium',
    questions: [gas],
  },
  {
    name: 'colons and the word (correct)',
    text: '1) Which gas do plants take up?\nA: Oxygen\nB: Carbon dioxide (correct)\nC: Helium',
    questions: [gas],
  },
  {
    name: 'boxes of Markdown',
    text: 'Which gas do plants take up?\n- [ ] Oxygen\n- [x] Carbon dioxide\n- [ ] Helium',
    questions: [gas],
  },
  {
    name: 'boxes without bullets',
    text: 'Which gas do plants take up?\n[ ] Oxygen\n[X] Carbon dioxide\n[ ] Helium',
    questions: [gas],
  },
  {
    name: 'ticked characters from Word',
    text: 'Which gas do plants take up?\n☐ Oxygen\n☑ Carbon dioxide\n☐ Helium',
    questions: [gas],
  },
  {
    name: 'bullets, tabs, and Windows line ends from Word',
    text: '1.\tWhich gas do plants take up?\r\n•\tOxygen\r\n•\tCarbon dioxide (correct)\r\n•\tHelium\r\n',
    questions: [gas],
  },
  {
    name: 'round bullets of Word',
    text: 'Which gas do plants take up?\no\tOxygen\no\tCarbon dioxide ✓\no\tHelium',
    questions: [gas],
  },
  {
    name: 'blank lines between all paragraphs, from a web page',
    text: [
      '1. Which gas do plants take up?',
      '',
      'A) Oxygen',
      '',
      'B) Carbon dioxide*',
      '',
      'C) Helium',
      '',
      '2. How many legs has a spider?',
      '',
      'Answer: 8',
    ].join('\n'),
    questions: [gas, 'N: How many legs has a spider? = 8 ± 0'],
  },
  {
    name: 'spaces that do not break, and invisible characters',
    text: '\ufeff1.\u00a0Which gas do plants take up?\u200b\nA)\u00a0Oxygen\n*B)\u00a0Carbon dioxide\nC)\u00a0Helium',
    questions: [gas],
  },
  {
    name: 'an answer by its letter',
    text: 'Which gas do plants take up?\nA) Oxygen\nB) Carbon dioxide\nC) Helium\nAnswer: B',
    questions: [gas],
  },
  {
    name: 'an answer by letter and text, and by text',
    text: [
      '1. Which gas do plants take up?',
      'A) Oxygen',
      'B) Carbon dioxide',
      'C) Helium',
      'Correct answer: B) Carbon dioxide',
      '2. Which gas do plants take up?',
      '- Oxygen',
      '- Carbon dioxide',
      '- Helium',
      'Answer: carbon dioxide.',
    ].join('\n'),
    questions: [gas, gas],
  },
  {
    name: 'several correct options',
    text: 'Which are prime?\nA) 2 (correct)\nB) 4\nC) 5 (correct)',
    questions: ['M: Which are prime? = *2 | 4 | *5'],
  },
  {
    name: 'several answers by letters, in four forms',
    text: ['A, C', 'A and C', 'AC', 'a; c']
      .map((answer, i) => `${i + 1}. Which are prime?\nA) 2\nB) 4\nC) 5\nAnswer: ${answer}`)
      .join('\n\n'),
    questions: Array<string>(4).fill('M: Which are prime? = *2 | 4 | *5'),
  },
  {
    name: 'numbers as markers of options',
    text: '1. Which gas do plants take up?\n1) Oxygen\n2) Carbon dioxide *\n3) Helium\n2. What is 2 + 2?\nAnswer: 4',
    questions: [gas, 'N: What is 2 + 2? = 4 ± 0'],
  },
  {
    name: 'the same marker for questions and options',
    text: [
      '1. Which is even?',
      '1. One',
      '2. Two *',
      '',
      '2. Which is odd?',
      '1. Two',
      '2. Three *',
      '',
      '3. Which is a prime?',
      '1. Four',
      '2. Five *',
    ].join('\n'),
    questions: [
      'S: Which is even? = One | *Two',
      'S: Which is odd? = Two | *Three',
      'S: Which is a prime? = Four | *Five',
    ],
  },
  {
    name: 'options in one line',
    text: 'Which gas do plants take up? A) Oxygen *B) Carbon dioxide C) Helium',
    questions: [gas],
  },
  {
    name: 'options in columns',
    text: 'Which gas do plants take up?\nA) Oxygen\tB) Carbon dioxide*\tC) Helium',
    questions: [gas],
  },
  {
    name: 'options without markers, the correct one with a star',
    text: 'Which gas do plants take up?\nOxygen\n*Carbon dioxide\nHelium',
    questions: [gas],
  },
  {
    name: 'options without markers, the correct one in words, after a blank line',
    text: 'Which gas do plants take up?\n\nOxygen\nCarbon dioxide (correct)\nHelium',
    questions: [gas],
  },
  {
    name: 'bold text as the correct option',
    text: 'Which gas do plants take up?\nA) Oxygen\n**B) Carbon dioxide**\nC) Helium',
    questions: [gas],
  },
  {
    name: 'a bold prompt',
    text: '**Which is even?**\n- One\n- Two (correct)\n\n**Which is odd?**\n- Two\n- Three (correct)',
    questions: ['S: **Which is even?** = One | *Two', 'S: **Which is odd?** = Two | *Three'],
  },
  {
    name: 'points and an explanation',
    text: [
      'Which gas do plants take up?',
      'A) Oxygen',
      '*B) Carbon dioxide',
      'C) Helium',
      'Points: 2',
      'Explanation: Plants need it',
      'for photosynthesis.',
    ].join('\n'),
    questions: [
      'S: Which gas do plants take up? (2) = Oxygen | *Carbon dioxide | Helium because Plants need it\nfor photosynthesis.',
    ],
  },
  {
    name: 'points at the end of the prompt',
    text: '1. What is 2 + 2? (2.5 points)\nAnswer: 4\n2. What is 3 + 3? [3 pts]\nAnswer: 6',
    questions: ['N: What is 2 + 2? (2.5) = 4 ± 0', 'N: What is 3 + 3? (3) = 6 ± 0'],
  },
  {
    name: 'numbers with a tolerance',
    text: [
      '1. Pi?',
      'Answer: 3.14 ± 0.01',
      '2. Pi?',
      'Answer: 3,14',
      'Tolerance: 0,01',
      '3. Pi?',
      'Answer: 3.13..3.15',
      '4. Zero?',
      'Answer: −40 +/- 2',
    ].join('\n'),
    questions: ['N: Pi? = 3.14 ± 0.01', 'N: Pi? = 3.14 ± 0.01', 'N: Pi? = 3.14 ± 0.01', 'N: Zero? = -40 ± 2'],
  },
  {
    name: 'an answer in words, with a second form',
    text: 'What is the capital of Austria?\nAnswer: Vienna | Wien',
    questions: ['S: What is the capital of Austria? = "Vienna" or "Wien"'],
  },
  {
    name: 'a number with a unit is a text, because the unit must not get lost',
    text: 'How long is a marathon?\nAnswer: 42 km',
    questions: ['S: How long is a marathon? = "42 km"'],
  },
  {
    name: 'true and false',
    text: '1. The earth is a disc.\nAnswer: False\n2. Wasser ist nass.\nAntwort: Richtig',
    questions: ['S: The earth is a disc. = True | *False', 'S: Wasser ist nass. = *Richtig | Falsch'],
  },
  {
    name: 'question and answer in letters',
    text: 'Q: How many days has a leap year?\nA: 366\n\nQ: Who wrote Faust?\nA: Goethe',
    questions: ['N: How many days has a leap year? = 366 ± 0', 'S: Who wrote Faust? = "Goethe"'],
  },
  {
    name: 'named questions, in German',
    text: [
      'Frage 1: Welches Gas nehmen Pflanzen auf?',
      'a) Sauerstoff',
      'b) Kohlendioxid (richtig)',
      'Punkte: 2',
      'Erklärung: Für die Fotosynthese.',
      '',
      'Frage 2',
      'Wie viele Beine hat eine Spinne?',
      'Antwort: 8',
    ].join('\n'),
    questions: [
      'S: Welches Gas nehmen Pflanzen auf? (2) = Sauerstoff | *Kohlendioxid because Für die Fotosynthese.',
      'N: Wie viele Beine hat eine Spinne? = 8 ± 0',
    ],
  },
  {
    name: 'a prompt of two paragraphs',
    text: 'A guest is allergic to nuts.\n\nWhat do you do first?\nA) Ask the kitchen *\nB) Guess',
    questions: ['S: A guest is allergic to nuts.\n\nWhat do you do first? = *Ask the kitchen | Guess'],
  },
  {
    name: 'an option that continues in the next line',
    text: 'Which is right?\nA) A long option that Word\nhas wrapped\n*B) A short one',
    questions: ['S: Which is right? = A long option that Word has wrapped | *A short one'],
  },
  {
    name: 'questions without blank lines and numbers between them',
    text: 'Which is even?\nA) One\nB) Two *\nWhich is odd?\nA) Two\nB) Three *',
    questions: ['S: Which is even? = One | *Two', 'S: Which is odd? = Two | *Three'],
  },
  {
    name: 'numbers and abbreviations in a prompt are no markers',
    text: '1. The U.S. has 50 states. In 1.5 hours, a train travels 90 km. How fast is it?\nAnswer: 60',
    questions: ['N: The U.S. has 50 states. In 1.5 hours, a train travels 90 km. How fast is it? = 60 ± 0'],
  },
  {
    name: 'stars that are bullets name no correct option',
    text: 'Which is even?\n* One\n* Two',
    questions: ['S: Which is even? = One | Two'],
    faults: ['1 noCorrectOption: Which is even?'],
  },
  {
    name: 'a title and headings',
    text: [
      'Biology test',
      '',
      'Part 1: Plants',
      '',
      '1. Which gas do plants take up?',
      'A) Oxygen',
      'B) Carbon dioxide *',
      'C) Helium',
    ].join('\n'),
    questions: [gas],
    faults: ['1 noAnswer: Biology test', '3 heading: Part 1: Plants'],
  },
  {
    name: 'a question without a correct option, with one option, and without an answer',
    text: '1. Which?\nA) One\nB) Two\n\n2. Who?\nA) Ada *\n\n3. Describe your last job.',
    questions: ['S: Which? = One | Two', 'S: Who? = *Ada'],
    faults: ['1 noCorrectOption: Which?', '5 fewOptions: Who?', '8 noAnswer: Describe your last job.'],
  },
  {
    name: 'an answer that is no option, and points that are no number',
    text: 'Which?\nA) One\nB) Two\nAnswer: D\nPoints: many',
    questions: ['S: Which? = One | Two'],
    faults: ['1 noCorrectOption: Which?', '4 unknownAnswer: D', '5 badPoints: many'],
  },
  {
    name: 'a number with two meanings',
    text: 'How many metres has a kilometre?\nAnswer: 1,000',
    questions: ['N: How many metres has a kilometre? = null ± 0'],
    faults: ['2 ambiguousNumber: 1,000'],
  },
  {
    name: 'a range whose limits have two meanings',
    text: 'Pi?\nAnswer: 3.141..3.142',
    questions: ['N: Pi? = null ± 0'],
    faults: ['2 ambiguousNumber: 3.141..3.142'],
  },
  {
    name: 'lines that belong to no question',
    text: 'Points: 3\nA) Alone\n\nWhich?\nA) One *\nB) Two\nA) Three',
    questions: ['S: Which? = *One | Two'],
    faults: ['1 notUnderstood: Points: 3', '2 optionWithoutQuestion: A) Alone', '7 repeatedOption: A) Three'],
  },
  {
    name: 'free text in brackets, with points in any order, and without numbers',
    text: [
      'Describe your last job. (free text)',
      '',
      'What went wrong? (2 points) [essay]',
      'And why? (Freitext) (3 Punkte)',
    ].join('\n'),
    questions: ['F: Describe your last job. = graded', 'F: What went wrong? (2) = graded', 'F: And why? (3) = graded'],
  },
  {
    name: 'free text by a line, with what a good answer contains',
    text: [
      '1. Describe your last job.',
      'Type: free text',
      'Points: 4',
      'Explanation: Names tasks.',
      '',
      '2. Why us?',
      'Typ: Essay',
      '- Knows what we do',
      '- Has a reason',
      '',
      '3. Which?',
      'A) One *',
      'B) Two',
    ].join('\n'),
    questions: [
      'F: Describe your last job. (4) = graded because Names tasks.',
      'F: Why us? = graded because - Knows what we do\n- Has a reason',
      'S: Which? = *One | Two',
    ],
  },
  {
    name: 'a type that is not free text stays text',
    text: 'Fill in.\nType: the name of the tool\nAnswer: hammer',
    questions: ['S: Fill in.\nType: the name of the tool = "hammer"'],
  },
  { name: 'nothing', text: ' \n\n\t\n', questions: [] },
]

for (const { name, text, questions, faults = [] } of rows) {
  test(`Pasted text: ${name}`, () => {
    const parsed = parseLines(text)
    assert.deepEqual(parsed.questions.map(brief), questions)
    assert.deepEqual(faultsOf(parsed), faults)
  })
}
