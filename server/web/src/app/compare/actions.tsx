// The actions of a comparison: hide names, add candidates, print.
import { text } from '../../shared/i18n.tsx'
import { Icon } from '../core/icons.tsx'
import { Action, ActionLink } from '../core/page.tsx'
import { to, useAddress } from '../core/url.ts'
import { most, type Row } from './rows.ts'

export function Actions({ ids, rows }: { ids: string[]; rows: Row[] }) {
  const { query, change } = useAddress()
  const isHidden = query.names === 'hidden'
  const first = rows.find(({ result, session }) => result ?? session)
  const assessment = first?.result?.assessment.id ?? first?.session?.assessmentId
  const list = assessment ? `/assessments/${assessment}/candidates` : '/candidates'
  return (
    <>
      <Action act={() => change({ names: isHidden ? undefined : 'hidden' })}>
        {text(isHidden ? 'compare.names.show' : 'compare.names.hide')}
      </Action>
      <ActionLink
        href={to(list, { selected: ids.join() })}
        reason={ids.length >= most ? text('compare.add.full', { most }) : undefined}
      >
        <Icon name="plus" />
        {text('compare.add')}
      </ActionLink>
      <Action act={() => print()}>
        <Icon name="print" />
        {text('compare.print')}
      </Action>
    </>
  )
}
