// The choice of the candidates whose results a screen shows: all, or those of a segment.
import { useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { ask, v1 } from '../core/api.ts'
import { Confirm } from '../core/dialogs.tsx'
import { number } from '../core/figures.ts'
import { Icon } from '../core/icons.tsx'
import { notify } from '../core/notices.tsx'
import { Action } from '../core/page.tsx'
import { forget } from '../core/query.ts'
import { needs } from '../core/roles.ts'
import { FaultNote } from '../core/states.tsx'
import { useAddress } from '../core/url.ts'
import { SegmentForm } from './form.tsx'
import { useSegments } from './query.ts'
import { filterWords, type Segment } from './words.ts'

interface Props {
  id: string
  /** Whether the figures on the screen do not contain all sessions yet. */
  isCounting: boolean
}

export function SegmentBar({ id, isCounting }: Props) {
  const { query, change } = useAddress()
  const segments = useSegments(id)
  const [dialog, setDialog] = useState<'create' | 'delete'>()
  const { segment: chosenId } = query
  const { data = [], fault } = segments
  const chosen = data.find((segment) => segment.id === chosenId)
  // A chosen segment that is not in the list was deleted.
  const isGone = Boolean(chosenId) && segments.data !== undefined && !chosen
  const close = () => setDialog(undefined)
  const choose = (segment: string | undefined) => change({ segment, with: undefined })
  return (
    <>
      {fault && <FaultNote fault={fault} retry={segments.reload} />}
      <div class="sort-links">
        <label class="filter">
          <span class="unseen">{text('segments.choose')}</span>
          <select
            class="field small"
            value={chosenId ?? ''}
            onChange={(event) => choose(event.currentTarget.value || undefined)}
          >
            <option value="">{text('segments.all')}</option>
            {data.map((segment) => (
              <option key={segment.id} value={segment.id}>
                {optionWords(segment)}
              </option>
            ))}
            {isGone && <option value={chosenId}>{text('segments.gone')}</option>}
          </select>
        </label>
        <Action isSmall reason={needs('EDITOR')} act={() => setDialog('create')}>
          {text('segments.new')}
        </Action>
        {chosen && (
          <>
            <span class="small muted">{filterWords(chosen)}</span>
            <Action isSmall reason={needs('EDITOR')} act={() => setDialog('delete')}>
              {text('segments.delete')}
            </Action>
          </>
        )}
      </div>
      {isCounting && (
        <div class="note assessment-note" role="status">
          <Icon name="clock" />
          <p>{text('segments.counting')}</p>
        </div>
      )}
      {dialog === 'create' && (
        <SegmentForm
          id={id}
          close={close}
          done={(segment) => {
            close()
            segments.set([segment, ...data])
            choose(segment.id)
          }}
        />
      )}
      {dialog === 'delete' && chosen && (
        <DeleteSegment
          id={id}
          segment={chosen}
          close={close}
          done={() => {
            segments.set(data.filter((segment) => segment !== chosen))
            choose(undefined)
          }}
        />
      )}
    </>
  )
}

function optionWords({ name, count, complete }: Segment): string {
  return text(complete ? 'segments.option' : 'segments.option.counting', { name, count: number(count) })
}

interface DeleteProps {
  id: string
  segment: Segment
  close(): void
  done(): void
}

function DeleteSegment({ id, segment, close, done }: DeleteProps) {
  const act = async () => {
    const path = { id, segmentId: segment.id }
    const answer = await ask(v1.DELETE('/v1/assessments/{id}/segments/{segmentId}', { params: { path } }))
    if (!answer.ok) return answer.fault
    forget(`/v1/assessments/${id}/statistics`)
    notify(text('segments.deleted', { name: segment.name }))
    done()
    return undefined
  }
  return (
    <Confirm
      title={text('segments.delete.question', { name: segment.name })}
      label={text('segments.delete.confirm')}
      isDanger
      act={act}
      close={close}
    >
      <p>{text('segments.delete.text')}</p>
    </Confirm>
  )
}
