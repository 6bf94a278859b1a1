// A copy of the answers as a text file. The page offers it after two minutes without a connection.
import { dateAndTime, text } from '../shared/i18n.tsx'
import { inWords } from './answers.ts'
import { serverNow } from './clock.ts'
import { entries } from './saving.ts'
import { stage, taking } from './session.ts'

/** saveCopy saves a file with the questions, the answers, and their times. */
export function saveCopy(): void {
  const url = URL.createObjectURL(new Blob([copy()], { type: 'text/plain' }))
  const link = document.createElement('a')
  link.href = url
  link.download = text('copy.file')
  link.click()
  // The browser may still ask where to save the file.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

function copy(): string {
  const { assessment, candidate } = taking.value!
  const { order, questions } = stage.value!
  const time = (at: number) => dateAndTime(new Date(at))
  const lines = [
    text('copy.title', { title: assessment.title, name: candidate.name, number: order }),
    text('copy.made', { time: time(serverNow()) }),
  ]
  for (const [i, question] of questions.entries()) {
    const entry = entries.value.get(question.id)
    const answer = inWords(question, entry?.answer ?? null)
    lines.push('', text('question.number', { number: i + 1, total: questions.length }), question.prompt)
    lines.push(text(answer ? 'copy.answer' : 'copy.none', { answer }))
    if (entry?.typed !== undefined && entry.typed !== answer) lines.push(entry.typed)
    if (entry?.pending) lines.push(text('copy.unsent', { time: time(entry.editedAt) }))
    else if (entry?.savedAt) lines.push(text('copy.saved', { time: time(entry.savedAt) }))
  }
  // Windows needs the mark to recognize UTF-8.
  return '\ufeff' + lines.join('\r\n') + '\r\n'
}
