// Questions in the GIFT format of Moodle: https://docs.moodle.org/en/GIFT_format
import { assemble, type Placed } from './assemble.ts'
import { optionId, trueOrFalse } from './build.ts'
import type { ImportFault, Imported, QuestionInput, Reason } from './draft.ts'
import { toMarkdown } from './markup.ts'
import { readNumber, readSpread, type Reading } from './numbers.ts'

/** A question as it stands in the file, with escapes. */
interface Block {
  line: number
  text: string
  category: string
}

interface Answer {
  mark: '=' | '~'
  weight?: number | undefined
  text: string
  feedback: string
}

/** An escaped character is replaced by one of the private use area while the text is split. */
const escapes = '~=#{}:\\'
const hide = (text: string) =>
  text.replace(/\\([~=#{}:\\])/g, (_, character: string) => String.fromCharCode(0xe000 + escapes.indexOf(character)))
const show = (text: string) =>
  text.replace(/\\n/g, '\n').replace(/[\ue000-\ue006]/g, (hidden) => escapes[hidden.charCodeAt(0) - 0xe000]!)

/** parseGift reads a file. Each $CATEGORY is a stage. What Assay has no questions for is in the faults. */
export function parseGift(text: string, titles: { title: string; stage: string }): Imported {
  const faults: ImportFault[] = []
  const placed: Placed[] = []
  for (const block of blocksOf(text, faults)) {
    const report = (reason: Reason, about = excerpt(block.text)) =>
      faults.push({ line: block.line, text: about, reason })
    const question = readQuestion(block, report)
    if (question) placed.push({ question, line: block.line, stage: block.category })
  }
  return assemble(titles, placed, faults)
}

function excerpt(text: string): string {
  const plain = show(text)
    .replace(/^::.*?::\s*/s, '')
    .replace(/\s+/g, ' ')
    .trim()
  return plain.length > 160 ? `${plain.slice(0, 160)}…` : plain
}

/** Blocks are separated by blank lines. Blank lines within braces do not count. */
function blocksOf(text: string, faults: ImportFault[]): Block[] {
  const blocks: Block[] = []
  const lines = text
    .replace(/^\ufeff/, '')
    .replace(/\r\n?/g, '\n')
    .split('\n')
  let category = ''
  let open: { line: number; lines: string[] } | undefined
  const isUnclosed = () =>
    open !== undefined &&
    hide(open.lines.join('\n')).split('{').length > hide(open.lines.join('\n')).split('}').length
  const close = () => {
    if (open) blocks.push({ line: open.line, text: hide(open.lines.join('\n')).trim(), category })
    open = undefined
  }
  lines.forEach((raw, i) => {
    const line = raw.trim()
    if (line.startsWith('//')) return
    // A new title ends a question whose brace is not closed, so that the questions after it are not lost.
    if (open && isUnclosed() && line.startsWith('::')) {
      faults.push({ line: open.line, text: excerpt(open.lines.join(' ')), reason: 'notClosed' })
      open = undefined
    }
    const found = /^\$CATEGORY:\s*(.*)$/.exec(line)
    if (found) {
      close()
      category = categoryOf(found[1]!)
    } else if (line === '' && !isUnclosed()) close()
    else if (open) open.lines.push(line)
    else if (line !== '') open = { line: i + 1, lines: [line] }
  })
  if (open && isUnclosed()) faults.push({ line: open.line, text: excerpt(open.lines.join(' ')), reason: 'notClosed' })
  else close()
  return blocks
}

/** The last part of a path such as "$course$/top/Plants/Trees". "//" is a slash of a name. */
function categoryOf(path: string): string {
  const parts = path.replaceAll('//', '\ue010').split('/')
  const last = parts
    .map((part) => part.trim())
    .filter((part) => part !== '' && !/^(\$\w+\$|top|tom)$/.test(part))
    .at(-1)
  return (last ?? '').replaceAll('\ue010', '/')
}

type Report = (reason: Reason, about?: string) => void

function readQuestion({ text }: Block, report: Report): QuestionInput | undefined {
  const [, name, , format, body] = /^(?:::(.*?)::)?(\s*\[(html|markdown|moodle|plain)\])?\s*(.*)$/s.exec(text)!
  const [, before, answers, after] = /^(.*?)\{(.*)\}(.*)$/s.exec(body!) ?? []
  if (before === undefined || answers === undefined) {
    report('unsupportedType') // a description, which asks nothing
    return undefined
  }
  const prompt = plain(before.trim() || (name ?? ''), format, report)
  if (prompt === '') {
    report('noPrompt')
    return undefined
  }
  if (after!.trim() !== '') {
    report('unsupportedType') // a missing word
    return undefined
  }
  const [given, general] = splitGeneral(answers)
  const common = { prompt, points: 1 }
  const read = readAnswers(given.trim(), common, format, report)
  if (!read) return undefined
  const explanation = [general && plain(general, format, report), ...read.feedback].filter(Boolean).join('\n\n')
  return explanation ? { ...read.question, explanation } : read.question
}

function splitGeneral(answers: string): [answers: string, general: string] {
  const at = answers.indexOf('####')
  return at < 0 ? [answers, ''] : [answers.slice(0, at), answers.slice(at + 4).trim()]
}

function plain(text: string, format: string | undefined, report: Report): string {
  const shown = show(text).trim()
  if (format === 'markdown' || format === 'plain') return shown
  const { text: markdown, isLossy } = toMarkdown(shown)
  if (isLossy) report('unsupportedFormat')
  return markdown
}

type Common = { prompt: string; points: number }
type Read = { question: QuestionInput; feedback: string[] }

function readAnswers(given: string, common: Common, format: string | undefined, report: Report): Read | undefined {
  if (given === '') return { question: { type: 'FREE_TEXT', ...common }, feedback: [] } // an essay
  const truth = /^(T|TRUE|F|FALSE)\s*(#.*)?$/is.exec(given)
  if (truth) {
    const isTrue = truth[1]!.toUpperCase().startsWith('T')
    const feedback = (truth[2] ?? '')
      .split('#')
      .map((one) => plain(one, format, report))
      .filter(Boolean)
    return { question: trueOrFalse(common, [['True', 'False'], isTrue ? 0 : 1]), feedback }
  }
  if (given.startsWith('#')) return readNumeric(given.slice(1).trim(), common, format, report)

  const answers = answersOf(given)
  if (!answers) return void report('notUnderstood')
  const isMatching = answers.some(({ mark, text }) => mark === '=' && text.includes('->'))
  if (isMatching) return void report('unsupportedType')
  const texts = answers.map((answer) => ({ ...answer, text: plain(answer.text, format, report) }))
  const feedback = texts
    .filter((answer) => answer.feedback !== '')
    .map((answer) => `${answer.text}: ${plain(answer.feedback, format, report)}`)
  const question = answers.every(({ mark }) => mark === '=')
    ? shortText(texts, common, report)
    : choice(texts, common, report)
  return { question, feedback }
}

/** Splits "=right#feedback ~%50%half" at the marks. The text before the first mark must be empty. */
function answersOf(given: string): Answer[] | undefined {
  const parts = given.split(/(?=[=~])/)
  if (!/^[=~]/.test(parts[0]!)) return undefined
  // "->" and ">=" in an answer are not marks of their own, because a mark follows a space or a line.
  const joined: string[] = []
  for (const part of parts) {
    if (joined.length > 0 && !/(\s|^[=~])$/.test(joined.at(-1)!) && part.startsWith('='))
      joined[joined.length - 1] += part
    else joined.push(part)
  }
  return joined.map((part) => {
    const [, mark, weight, rest] = /^([=~])\s*(?:%(-?\d+(?:[.,]\d+)?)%)?(.*)$/s.exec(part)!
    const [text, ...feedback] = rest!.split('#')
    return {
      mark: mark as '=' | '~',
      weight: weight === undefined ? undefined : Number(weight.replace(',', '.')),
      text: text!.trim(),
      feedback: feedback.join('#').trim(),
    }
  })
}

function choice(answers: Answer[], common: Common, report: Report): QuestionInput {
  const options = answers.map(({ text }, i) => ({ id: optionId(i), text }))
  const full = answers.flatMap(({ mark, weight }, i) => (mark === '=' || weight === 100 ? [i] : []))
  const partial = answers.flatMap(({ mark, weight }, i) =>
    mark === '~' && weight !== undefined && weight > 0 && weight < 100 ? [i] : [],
  )
  if (answers.length < 2) report('fewOptions')
  if (full.length === 1) {
    if (partial.length > 0) report('unsupportedWeights')
    return { type: 'SINGLE_CHOICE', ...common, options, correctOptionId: optionId(full[0]!) }
  }
  const correct = full.length > 1 ? full : partial
  if (correct.length === 0) {
    report('noCorrectOption')
    return { type: 'SINGLE_CHOICE', ...common, options, correctOptionId: null }
  }
  const weights = correct.map((i) => answers[i]!.weight ?? 100)
  if (Math.max(...weights) - Math.min(...weights) > 0.01) report('unsupportedWeights')
  return { type: 'MULTIPLE_CHOICE', ...common, options, correctOptionIds: correct.map(optionId), partialCredit: true }
}

function shortText(answers: Answer[], common: Common, report: Report): QuestionInput {
  const isFull = ({ weight }: Answer) => weight === undefined || weight === 100
  if (!answers.every(isFull)) report('unsupportedWeights')
  const acceptedAnswers = [
    ...new Set(
      answers
        .filter(isFull)
        .map(({ text }) => text)
        .filter((text) => text !== ''),
    ),
  ]
  if (acceptedAnswers.length === 0) report('answerMissing')
  return { type: 'SHORT_TEXT', ...common, acceptedAnswers, caseSensitive: false }
}

/** "3.14:0.01", "1..5", or several answers with weights. The first answer with the full weight counts. */
function readNumeric(given: string, common: Common, format: string | undefined, report: Report): Read | undefined {
  const answers = /^[=~]/.test(given) ? answersOf(given)! : [toAnswer(given)]
  const numbers = answers.filter(({ text }) => text !== '')
  const best = numbers.find(({ weight }) => weight === undefined || weight === 100)
  if (numbers.some((answer) => answer !== best && answer.mark === '=')) report('unsupportedWeights')
  const spread = best && readSpread(best.text, readDecimal)
  if (!spread) return void report('notUnderstood')
  const feedback = answers.map((answer) => plain(answer.feedback, format, report)).filter(Boolean)
  if (!('number' in spread.answer)) report('ambiguousNumber')
  const answer = 'number' in spread.answer ? spread.answer.number : null
  return { question: { type: 'NUMERIC', ...common, answer, tolerance: spread.tolerance }, feedback }
}

/** "1.500" has two meanings elsewhere. In GIFT, a point is always the decimal one. */
function readDecimal(text: string): Reading | undefined {
  const value = text.trim() === '' ? NaN : Number(text)
  return Number.isFinite(value) ? { number: value } : readNumber(text)
}

function toAnswer(given: string): Answer {
  const [text, ...feedback] = given.split('#')
  return { mark: '=', text: text!.trim(), feedback: feedback.join('#').trim() }
}
