// Two answers to one question, from this device and from another device.
import { useComputed } from '@preact/signals'
import { shortTime, text } from '../../shared/i18n.tsx'
import { inWords, type Question } from '../answers.ts'
import { entries, saver } from '../saving.ts'
import { readOnly } from '../tabs.ts'

/** Conflict shows both answers, and saves the answer that the candidate chooses. */
export function Conflict({ question }: { question: Question }) {
  const entry = useComputed(() => entries.value.get(question.id)).value
  if (!entry?.conflict || readOnly.value) return null
  const sides = [
    { which: 'mine', answer: entry.answer, at: entry.editedAt },
    { which: 'theirs', answer: entry.conflict.answer, at: entry.conflict.savedAt },
  ] as const
  return (
    <section class="notice warn" aria-labelledby={`${question.id}-conflict`}>
      <h2 id={`${question.id}-conflict`}>{text('conflict.title')}</h2>
      <p>{text('conflict.text')}</p>
      <dl>
        {sides.map(({ which, answer, at }) => (
          <div key={which}>
            <dt>{text(`conflict.${which}`, { time: shortTime(new Date(at)) })}</dt>
            <dd dir="auto" translate={!!question.options}>
              {inWords(question, answer) || text('conflict.none')}
            </dd>
          </div>
        ))}
      </dl>
      <p class="choices">
        {sides.map(({ which }) => (
          <button type="button" class="button" key={which} onClick={() => saver.choose(question.id, which)}>
            {text(`conflict.${which}.keep`)}
          </button>
        ))}
      </p>
    </section>
  )
}
