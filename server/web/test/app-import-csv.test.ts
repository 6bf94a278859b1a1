// Questions in tables.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromSheet, matchColumns, readSheet } from '../src/app/import/csv.ts'
import { limits } from '../src/app/import/draft.ts'
import { decode, kindOf, titleOf } from '../src/app/import/source.ts'
import { briefDraft, faultsOf } from './support/imports.ts'

interface Row {
  name: string
  text: string
  questions: string[]
  faults?: string[]
}

const gas = 'S: Which gas? = Oxygen | *Carbon dioxide | Helium'

const rows: Row[] = [
  {
    name: 'a column for each option, and a letter',
    text: 'Question,A,B,C,Correct\nWhich gas?,Oxygen,Carbon dioxide,Helium,B',
    questions: [gas],
  },
  {
    name: 'semicolons, as Excel writes them in Europe',
    text: 'Question;A;B;C;Correct\r\nWhich gas?;Oxygen;Carbon dioxide;Helium;b\r\n',
    questions: [gas],
  },
  {
    name: 'tabs, from a spreadsheet',
    text: 'Question\tOption A\tOption B\tOption C\tAnswer\nWhich gas?\tOxygen\tCarbon dioxide\tHelium\tB',
    questions: [gas],
  },
  {
    name: 'a byte order mark, quotes, and spaces',
    text: [
      '\ufeff"Question" , "Option 1","Option 2","Option 3" ,"Correct Answer"',
      '"Which gas?","Oxygen","Carbon dioxide","Helium","2"',
    ].join('\n'),
    questions: [gas],
  },
  {
    name: 'the text of the correct option',
    text: 'prompt,choice 1,choice 2,choice 3,key\nWhich gas?,Oxygen,Carbon dioxide,Helium,carbon dioxide',
    questions: [gas],
  },
  {
    name: 'stars in the options',
    text: 'Question,A,B,C\nWhich gas?,Oxygen,*Carbon dioxide,Helium',
    questions: [gas],
  },
  {
    name: 'all options in one cell',
    text: 'Question,Options,Correct\nWhich gas?,Oxygen | Carbon dioxide | Helium,B',
    questions: [gas],
  },
  {
    name: 'all options in one cell, with letters and line ends',
    text: 'Question,Options,Correct\n"Which gas?","A) Oxygen\nB) Carbon dioxide\nC) Helium",B',
    questions: [gas],
  },
  {
    name: 'all options in one cell, with semicolons',
    text: 'Question,Answers,Correct\nWhich gas?,Oxygen; Carbon dioxide (correct); Helium,',
    questions: [gas],
  },
  {
    name: 'German names of columns',
    text: [
      'Frage;Antwort A;Antwort B;Antwort C;Richtig;Punkte;Teil;Erklärung',
      'Welches Gas?;Sauerstoff;Kohlendioxid;Helium;B;2,5;Luft;Siehe Kapitel 3',
    ].join('\n'),
    questions: ['S: Welches Gas? (2.5) = Sauerstoff | *Kohlendioxid | Helium because Siehe Kapitel 3'],
  },
  {
    name: 'German names with umlauts and capitals',
    text: 'FRAGETEXT;ANTWORTMÖGLICHKEITEN;LÖSUNG\nWelches Gas?;Sauerstoff|Helium;A',
    questions: ['S: Welches Gas? = *Sauerstoff | Helium'],
  },
  {
    name: 'several correct options',
    text: 'Question,A,B,C,Correct\nWhich?,2,4,5,"A, C"\nWhich too?,2,4,5,A;C\nWhich three?,2,4,5,AC',
    questions: ['M: Which? = *2 | 4 | *5', 'M: Which too? = *2 | 4 | *5', 'M: Which three? = *2 | 4 | *5'],
  },
  {
    name: 'a number, a tolerance, and a text',
    text: 'Question,Answer,Tolerance\nPi?,3.14,0.01\nCapital?,Vienna | Wien,',
    questions: ['N: Pi? = 3.14 ± 0.01', 'S: Capital? = "Vienna" or "Wien"'],
  },
  {
    name: 'types in words',
    text: [
      'Question,Type,A,B,Correct',
      'One?,multiple choice,x,y,A',
      'Two?,multiple response,x,y,A',
      'Three?,numeric,,,7',
      'Four?,short answer,,,7',
      'Five?,true/false,,,TRUE',
    ].join('\n'),
    questions: [
      'S: One? = *x | y',
      'M: Two? = *x | y',
      'N: Three? = 7 ± 0',
      'S: Four? = "7"',
      'S: Five? = *True | False',
    ],
  },
  {
    name: 'German types',
    text: 'Frage;Typ;A;B;Richtig\nEins?;Mehrfachauswahl;x;y;A,B\nZwei?;Zahl;;;7,5\nDrei?;Wahr/Falsch;;;Falsch',
    questions: ['M: Eins? = *x | *y', 'N: Zwei? = 7.5 ± 0', 'S: Drei? = Richtig | *Falsch'],
  },
  {
    name: 'the answer of a text in the columns for options',
    text: 'Question,Type,A,B,Correct\nCapital?,text,Vienna,Wien,',
    questions: ['S: Capital? = "Vienna" or "Wien"'],
  },
  {
    name: 'stages, in the order of their first question',
    text: 'Stage,Question,Answer\nAir,One?,1\nWater,Two?,2\nAir,Three?,3',
    questions: ['# Air', 'N: One? = 1 ± 0', 'N: Three? = 3 ± 0', '# Water', 'N: Two? = 2 ± 0'],
  },
  {
    name: 'points and explanations',
    text: 'Question,Answer,Points,Feedback\nOne?,1,3,Because',
    questions: ['N: One? (3) = 1 ± 0 because Because'],
  },
  {
    name: 'commas, quotes, and line ends in cells',
    text: 'Question,A,B,Correct\n"Who said ""Eureka"",\nand where?","Archimedes, in Syracuse",Plato,A\nNext?,x,y,B',
    questions: ['S: Who said "Eureka",\nand where? = *Archimedes, in Syracuse | Plato', 'S: Next? = x | *y'],
  },
  {
    name: 'empty rows and empty options',
    text: 'Question,A,B,C,D,Correct\n\nWhich?,x,y,,,A\n,,,,,\n',
    questions: ['S: Which? = *x | y'],
  },
  {
    name: 'an export of Google Forms with further columns',
    text: 'Timestamp,Question,Option A,Option B,Correct\n2026-01-01,Which?,x,y,A',
    questions: ['S: Which? = *x | y'],
    faults: ['1 unknownColumn: Timestamp'],
  },
  {
    name: 'an unknown column without values',
    text: 'Question,Remark,Answer\nOne?,,1',
    questions: ['N: One? = 1 ± 0'],
  },
  {
    name: 'the line of a fault after a cell with several lines',
    text: 'Question,A,B,Correct\n"One\n\ntwo?",x,y,A\nThree?,x,y,Z',
    questions: ['S: One\n\ntwo? = *x | y', 'S: Three? = x | y'],
    faults: ['5 unknownAnswer: Z', '5 noCorrectOption: Three?'],
  },
  {
    name: 'missing texts, types, points, and answers',
    text: 'Question,Type,A,B,Correct,Points\n,,x,y,A,1\nOne?,drawing,,,,1\nTwo?,number,,,,1\nThree?,,x,y,B,lots',
    questions: ['N: Two? = null ± 0', 'S: Three? = x | *y'],
    faults: [
      '2 noPrompt: x / y / A',
      '3 unknownType: drawing',
      '3 noAnswer: One?',
      '4 answerMissing: Two?',
      '5 badPoints: lots',
    ],
  },
  {
    name: 'free text by each of its names, with what a good answer contains',
    text: [
      'Question,Type,Correct,Points,Explanation',
      'One?,FREE_TEXT,,4,',
      'Two?,Essay,Tasks and results,1,',
      'Drei?,Freitext,,1,Nennt Fristen.',
    ].join('\n'),
    questions: [
      'F: One? (4) = graded',
      'F: Two? = graded because Tasks and results',
      'F: Drei? = graded because Nennt Fristen.',
    ],
  },
  {
    name: 'a row with too many cells',
    text: 'Question,Answer\nHow much, in euros?,5\nHow many?,6',
    questions: ['S: How much = "in euros?"', 'N: How many? = 6 ± 0'],
    faults: ['2 badRow: 5'],
  },
  {
    name: 'a number with two meanings',
    text: 'Question;Answer\nHow many?;1.000',
    questions: ['N: How many? = null ± 0'],
    faults: ['2 ambiguousNumber: 1.000'],
  },
  { name: 'no column with questions', text: 'a,b\n1,2', questions: [], faults: ['1 noQuestionColumn: a, b'] },
  { name: 'only the names of columns', text: 'Question,A,B,Correct', questions: [] },
  {
    name: 'more options than the contract permits',
    text: `Question,Options,Correct\nWhich?,${Array.from({ length: 21 }, (_, i) => `o${i}`).join('|')},1\nNext?,x|y,1`,
    questions: ['S: Next? = *x | y'],
    faults: ['2 tooManyOptions: Which?'],
  },
  {
    name: 'an option that is too long',
    text: `Question,A,B,Correct\nWhich?,${'x'.repeat(2001)},y,B`,
    questions: [],
    faults: ['2 tooLong: Which?'],
  },
]

