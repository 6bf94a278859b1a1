// Creates the draft.
import { useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { Form, TextField } from '../core/forms.tsx'
import { forget } from '../core/query.ts'
import { to, useAddress } from '../core/url.ts'
import { maxTitle, type Choices, type Imported, type Source } from './contract.ts'
import { toComplete } from './notes.ts'
import { sendSource } from './request.ts'

interface Props {
  source: Source
  choices: Choices
  imported: Imported
  /** Whether the questions of the present source are not known yet. */
  isReading: boolean
  created(): void
}

export function Create({ source, choices, imported, isReading, created }: Props) {
  const { go } = useAddress()
  const [typed, setTyped] = useState<string>()
  const title = (typed ?? imported.title).replace(/\s+/g, ' ').trim()
  const count = imported.stages.reduce((sum, stage) => sum + stage.questions.length, 0)
  const incomplete = toComplete(imported.report)
  return (
    <section class="card import-create">
      <Form
        draft="title"
        label={text('import.create', { count })}
        busyLabel={text('import.busy')}
        reason={isReading ? text('import.reading') : undefined}
        check={(): Record<string, string> => (title ? {} : { '/title': text('import.titleRequired') })}
        send={(key) => sendSource(source, choices, { title, key })}
        done={({ assessmentId }) => {
          created()
          forget('/v1/')
          go(to(`/assessments/${assessmentId}/edit`))
        }}
      >
        <TextField
          label={text('import.titleLabel')}
          hint={text('import.titleHint')}
          pointer="/title"
          value={typed ?? imported.title}
          change={setTyped}
          maxLength={maxTitle}
        />
        <p class={incomplete > 0 ? 'import-attention warn' : 'import-attention muted'}>
          {incomplete > 0 ? text('import.attention', { count: incomplete }) : text('import.attention.none')}
        </p>
      </Form>
    </section>
  )
}
