// Reads a JSON array of GIFT texts and writes a summary of each, as gift-pegjs reads it.
import { readFileSync } from 'node:fs'
import gift from 'gift-pegjs'

const isFull = ({ isCorrect, weight }) => (weight === null || weight === undefined ? isCorrect : weight >= 100)

function correctOf(choices) {
  const full = choices.flatMap((choice, i) => (isFull(choice) ? [i] : []))
  return full.length > 0 ? full : choices.flatMap(({ weight }, i) => (weight > 0 ? [i] : []))
}

function numberOf(answer) {
  const round = (value) => Number(value.toPrecision(12))
  if (answer.type === 'high-low') {
    const { numberLow: low, numberHigh: high } = answer
    return `${round((low + high) / 2)} ± ${round((high - low) / 2)}`
  }
  return `${answer.number} ± ${answer.range ?? 0}`
}

function summaryOf(question) {
  switch (question.type) {
    case 'Category':
      return []
    case 'TF':
      return [`TF ${question.isTrue}`]
    case 'MC':
      return [`MC ${question.choices.length} key ${correctOf(question.choices).join(',')}`]
    case 'Short':
      return [`Short ${question.choices.filter((c) => isFull({ ...c, isCorrect: true })).map((c) => c.text.text).join('|')}`]
    case 'Numerical': {
      const { choices } = question
      const first = Array.isArray(choices) ? choices.find(isFull)?.text : choices
      return [`Numerical ${numberOf(first)}`]
    }
    case 'Essay':
      return ['Essay']
    default:
      return ['unsupported']
  }
}

const texts = JSON.parse(readFileSync(0, 'utf8'))
const summaries = texts.map((text) => {
  try {
    return gift.parse(text).flatMap(summaryOf).join('; ')
  } catch {
    return 'error'
  }
})
process.stdout.write(JSON.stringify(summaries))
