import { text } from '../../shared/i18n.tsx'
import { ActionLink, Page } from '../core/page.tsx'
import { to } from '../core/url.ts'
import { CandidateList } from './list.tsx'

export default function Screen() {
  const invite = (
    <ActionLink href={to('/invite')} kind="primary">
      {text('candidates.invite')}
    </ActionLink>
  )
  return (
    <Page title={text('candidates.title')} actions={invite}>
      <CandidateList />
    </Page>
  )
}
