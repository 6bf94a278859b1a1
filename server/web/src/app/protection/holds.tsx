// The legal holds of the organization, or those on an assessment and its sessions.
import { text } from '../../shared/i18n.tsx'
import { ask, v1 } from '../core/api.ts'
import { useQuery } from '../core/query.ts'
import { Loaded } from '../core/states.tsx'
import { Pager } from '../core/table.tsx'
import { useAddress } from '../core/url.ts'
import { HoldRows } from './hold.tsx'

const limit = 20

export function Holds({ assessmentId }: { assessmentId?: string }) {
  const { after } = useAddress().query
  const query = { limit, ...(after && { after }), ...(assessmentId && { assessmentId }) }
  const list = useQuery(`/v1/legal-holds?${JSON.stringify(query)}`, () =>
    ask(v1.GET('/v1/legal-holds', { params: { query } })),
  )
  return (
    <Loaded query={list}>
      {(holds) =>
        holds.length > 0 ? (
          <>
            <HoldRows holds={holds} changed={list.reload} />
            <Pager response={list.response} count={holds.length} />
          </>
        ) : (
          <p class="hint">{text('protection.holds.none')}</p>
        )
      }
    </Loaded>
  )
}
