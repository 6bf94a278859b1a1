// Two people change the same question. Neither replaces the other person's version without seeing it.
import { useEffect, useRef } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { dayAndTime } from '../core/formats.tsx'
import { Content } from './content.tsx'
import type { BankQuestion } from './base.ts'

/** Conflict shows what somebody else has saved. The button of the form saves over it. */
export function Conflict({ theirs, take }: { theirs: BankQuestion; take(): void }) {
  const { version, updatedAt, question, tags } = theirs
  const section = useRef<HTMLElement>(null)
  // A shortcut or the button at the end of the form has saved.
  useEffect(() => section.current?.scrollIntoView({ block: 'nearest' }), [])
  return (
    <section ref={section} aria-label={text('bank.conflict')} style={{ marginBottom: 'var(--s5)' }}>
      <p class="note warn" role="alert">
        {text('bank.conflict.text', { time: dayAndTime(updatedAt) })}
      </p>
      <div class="card" style={{ marginTop: 'var(--s3)' }} role="region" aria-label={text('bank.conflict.theirs')}>
        <p class="small muted">{text('bank.version.number', { version })}</p>
        <Content of={question} />
        {tags.length > 0 && (
          <p class="small muted" translate={false}>
            {tags.join(', ')}
          </p>
        )}
      </div>
      <div class="go">
        <button type="button" class="button" onClick={take}>
          {text('bank.conflict.take')}
        </button>
      </div>
    </section>
  )
}
