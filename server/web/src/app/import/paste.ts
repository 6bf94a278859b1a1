// Questions from pasted text, as people write them in Word, in mail, and in spreadsheets.
import { buildQuestion, type RawQuestion } from './build.ts'
import type { ImportFault, Parsed, Reason } from './draft.ts'
import {
  isHeading,
  isFreeTextType,
  linesOf,
  readCorrectEnd,
  readEnds,
  readField,
  readNumbered,
  readOption,
  splitInline,
  type NumberedLine,
  type OptionLine,
} from './lines.ts'

interface Open extends RawQuestion {
  promptLines: { text: string; line: number }[]
  numbered?: NumberedLine | undefined
  styles: OptionLine['style'][]
  /** The question began with "Q:", so a line with "A:" is its answer. */
  isDialogue: boolean
  /** The options have no markers, except for the correct ones. */
  isBare: boolean
  last: 'prompt' | 'option' | 'answer' | 'explanation' | 'other'
}

interface Line {
  text: string
  line: number
}

/**
 * parseLines reads questions: a prompt, then lines with options ("A) …", "- …", the correct ones with a star, "[x]",
 * or "(correct)") or a line "Answer: …". Each line is in a question or in a fault. A question with a fault can be
 * incomplete.
 */
export function parseLines(text: string): Parsed {
  const reader = new Reader()
  const lines = linesOf(text).flatMap((one, i) => splitInline(one).map((part) => ({ text: part, line: i + 1 })))
  lines.forEach((line, i) => {
    reader.read(
      line,
      lines
        .slice(i + 1, i + 8)
        .filter((one) => one.text !== '')
        .map((one) => one.text),
    )
  })
  return reader.end()
}

class Reader {
  private readonly parsed: Parsed = { questions: [], lines: [], faults: [] }
  private question: Open | undefined
  private isAfterBlank = true

  read(line: Line, following: string[]): void {
    if (line.text === '' || /^([-_=*–—]\s*){3,}$/.test(line.text)) {
      this.isAfterBlank = true
      return
    }
    this.take(line, following)
    this.isAfterBlank = false
  }

  end(): Parsed {
    this.close()
    this.parsed.faults.sort((a, b) => a.line - b.line)
    return this.parsed
  }

  private take(line: Line, following: string[]): void {
    const numbered = readNumbered(line.text)
    if (numbered && this.startsQuestion(numbered, following)) return this.start(line, numbered.text, numbered)
    if (/^[QF]:\s/.test(line.text)) return this.start(line, line.text)
    if (this.question && isFreeTextType(line.text)) {
      this.question.type = 'FREE_TEXT'
      this.question.last = 'answer'
      return
    }
    const field = readField(line.text)
    if (field) return this.takeField(line, field)
    if (isHeading(line.text) && (this.isAfterBlank || line.text.startsWith('#'))) {
      this.close()
      return this.fault(line, 'heading')
    }
    const option = readOption(line.text)
    if (option && this.takeOption(line, option, following)) return
    this.takeText(line, following)
  }

  /** A number begins a question, or an option of the present one. */
  private startsQuestion(numbered: NumberedLine, following: string[]): boolean {
    const { question } = this
    if (numbered.isNamed || !question || question.isBare) return true
    if (question.answer || question.last === 'explanation') return true
    const style = question.styles[0]
    if (style === 'number') {
      const isNext = numbered.number === question.options.length + 1
      const isNextQuestion = this.isAfterBlank && numbered.number === (question.numbered?.number ?? NaN) + 1
      return !isNext || isNextQuestion
    }
    if (style !== undefined || numbered.number !== 1) return true
    // The first option "1." of a question, or the first question below a heading.
    const next = following[0]
    const isFollowedByOptions =
      next !== undefined && readNumbered(next) === undefined && readOption(next) !== undefined
    return numbered.text.endsWith('?') || isFollowedByOptions || (next !== undefined && readField(next) !== undefined)
  }

  private start({ line }: Line, prompt: string, numbered?: NumberedLine): void {
    this.close()
    const [, isDialogue, rest] = /^([QF]:\s+)?(.*)$/.exec(prompt)!
    this.question = {
      line,
      prompt: '',
      promptLines: rest ? [{ text: rest, line }] : [],
      options: [],
      styles: [],
      numbered,
      isDialogue: isDialogue !== undefined,
      isBare: false,
      last: 'prompt',
    }
  }

  private takeField(line: Line, { name, value }: NonNullable<ReturnType<typeof readField>>): void {
    const { question } = this
    if (!question) return this.fault(line, 'notUnderstood')
    question.last = name === 'explanation' ? 'explanation' : name === 'answer' ? 'answer' : 'other'
    if (name === 'explanation') question.explanation = [question.explanation, value].filter(Boolean).join('\n\n')
    else if (question[name]?.text) this.fault(line, 'notUnderstood')
    else question[name] = { text: value, line: line.line }
  }

