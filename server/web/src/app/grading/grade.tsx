// The grader's screen: one answer after the other.
import { useEffect, useState } from 'preact/hooks'
import { announce } from '../../shared/announce.ts'
import { text } from '../../shared/i18n.tsx'
import { ask, v1 } from '../core/api.ts'
import { When } from '../core/formats.tsx'
import { Page } from '../core/page.tsx'
import { useQuery } from '../core/query.ts'
import { Empty, FaultNote, Rows } from '../core/states.tsx'
import { to, useAddress } from '../core/url.ts'
import { Desk } from './desk.tsx'
import { TooLate } from './too_late.tsx'
import { Turn } from './turn.ts'

interface Props {
  assessmentId: string
  questionId: string | undefined
}

export function Grade({ assessmentId, questionId }: Props) {
  const [turn] = useState(() => new Turn(assessmentId, questionId))
  const { go } = useAddress()
  useEffect(() => {
    turn.start()
    return () => turn.stop()
  }, [])
  // The title of the claim is enough to work. The language of the answers and the number of graders come with this.
  const assessment = useQuery(`/v1/assessments/${assessmentId}`, () =>
    ask(v1.GET('/v1/assessments/{id}', { params: { path: { id: assessmentId } } })),
  ).data
  const claim = turn.claim.value
  const leave = async () => {
    await turn.leave()
    go(to('/grading'))
  }
  const undo = async () => {
    if (!turn.last()) return announce(text('grading.undo.none'))
    await turn.undo()
  }
  const isNamed = claim != null || assessment !== undefined
  return (
    <Page
      title={isNamed ? (claim?.assessmentTitle ?? assessment!.title) : text('grading.title')}
      isName={isNamed}
      crumbs={[{ label: text('grading.title'), href: to('/grading') }]}
      actions={
        claim && (
          <button type="button" class="button" onClick={() => void leave()}>
            {text('grading.stop')}
          </button>
        )
      }
    >
      {turn.late.value && (
        <TooLate late={turn.late.value} assessmentId={assessmentId} isShared={assessment?.grading.graders === 2} />
      )}
      {claim === undefined &&
        (turn.fault.value ? <FaultNote fault={turn.fault.value} retry={() => void turn.open()} /> : <Rows />)}
      {claim === null && <Finished turn={turn} undo={undo} />}
      {claim && (
        <Desk
          turn={turn}
          claim={claim}
          undo={undo}
          lang={assessment?.locale ?? undefined}
          isShared={assessment?.grading.graders === 2}
        />
      )}
    </Page>
  )
}

/** Finished says that nothing waits for the person, and keeps the way back to the last answer. */
function Finished({ turn, undo }: { turn: Turn; undo(): Promise<void> }) {
  const count = turn.graded.value.length
  useEffect(() => {
    const words = text(turn.before.peek() === 'graded' ? 'grading.saved.last' : 'grading.finished.title')
    announce(words)
    document.querySelector<HTMLElement>('.grading-finished')?.focus()
  }, [])
  return (
    <div class="grading-finished" tabIndex={-1} onKeyDown={({ key }) => key.toLowerCase() === 'u' && void undo()}>
      <Empty
        icon="check"
        title={text('grading.finished.title')}
        action={
          <>
            <a class="button primary" href={to('/grading')}>
              {text('grading.finished.list')}
            </a>
            {turn.last() && (
              <button type="button" class="button" onClick={() => void undo()}>
                {text('grading.undo')} <kbd aria-hidden="true">U</kbd>
              </button>
            )}
          </>
        }
      >
        {count > 0 && (
          <p>
            {text('grading.finished.count', { count })} {text('grading.finished.last')}{' '}
            <When at={turn.lastAt!} isRelative />
          </p>
        )}
        <p>{text('grading.finished.text')}</p>
        {turn.fault.value && <FaultNote fault={turn.fault.value} />}
      </Empty>
    </div>
  )
}
