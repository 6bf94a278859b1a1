// Questions in Moodle's GIFT format.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseGift } from '../src/app/import/gift.ts'
import { briefDraft, faultsOf } from './support/imports.ts'

interface Row {
  name: string
  text: string
  questions: string[]
  faults?: string[]
}

const grant = "S: Who's buried in Grant's tomb? = No one | *Grant | Napoleon"

const rows: Row[] = [
  {
    name: 'multiple choice with a title and a comment',
    text: "// question: 1\n::Grants tomb::Who's buried in Grant's tomb? {\n~No one\n=Grant\n~Napoleon\n}",
    questions: [grant],
  },
  { name: 'all in one line', text: "Who's buried in Grant's tomb?{~No one =Grant ~Napoleon}", questions: [grant] },
  {
    name: 'Windows line ends and a byte order mark',
    text: "\ufeffWho's buried in Grant's tomb?{\r\n~No one\r\n=Grant\r\n~Napoleon\r\n}\r\n",
    questions: [grant],
  },
  {
    name: 'feedback of answers, and general feedback',
    text: [
      "::Q::Who's buried in Grant's tomb?{",
      '~No one',
      '=Grant #Right!',
      '~Napoleon #He was buried in Paris.',
      '####See chapter 3.}',
    ].join('\n'),
    questions: [`${grant} because See chapter 3.\n\nGrant: Right!\n\nNapoleon: He was buried in Paris.`],
  },
  {
    name: 'true',
    text: 'The sun rises in the East.{T}',
    questions: ['S: The sun rises in the East. = *True | False'],
  },
  {
    name: 'false in words',
    text: '::Earth::The earth is flat. {FALSE}',
    questions: ['S: The earth is flat. = True | *False'],
  },
  {
    name: 'true with two kinds of feedback',
    text: '2+2 is 4.{TRUE#No, it is 4.#Right.}',
    questions: ['S: 2+2 is 4. = *True | False because No, it is 4.\n\nRight.'],
  },
  {
    name: 'short answer',
    text: 'Who is buried there?{=Grant =Ulysses S. Grant}',
    questions: ['S: Who is buried there? = "Grant" or "Ulysses S. Grant"'],
  },
  {
    name: 'one short answer',
    text: 'Capital of Austria? {=Vienna}',
    questions: ['S: Capital of Austria? = "Vienna"'],
  },
  {
    name: 'short answers with full and partial weights',
    text: 'Capital of Austria? {=%100%Vienna =%100%Wien =%50%Vien}',
    questions: ['S: Capital of Austria? = "Vienna" or "Wien"'],
    faults: ['1 unsupportedWeights: Capital of Austria? {=%100%Vienna =%100%Wien =%50%Vien}'],
  },
  {
    name: 'a number',
    text: 'When was Ulysses S. Grant born?{#1822}',
    questions: ['N: When was Ulysses S. Grant born? = 1822 ± 0'],
  },
  {
    name: 'a number with a tolerance',
    text: 'What is pi?{#3.1415:0.0005}',
    questions: ['N: What is pi? = 3.1415 ± 0.0005'],
  },
  { name: 'a range', text: 'What is pi? {#3.141..3.142}', questions: ['N: What is pi? = 3.1415 ± 0.0005'] },
  { name: 'a negative number', text: 'Lowest?{#-18:1}', questions: ['N: Lowest? = -18 ± 1'] },
  { name: 'three decimals are no thousands', text: 'How many?{#1.500}', questions: ['N: How many? = 1.5 ± 0'] },
  {
    name: 'numbers with weights',
    text: 'When was Grant born? {#\n=1822:0\n=%50%1822:2\n}',
    questions: ['N: When was Grant born? = 1822 ± 0'],
    faults: ['1 unsupportedWeights: When was Grant born? {# =1822:0 =%50%1822:2 }'],
  },
  {
    name: 'one number with a mark and feedback',
    text: 'How many?{#=42:1#Yes}',
    questions: ['N: How many? = 42 ± 1 because Yes'],
  },
  {
    name: 'several correct answers by weights',
    text: "Which two are buried?{\n~%-100%No one\n~%50%Grant\n~%50%Grant's wife\n~%-100%Her father\n}",
    questions: ["M: Which two are buried? = No one | *Grant | *Grant's wife | Her father"],
  },
  {
    name: 'thirds as weights',
    text: 'Which?{~%33.33333%A ~%33.33333%B ~%33.33333%C ~%-100%D}',
    questions: ['M: Which? = *A | *B | *C | D'],
  },
  {
    name: 'weights that differ',
    text: 'Which?{~%75%A ~%25%B ~C}',
    questions: ['M: Which? = *A | *B | C'],
    faults: ['1 unsupportedWeights: Which?{~%75%A ~%25%B ~C}'],
  },
  {
    name: 'a partly correct answer beside the correct one',
    text: 'Which?{=A ~%50%B ~C}',
    questions: ['S: Which? = *A | B | C'],
    faults: ['1 unsupportedWeights: Which?{=A ~%50%B ~C}'],
  },
  {
    name: 'escapes',
    text: 'Which answer equals 5\\: x \\= ?{~ \\= 2 + 2 = \\= 2 + 3 ~ \\{3\\} \\~ 1 \\# a\\\\b}',
    questions: ['S: Which answer equals 5: x = ? = = 2 + 2 | *= 2 + 3 | {3} ~ 1 # a\\b'],
  },
  {
    name: 'an escaped line end',
    text: 'First line\\nSecond line?{T}',
    questions: ['S: First line\nSecond line? = *True | False'],
  },
  {
    name: 'categories become stages',
    text: [
      '$CATEGORY: $course$/top/Plants',
      '',
      'Is grass green?{T}',
      '',
      '$CATEGORY: $course$/top/Animals/Two//four legs',
      '',
      'Is a cat a dog?{F}',
      '',
      '$CATEGORY: Plants',
      '',
      'Is moss a plant?{T}',
    ].join('\n'),
    questions: [
      '# Plants',
      'S: Is grass green? = *True | False',
      'S: Is moss a plant? = *True | False',
      '# Two/four legs',
      'S: Is a cat a dog? = True | *False',
    ],
  },
  {
    name: 'HTML',
    text: '::Q1::[html]<p>Water boils at <b>100&nbsp;&deg;C</b>.<br>Is this &quot;right&quot;?</p>{=<p>Yes</p> ~<p>No</p>}',
    questions: ['S: Water boils at **100 °C**.\nIs this "right"? = *Yes | No'],
  },
  {
    name: 'an image in HTML is reported',
    text: '[html]<p>What is this? <img src="@@PLUGINFILE@@/a.png" alt="cat"></p>{~Dog =Cat}',
    questions: ['S: What is this? = Dog | *Cat'],
    faults: ['1 unsupportedFormat: [html]<p>What is this? <img src="@@PLUGINFILE@@/a.png" alt="cat"></p>{~Dog =Cat}'],
  },
  {
    name: 'Markdown stays as it is',
    text: '::Q::[markdown]Is **2 < 3**?{T}',
    questions: ['S: Is **2 < 3**? = *True | False'],
  },
  {
    name: 'signs of mathematics are no tags',
    text: 'Which is true?{~2 > 3 =2 < 3}',
    questions: ['S: Which is true? = 2 > 3 | *2 < 3'],
  },
  {
    name: 'a title without a text is the question',
    text: '::Is grass green?::{T}',
    questions: ['S: Is grass green? = *True | False'],
  },
  {
    name: 'questions, blank lines within braces, and comments between them',
    text: '// unit 1\nOne?{\n=A\n\n~B\n}\n\n// unit 2\nTwo?{\n// wrong\n~A\n=B\n}',
    questions: ['S: One? = *A | B', 'S: Two? = A | *B'],
  },
  {
    name: 'essays, also with general feedback',
    text: 'Write a poem.{}\n\n::Job::Describe your last job. {\n####Names tasks and results.\n}',
    questions: ['F: Write a poem. = graded', 'F: Describe your last job. = graded because Names tasks and results.'],
  },
  {
    name: 'types that Assay does not have',
    text: [
      'Match.{=cat -> cat food =dog -> dog food}',
      '',
      'Two plus {=two ~three} equals four.',
      '',
      'Read this first.',
    ].join('\n'),
    questions: [],
    faults: [
      '1 unsupportedType: Match.{=cat -> cat food =dog -> dog food}',
      '3 unsupportedType: Two plus {=two ~three} equals four.',
      '5 unsupportedType: Read this first.',
    ],
  },
  {
    name: 'no correct answer, and one option',
    text: 'Which?{~A ~B}\n\nWho?{~%100%Ada}',
    questions: ['S: Which? = A | B', 'S: Who? = *Ada'],
    faults: ['1 noCorrectOption: Which?{~A ~B}', '3 fewOptions: Who?{~%100%Ada}'],
  },
  {
    name: 'a brace that is not closed does not swallow the next question',
    text: '::A::Broken?{=yes ~no\n\n::B::Whole?{T}\n\n::C::Broken too?{',
    questions: ['S: Whole? = *True | False'],
    faults: ['1 notClosed: Broken?{=yes ~no', '5 notClosed: Broken too?{'],
  },
  {
    name: 'what is no number, and text before the first mark',
    text: 'How many?{#many}\n\nWhich?{A ~B}\n\n{T}',
    questions: [],
    faults: ['1 notUnderstood: How many?{#many}', '3 notUnderstood: Which?{A ~B}', '5 noPrompt: {T}'],
  },
]

for (const { name, text, questions, faults = [] } of rows) {
  test(`GIFT: ${name}`, () => {
    const imported = parseGift(text, { title: 'Import', stage: 'Questions' })
    assert.deepEqual(briefDraft(imported), questions)
    assert.deepEqual(faultsOf(imported), faults)
  })
}
