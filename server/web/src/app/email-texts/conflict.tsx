// Two people write the same text. Neither replaces the other person's text without seeing it.
import { useEffect, useRef, useState } from 'preact/hooks'
import { text, Verbatim } from '../../shared/i18n.tsx'
import type { Fault, Schemas } from '../core/api.ts'
import { keep, kept, placeOf } from '../core/drafts.ts'
import { dayAndTime } from '../core/formats.tsx'
import { me } from '../core/me.ts'

type EmailText = Schemas['EmailText']
export type Words = Pick<EmailText, 'subject' | 'text'>

export const areSame = (a: Words, b: Words) => a.subject === b.subject && a.text === b.text

export const isConflict = ({ problem }: Fault) => problem?.code === 'email_text_changed'

/**
 * useBase compares what is typed with what is saved. The version on which typed words are based is kept with their
 * draft, because both can be older than the screen.
 */
export function useBase(draft: string, shown: EmailText, typed: Words) {
  const [place] = useState(() => placeOf(`${draft} version`))
  /** The words with which the fields began. */
  const first = useRef(shown)
  const [version, setVersion] = useState(() => {
    // A page that was left just after its draft was discarded can have kept the version.
    if (kept(placeOf(draft)) === undefined) keep(place, undefined)
    return kept<number>(place) ?? shown.version
  })
  const isChanged = !areSame(typed, first.current)
  const wasChanged = useRef(false)
  useEffect(() => {
    if (isChanged) keep(place, version)
    else if (wasChanged.current) {
      keep(place, undefined)
      setVersion(first.current.version)
    }
    wasChanged.current = isChanged
  }, [isChanged, version])
  return {
    isChanged,
    /** Whether somebody else has saved other words since. */
    isBehind: isChanged && version !== shown.version && !areSame(typed, shown),
    /** Whether the fields have older words than the server, and nothing was typed. */
    isOld: !isChanged && (first.current.version !== shown.version || !areSame(first.current, shown)),
    saved(saved: EmailText) {
      first.current = saved
      setVersion(saved.version)
    },
    drop: () => keep(place, undefined),
  }
}

/** SavedBy says who saved the words, and when. */
export function SavedBy({ of: { updatedAt, updatedBy } }: { of: EmailText }) {
  if (!updatedAt) return null
  const time = dayAndTime(updatedAt)
  const name = updatedBy?.name
  return (
    <span class="small muted">
      {name ? text('emailTexts.savedBy', { name, time }) : text('emailTexts.savedAt', { time })}
    </span>
  )
}

/** Conflict shows what somebody else has saved. The button of the form saves over it. */
export function Conflict({ theirs, take }: { theirs: EmailText; take(): void }) {
  return (
    <section aria-label={text('emailTexts.conflict')} style={{ margin: 'var(--s4) 0' }}>
      <p class="note warn" role="alert">
        {reasonOf(theirs)} {text('emailTexts.conflict.kept')}
      </p>
      <div
        class="email-preview"
        style={{ marginTop: 'var(--s3)' }}
        role="region"
        aria-label={text('emailTexts.conflict.theirs')}
        tabIndex={0}
      >
        <p dir="auto" translate={false}>
          <b>
            <Verbatim>{theirs.subject}</Verbatim>
          </b>
        </p>
        <p class="words" dir="auto" translate={false}>
          <Verbatim>{theirs.text}</Verbatim>
        </p>
      </div>
      <div class="go">
        <button type="button" class="button" onClick={take}>
          {text('emailTexts.conflict.take')}
        </button>
      </div>
    </section>
  )
}

function reasonOf({ version, updatedAt, updatedBy }: EmailText): string {
  if (version === 0) return text('emailTexts.conflict.reset')
  if (!updatedAt) return text('problem.email_text_changed')
  const time = dayAndTime(updatedAt)
  if (updatedBy?.id === me.value!.id) return text('emailTexts.conflict.own', { time })
  return text('emailTexts.conflict.saved', { name: updatedBy?.name ?? text('emailTexts.conflict.somebody'), time })
}
