// An answer with its rubric beside it, and the keys. They work while the focus is within the form and not in a text
// (WCAG 2.2, 2.1.4), so that no other part of the page reacts to single keys.
import { useEffect, useRef, useState } from 'preact/hooks'
import { announce } from '../../shared/announce.ts'
import { text } from '../../shared/i18n.tsx'
import { Confirm } from '../core/dialogs.tsx'
import { number } from '../core/figures.ts'
import { Icon } from '../core/icons.tsx'
import { Action } from '../core/page.tsx'
import { showShortcuts, useShortcuts } from '../core/shortcuts.tsx'
import { CopyButton, FaultNote } from '../core/states.tsx'
import { AnswerToGrade } from './answer.tsx'
import { keyNames, pressed } from './keys.ts'
import { Left } from './left.tsx'
import { criteriaOf, openOf, sumOf, type Claim } from './points.ts'
import { fieldsOf, Rubric } from './rubric.tsx'
import type { Turn } from './turn.ts'

interface Props {
  turn: Turn
  claim: Claim
  lang: string | undefined
  isShared: boolean
  undo(): Promise<void>
}

/** Where the rubric is below the answer, and where a focused field covers half of the window with a keyboard. */
const isSmall = () => matchMedia('(max-width: 1000px), (pointer: coarse)').matches

export function Desk({ turn, claim, lang, isShared, undo }: Props) {
  const list = useRef<HTMLOListElement>(null)
  const answer = useRef<HTMLElement>(null)
  const comment = useRef<HTMLTextAreaElement>(null)
  const [isChecked, setChecked] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const criteria = criteriaOf(claim.question)
  const entry = turn.entry.value
  const isBusy = turn.isBusy.value
  const isLost = turn.isLost.value
  const before = turn.before.value

  const last = useRef<string | undefined>(undefined)
  useEffect(() => {
    setChecked(false)
    const isNext = last.current !== undefined && last.current !== claim.question.id
    last.current = claim.question.id
    if (before !== 'opened') announce(text(isNext ? `grading.${before}.question` : `grading.${before}.answer`))
    scrollTo(0, 0)
    if (isSmall()) answer.current?.focus()
    else fieldsOf(list.current)[0]?.focus({ preventScroll: true })
  }, [claim, before])

  const submit = () => {
    if (isLost) return void turn.next()
    const open = openOf(criteria, turn.entry.peek())
    if (!open) return void turn.save()
    const field = fieldsOf(list.current)[criteria.indexOf(open)]
    // Enter goes on to the next field without points. Where the focus is already, it says what is missing.
    if (document.activeElement === field || document.activeElement?.matches('.grading-save')) setChecked(true)
    field?.focus()
  }
  const skip = () => {
    if (isLost) return void turn.next()
    if (turn.entry.peek().comment.trim() !== '') setAsking(true)
    else void turn.skip()
  }
  useShortcuts(
    keyNames().map((name) => ({ ...name, act: () => name.keys === 'Ctrl+Enter' && submit() })),
    [claim, isLost],
  )
  const acts = {
    submit,
    skip,
    undo: () => void undo(),
    answer: () => answer.current?.focus(),
    help: showShortcuts,
    comment: () => comment.current?.focus(),
  }
  return (
    <form
      class="grading-desk"
      noValidate
      onKeyDown={(event) => pressed(event, acts)}
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <AnswerToGrade claim={claim} lang={lang} isShared={isShared} place={answer} />
      <section class="card grading-rubric" aria-label={text('grading.rubric')}>
        <div class="card-head">
          <h2>{text(criteria[0]!.title ? 'grading.rubric' : 'grading.criterion.whole')}</h2>
          <Left turn={turn} claim={claim} />
        </div>
        {isLost && (
          <div class="note warn" role="alert">
            <Icon name="warning" />
            <div>
              <p>{text('grading.lost')}</p>
              {entry.comment.trim() !== '' && <CopyButton value={entry.comment} label={text('grading.lost.copy')} />}
            </div>
          </div>
        )}
        <Rubric
          {...{ criteria, entry, isChecked, list }}
          change={(next) => turn.change(next)}
          isReadOnly={isBusy || isLost}
        />
        {criteria.length > 1 && (
          <p class="grading-sum">
            <span>{text('grading.sum')}</span>{' '}
            <b>
              {number(sumOf(criteria, entry), 2)} / {number(claim.question.points, 2)}
            </b>
          </p>
        )}
        <label for="grading-comment">
          {text('grading.comment')} <span class="muted optional">{text('form.optional')}</span>
        </label>
        <textarea
          id="grading-comment"
          class="field"
          rows={2}
          maxLength={2000}
          ref={comment}
          value={entry.comment}
          readOnly={isBusy || isLost}
          aria-describedby="grading-comment-hint"
          onInput={(event) => turn.change({ ...turn.entry.peek(), comment: event.currentTarget.value })}
        />
        <p class="hint" id="grading-comment-hint">
          {text('grading.comment.hint')}
        </p>
        <Notes turn={turn} />
        <div class="go grading-go">
          <button class="button primary grading-save" aria-disabled={isBusy}>
            {text(isLost ? 'grading.next' : 'grading.save')} <kbd aria-hidden="true">Enter</kbd>
          </button>
          {!isLost && (
            <button type="button" class="button" aria-keyshortcuts="S" onClick={skip}>
              {text('grading.skip')} <kbd aria-hidden="true">S</kbd>
            </button>
          )}
          <Action
            act={() => void undo()}
            reason={!turn.last() ? text('grading.undo.none') : undefined}
          >
            {text('grading.undo')} <kbd aria-hidden="true">U</kbd>
          </Action>
          <button type="button" class="link-button grading-keys" onClick={showShortcuts}>
            {text('grading.keys')} <kbd aria-hidden="true">?</kbd>
          </button>
        </div>
      </section>
      {isAsking && (
        <Confirm
          title={text('grading.skip.title')}
          label={text('grading.skip')}
          act={async () => {
            await turn.skip()
            return turn.fault.peek()
          }}
          close={() => setAsking(false)}
        >
          <p>{text('grading.skip.text')}</p>
        </Confirm>
      )}
    </form>
  )
}

/** Notes say where what was typed is, and why a request did not succeed. */
function Notes({ turn }: { turn: Turn }) {
  const saved = turn.saved.value
  const fault = turn.fault.value
  return (
    <>
      {turn.isStale.value && !turn.isLost.value && (
        <div class="note" role="status">
          <Icon name="clock" />
          <div>
            <p>{text('grading.stale')}</p>
            <p>
              <button type="button" class="button small" onClick={() => void turn.keepClaim()}>
                {text('grading.stale.keep')}
              </button>
            </p>
          </div>
        </div>
      )}
      {fault && <FaultNote fault={fault} />}
      <p class="small muted grading-saved">{saved === 'server' && text('grading.draft.saved')}</p>
      <div role="status">
        {saved === 'tab' && !turn.isLost.value && <p class="note warn">{text('grading.draft.tab')}</p>}
      </div>
    </>
  )
}