  /** takeOption reports whether the line is an option. A star can also begin the bold text of a prompt. */
  private takeOption(line: Line, option: OptionLine, following: string[]): boolean {
    const { question } = this
    const isBoldText = option.style === 'star' && /^(\*+).*\1$/.test(line.text)
    if (!question) {
      if (isBoldText) return false
      this.fault(line, 'optionWithoutQuestion')
      return true
    }
    if (isBoldText && this.isAfterBlank && (question.options.length > 0 || question.answer)) return false
    if (
      question.isDialogue &&
      option.position === 0 &&
      /^A:/.test(line.text) &&
      !/^B[:.)]/.test(following[0] ?? '')
    ) {
      question.answer = { text: option.text, line: line.line }
      question.last = 'answer'
      return true
    }
    if (option.style === 'letter' && option.position === 0 && question.styles.includes('letter')) {
      this.fault(line, 'repeatedOption')
      return true
    }
    if (option.style === 'star' && question.options.length === 0) this.useBareOptions(question)
    this.add(question, line, option)
    return true
  }

  private add(question: Open, { line }: Line, { text, isCorrect, style }: OptionLine): void {
    question.options.push({ text, isCorrect, line })
    question.styles.push(style)
    question.last = 'option'
  }

  /** The lines between the prompt and the first line with a star are options without markers. */
  private useBareOptions(question: Open): void {
    const blank = question.promptLines.map(({ text }) => text).lastIndexOf('')
    const bare = question.promptLines.splice(Math.max(1, blank + 1))
    if (bare.length > 0) question.isBare = true
    for (const one of bare) this.add(question, one, { text: one.text, isCorrect: false, style: 'bullet' })
  }

  private takeText(line: Line, following: string[]): void {
    const { question } = this
    if (!question) return this.start(line, line.text)
    const isFreeText = question.type !== undefined || readEnds(question.promptLines.at(-1)?.text ?? '').isFreeText
    const isComplete = question.options.length > 0 || question.answer !== undefined || isFreeText
    const beforeEnd = readCorrectEnd(line.text)
    if (!isComplete) {
      if (beforeEnd !== undefined && question.promptLines.length > 0) {
        this.useBareOptions(question)
        question.isBare = true
        return this.add(question, line, { text: beforeEnd, isCorrect: true, style: 'star' })
      }
      const isAsked = question.promptLines.at(-1)?.text.endsWith('?') ?? false
      if (this.isAfterBlank && isAsked && line.text.endsWith('?')) return this.start(line, line.text)
      if (this.isAfterBlank && question.promptLines.length > 0)
        question.promptLines.push({ text: '', line: line.line })
      question.promptLines.push(line)
      return
    }
    if (this.isAfterBlank || line.text.endsWith('?')) return this.start(line, line.text)
    if (question.isBare) {
      return this.add(question, line, {
        text: beforeEnd ?? line.text,
        isCorrect: beforeEnd !== undefined,
        style: 'bullet',
      })
    }
    this.continue(question, line, following)
  }

  /** A line that Word has wrapped belongs to the text before it, unless options follow it. */
  private continue(question: Open, line: Line, following: string[]): void {
    const next = following[0] === undefined ? undefined : readOption(following[0])
    if (next?.position === 0 && next.style === 'letter') return this.start(line, line.text)
    if (question.last === 'explanation') question.explanation += `\n${line.text}`
    else if (question.last === 'option') {
      const option = question.options.at(-1)!
      const text = `${option.text} ${line.text}`
      const before = readCorrectEnd(text)
      question.options[question.options.length - 1] = {
        ...option,
        text: before ?? text,
        isCorrect: option.isCorrect || before !== undefined,
      }
    } else this.fault(line, 'notUnderstood')
  }

  private close(): void {
    const { question } = this
    this.question = undefined
    if (!question) return
    // If each option has a star and nothing else, the stars are bullets.
    const isStarred = question.options.length > 1 && question.styles.every((style) => style === 'star')
    const options = isStarred ? question.options.map((option) => ({ ...option, isCorrect: false })) : question.options
    // Blank lines stay, because they separate paragraphs of Markdown.
    let prompt = question.promptLines
      .map(({ text }) => text)
      .join('\n')
      .trim()
    let { points, type } = question
    const ends = readEnds(prompt, points !== undefined)
    prompt = ends.prompt
    if (ends.points !== undefined) points = { text: ends.points, line: question.line }
    if (ends.isFreeText) type = 'FREE_TEXT'
    const built = buildQuestion({ ...question, options, prompt, points, type })
    if (built.question) {
      this.parsed.questions.push(built.question)
      this.parsed.lines.push(question.line)
    }
    this.parsed.faults.push(...built.faults)
  }

  private fault({ line, text }: Line, reason: Reason): void {
    this.parsed.faults.push({ line, text, reason } satisfies ImportFault)
  }
}
