import { text } from '../../shared/i18n.tsx'
import { Page } from '../core/page.tsx'

export default function Screen() {
  return <Page title={text('import.title')}>{null}</Page>
}