const titles = { title: 'Import', stage: 'Questions' }

for (const { name, text, questions, faults = [] } of rows) {
  test(`Table: ${name}`, () => {
    const sheet = readSheet(text)
    const imported = fromSheet(sheet, matchColumns(sheet.headers), titles)
    assert.deepEqual(briefDraft(imported), questions)
    assert.deepEqual(faultsOf(imported), faults)
  })
}

test('Table: a person gives a column another role', () => {
  const sheet = readSheet('a,b,c,d\nWhich?,x,y,B')
  const imported = fromSheet(sheet, ['question', 'option', 'option', 'correct'], titles)
  assert.deepEqual(briefDraft(imported), ['S: Which? = x | *y'])
  assert.deepEqual(imported.faults, [])
})

test('Table: questions and stages above the limits of the contract are reported with their lines', () => {
  const many = Array.from({ length: limits.questions + 2 }, (_, i) => `Q${i}?,${i}`)
  const sheet = readSheet(['Question,Answer', ...many].join('\n'))
  const { draft, faults } = fromSheet(sheet, matchColumns(sheet.headers), titles)
  assert.equal(draft.stages![0]!.questions!.length, limits.questions)
  assert.deepEqual(faultsOf({ faults }), ['502 tooManyQuestions: Q500?', '503 tooManyQuestions: Q501?'])

  const stages = Array.from({ length: limits.stages + 1 }, (_, i) => `Q${i}?,1,Stage ${i}`)
  const staged = readSheet(['Question,Answer,Stage', ...stages].join('\n'))
  const imported = fromSheet(staged, matchColumns(staged.headers), titles)
  assert.equal(imported.draft.stages!.length, limits.stages)
  assert.deepEqual(faultsOf(imported), ['52 tooManyStages: Q50?'])
})

