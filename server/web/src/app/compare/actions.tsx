// The actions of a comparison: hide names, add a candidate, print.
import { useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { Icon } from '../core/icons.tsx'
import { Action } from '../core/page.tsx'
import { useAddress } from '../core/url.ts'
import { AddDialog } from './add.tsx'
import { most, type Row } from './rows.ts'

export function Actions({ ids, rows }: { ids: string[]; rows: Row[] }) {
  const { query, change } = useAddress()
  const [isAdding, setAdding] = useState(false)
  const isHidden = query.names === 'hidden'
  const first = rows.find(({ result, session }) => result ?? session)
  const add = (id: string) => {
    setAdding(false)
    change({ ids: [...ids, id].join() })
  }
  return (
    <>
      <Action act={() => change({ names: isHidden ? undefined : 'hidden' })}>
        {text(isHidden ? 'compare.names.show' : 'compare.names.hide')}
      </Action>
      <Action
        act={() => setAdding(true)}
        reason={
          ids.length >= most ? text('compare.add.full', { most }) : isHidden ? text('compare.add.hidden') : undefined
        }
      >
        <Icon name="plus" />
        {text('compare.add')}
      </Action>
      <Action act={() => print()}>
        <Icon name="print" />
        {text('compare.print')}
      </Action>
      {isAdding && (
        <AddDialog
          ids={ids}
          assessment={first?.result?.assessment.id ?? first?.session?.assessmentId}
          add={add}
          close={() => setAdding(false)}
        />
      )}
    </>
  )
}
