// The end of the assessment.
import { Html } from '../../shared/html.tsx'
import { text } from '../../shared/i18n.tsx'
import { taking } from '../session.ts'
import { Heading, Sheet } from './page.tsx'

export function End() {
  const { assessment } = taking.value!
  return (
    <Sheet>
      <Heading>{text('end.title')}</Heading>
      {assessment.closingMessageHtml && <Html class="prose" html={assessment.closingMessageHtml} />}
    </Sheet>
  )
}