test('The format of a text is found by its content and the name of its file', () => {
  const kinds: [text: string, name: string, kind: string][] = [
    ['Question,A,B,Correct\nWhich?,x,y,A', '', 'csv'],
    ['Frage\tA\tB\nWelche?\tx\ty', '', 'csv'],
    ['anything', 'questions.CSV', 'csv'],
    ['::Q1::Which?{=A ~B}', '', 'gift'],
    ['Is it?{T}', 'questions.txt', 'gift'],
    ['$CATEGORY: Plants\n\nIs it?{T}', '', 'gift'],
    ['Describe your last job. {}', '', 'gift'],
    ['1. What does f() {} return?\nA) x\n*B) y', '', 'lines'],
    ['1. Which?\nA) x\n*B) y', 'questions.txt', 'lines'],
    ['1. What does {x | x > 0} mean?\nA) x\n*B) y', '', 'lines'],
    ['Question 1: Which one, A or B?\nA) x', '', 'lines'],
  ]
  for (const [text, name, kind] of kinds) assert.equal(kindOf(text, name), kind, text)
  assert.equal(titleOf('food_safety-2026.csv'), 'food safety 2026')
})

test('Texts in the encodings of Excel are decoded', () => {
  assert.equal(decode(new TextEncoder().encode('Käse')), 'Käse')
  assert.equal(decode(Uint8Array.of(0x4b, 0xe4, 0x73, 0x65)), 'Käse')
  assert.equal(decode(Uint8Array.of(0xff, 0xfe, 0x4b, 0, 0xe4, 0)), 'Kä')
})
