// The forms of lines in pasted questions: markers of options, numbers of questions, and fields such as "Answer: B".

/** linesOf returns the lines of a text from Word, web pages, and spreadsheets, without invisible characters. */
export function linesOf(text: string): string[] {
  return text
    .replace(/\r\n?|[\u2028\u2029\v\f]/g, '\n')
    .replace(/[\u200b-\u200f\u2060\ufeff\u00ad\0]/g, '')
    .replace(/[\u00a0\u2000-\u200a\u202f\u3000]/g, ' ')
    .split('\n')
    .map((line) =>
      line
        .replace(/^\s*o\t/, '• ')
        .replace(/\t+/g, ' ')
        .trim(),
    )
}

/** The form of the marker before an option. Options of one question usually have the same. */
type Style = 'letter' | 'number' | 'bullet' | 'box' | 'star'

export interface OptionLine {
  text: string
  isCorrect: boolean
  style: Style
  /** The position that a letter or number names, from 0. */
  position?: number
}

const marks = '✓✔☑☒'
const correctWord = 'correct|right answer|right|richtig|korrekt'
/** The ends "*", "✓", "(correct)", "[x]", and "<- correct". */
const correctEnds = [
  '\\*+',
  `[${marks}]`,
  `\\((?:${correctWord}|x|[${marks}])\\)`,
  `\\[(?:${correctWord}|x)\\]`,
  `(?:<-+|←|⇐)\\s*(?:${correctWord})?`,
]
const correctEnd = new RegExp(`\\s*(?:${correctEnds.join('|')})$`, 'i')
const boxed = new RegExp(`^(?:[[(]( |x|[${marks}])[\\])]|([□☐▢])|([${marks}]))\\s*(.*)$`, 'i')
const lettered = /^(?:\(([a-z])\)|\[([a-wyz])\]|([a-z])(?:\)\s*|[.:\]]\s+))(.+)$/i
const numbered = /^(?:\((\d{1,2})\)|(\d{1,2})(?:\)|\.(?=\s)))\s*(.+)$/
const bulleted = /^(?:[•●○◦▪■·‣◆–—]\s*|-\s+|-(?=\p{L})|\+\s+)(.+)$/u

/** readOption reads a line with a marker of an option. */
export function readOption(line: string): OptionLine | undefined {
  const bold = /^(\*\*|__)(.+)\1$/.exec(line)?.[2]
  if (bold) {
    const inner = readOption(bold)
    if (inner) return { ...inner, isCorrect: true }
  }
  const [, star = '', rest = ''] = /^(\*+|[✓✔](?=\s*\(?[A-Za-z][).:]))?\s*(.*)$/.exec(line) ?? []
  const marked = readMarker(rest)
  if (marked) return { ...withEnd(marked), isCorrect: star !== '' || withEnd(marked).isCorrect }
  if (star && rest) return withEnd({ text: rest, isCorrect: true, style: 'star' })
  return undefined
}

function readMarker(line: string): OptionLine | undefined {
  const box = boxed.exec(line)
  if (box && box[4]) {
    const isCorrect = box[3] !== undefined || (box[1] !== undefined && box[1] !== ' ')
    const inner = readMarker(box[4])
    return { ...(inner ?? { text: box[4], style: 'box' as const }), isCorrect }
  }
  const letter = lettered.exec(line)
  if (letter) {
    const position = (letter[1] ?? letter[2] ?? letter[3])!.toLowerCase().charCodeAt(0) - 97
    return within(letter[4]!, 'letter', position)
  }
  const number = numbered.exec(line)
  if (number) return within(number[3]!, 'number', Number(number[1] ?? number[2]) - 1)
  const bullet = bulleted.exec(line)
  if (bullet) return within(bullet[1]!, 'bullet')
  return undefined
}

/** within reads a box or star between the marker and the text: "- [x] Nitrogen", "B) *Nitrogen". */
function within(text: string, style: Style, position?: number): OptionLine {
  const [, mark, rest] = /^(\*+(?=\S)|\[[ xX]\]|[☐□☑☒✓✔])\s*(.+)$/.exec(text) ?? []
  const isCorrect = mark !== undefined && !/^(\[ \]|[☐□])$/.test(mark)
  const isBold = mark !== undefined && mark === '**' && rest!.endsWith('**')
  const option = { text: mark === undefined ? text : isBold ? rest!.slice(0, -2) : rest!, isCorrect, style }
  return position === undefined ? option : { ...option, position }
}

function withEnd(option: OptionLine): OptionLine {
  const end = readCorrectEnd(option.text)
  return end === undefined ? option : { ...option, text: end, isCorrect: true }
}

/** readCorrectEnd returns the text before a mark such as "*" or "(correct)" at its end. */
export function readCorrectEnd(text: string): string | undefined {
  const found = correctEnd.exec(text)
  return found && found.index > 0 ? text.slice(0, found.index) : undefined
}

