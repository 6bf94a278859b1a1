import { text } from '../../shared/i18n.tsx'
import { Page } from '../core/page.tsx'
import { Rows } from '../core/states.tsx'

export default function Screen() {
  return (
    <Page title={text('events.title')}>
      <Rows />
    </Page>
  )
}
