// The question, what a good answer contains, and the answer of a candidate.
import type { ComponentChildren, RefObject } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Html } from '../../shared/html.tsx'
import { text } from '../../shared/i18n.tsx'
import { number } from '../core/figures.ts'
import { When } from '../core/formats.tsx'
import { to } from '../core/url.ts'
import type { Claim } from './points.ts'

interface Props {
  claim: Claim
  lang: string | undefined
  isShared: boolean
  /** The answer, which takes the focus with the key A. */
  place: RefObject<HTMLElement | null>
}

export function AnswerToGrade({ claim, lang, isShared, place }: Props) {
  const { question, text: answer, since, candidate } = claim
  return (
    <div class="grading-answer">
      <Part id={question.id} title={text('grading.question')}>
        <Html html={question.promptHtml} lang={lang} />
      </Part>
      {question.explanationHtml && (
        <Part id={question.id} title={text('grading.expected')}>
          <Html html={question.explanationHtml} lang={lang} />
        </Part>
      )}
      <section class="card" ref={place} tabIndex={-1} aria-labelledby="grading-answer">
        <div class="card-head">
          <h2 id="grading-answer">{text('grading.answer')}</h2>
          <span class="small muted">{wordsOf(claim)}</span>
        </div>
        <p class="grading-text" dir="auto" lang={lang} translate={false}>
          {answer || <span class="muted">{text('grading.answer.empty')}</span>}
        </p>
      </section>
      <p class="small muted grading-facts">
        {text('grading.since')} <When at={since} isRelative />
        {isShared && <> · {text('grading.shared')}</>}
        {candidate && (
          <>
            {' '}
            ·{' '}
            <a href={to(`/candidates/${candidate.sessionId}`)} translate={false}>
              {candidate.name}
            </a>
          </>
        )}
      </p>
    </div>
  )
}

function wordsOf({ wordCount, question: { maxWords } }: Claim): string {
  const count = wordCount
  if (maxWords === null) return text('grading.words', { words: number(count), count })
  const most = number(maxWords)
  if (count <= maxWords) return text('grading.words.of', { words: number(count), most, count })
  return text('grading.words.over', { words: number(count), most, over: number(count - maxWords), count })
}

/** Part is open for the first answer to a question. Then it stays as the person leaves it. */
function Part({ id, title, children }: { id: string; title: string; children: ComponentChildren }) {
  const [isOpen, setOpen] = useState(true)
  useEffect(() => setOpen(true), [id])
  return (
    <details class="card grading-part" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <h2>{title}</h2>
      </summary>
      {children}
    </details>
  )
}