/** splitInline splits "A) Oxygen  B) Nitrogen" into lines. The letters must follow each other. */
export function splitInline(line: string): string[] {
  const first = /(?:^|\s)\*?\(?([A-Za-z])\)/.exec(line)
  if (!first) return [line]
  const parts: number[] = []
  let letter = first[1]!
  let from = 0
  for (;;) {
    const found = new RegExp(`(?:^|\\s)(\\*?\\(?${letter}\\)\\*?\\s*\\S)`).exec(line.slice(from))
    if (!found) break
    const at = from + found.index + found[0].length - found[1]!.length
    parts.push(at)
    from = at + 2
    letter = String.fromCharCode(letter.charCodeAt(0) + 1)
  }
  if (parts.length < 2) return [line]
  const starts = parts[0] === 0 ? parts : [0, ...parts]
  return starts.map((start, i) => line.slice(start, starts[i + 1]).trim())
}

export interface NumberedLine {
  number: number
  text: string
  /** The character after the number. Options of a question can be numbered too, usually with another character. */
  delimiter: string
  /** The line says "Question 3" and cannot be an option. */
  isNamed: boolean
}

/** readNumbered reads the beginning of a numbered question. */
export function readNumbered(line: string): NumberedLine | undefined {
  const plain = line.replace(/^#{1,6}\s+/, '').replace(/^\*\*(.+?)\*\*/, '$1')
  const named = /^(?:q|question|frage|f)\.?\s*(?:no\.?|nr\.?)?\s*(\d{1,3})\s*([.):–—-])?\s*(.*)$/i.exec(plain)
  if (named && (named[2] || named[3] === '')) {
    return { number: Number(named[1]), text: named[3]!, delimiter: named[2] ?? '', isNamed: true }
  }
  const counted = /^\(?(\d{1,3})([.)])(?!\d)\s*(\S.*)$/.exec(plain)
  if (!counted) return undefined
  return { number: Number(counted[1]), text: counted[3]!, delimiter: counted[2]!, isNamed: false }
}

export type FieldName = 'answer' | 'explanation' | 'points' | 'tolerance'

const fields: Record<FieldName, string> = {
  answer:
    '(?:correct |right )?answers?|answer key|ans|key|solution|correct|' +
    '(?:(?:die )?richtige )?antwort(?:en)?|lösung(?:en)?',
  explanation: 'explanation|feedback|rationale|reason|because|erklärung|erläuterung|begründung|hinweis',
  points: 'points?|marks?|score|punkte?|punktzahl',
  tolerance: 'tolerance|toleranz',
}
const fieldPattern = new RegExp(
  `^[*_]*(?:${Object.entries(fields)
    .map(([name, words]) => `(?<${name}>${words})`)
    .join('|')})[*_]*\\s*[:=][*_]*\\s*(?<value>.*)$`,
  'i',
)

/** readField reads "Answer: B", "Points: 2", and the like. */
export function readField(line: string): { name: FieldName; value: string } | undefined {
  const groups = fieldPattern.exec(line)?.groups
  const name = groups && (Object.keys(fields) as FieldName[]).find((one) => groups[one] !== undefined)
  return name && { name, value: groups.value! }
}

/** The names of free text in tables and in pasted text. */
export const freeTextNames =
  /^(free[ -]?text|essay|long (text|answer)|open( ended)?( question)?|freitext|aufsatz|langtext|offene frage)$/i

/** What stands in brackets at the end of a prompt. */
interface Ends {
  prompt: string
  points?: string
  isFreeText: boolean
}

/** readEnds removes "(2 points)" and "(free text)", in any order, from the end of a prompt. */
export function readEnds(prompt: string, hasPoints = false): Ends {
  const points = hasPoints ? null : pointsEnd.exec(prompt)
  if (points) return { points: points[1]!, ...readEnds(prompt.slice(0, points.index), true) }
  const found = /\s*[([]\s*([^()[\]]{1,20}?)\s*[)\]]\s*$/.exec(prompt)
  if (!found || !freeTextNames.test(found[1]!)) return { prompt, isFreeText: false }
  return { ...readEnds(prompt.slice(0, found.index), hasPoints), isFreeText: true }
}

const pointsEnd = /\s*[([]\s*(\d+(?:[.,]\d+)?)\s*(?:points?|pts?\.?|marks?|punkte?|pkte?\.?)\s*[)\]]\s*$/i

/** isFreeTextType reports whether a line such as "Type: essay" names free text. */
export function isFreeTextType(line: string): boolean {
  const named = /^(?:question )?(?:type|typ|art|fragetyp)\s*[:=]\s*(.*?)\.?$/i.exec(line)?.[1]
  return named !== undefined && freeTextNames.test(named)
}

/** isHeading reports whether a line is the title of a part, and not a question. */
export function isHeading(line: string): boolean {
  if (line.endsWith('?')) return false
  return (
    /^#{1,6}\s+\S/.test(line) ||
    /^(section|part|chapter|stage|module|abschnitt|teil|kapitel|modul)\s+(\d+|[ivx]+|[a-z])\b/i.test(line)
  )
}
