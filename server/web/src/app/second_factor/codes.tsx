// New recovery codes, which are shown once.
import { useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { save } from '../core/download.ts'
import { CheckField } from '../core/forms.tsx'
import { me } from '../core/me.ts'
import { Action } from '../core/page.tsx'
import { CopyButton } from '../core/states.tsx'

interface Props {
  codes: string[]
  /** What the codes are for. The default is the second factor of the person. */
  lead?: string
  /** The first line of the file. */
  head?: string
  done(): void
}

export function Codes({ codes, lead = text('secondFactor.codes.text'), head, done }: Props) {
  const [isSaved, setSaved] = useState(false)
  const all = codes.join('\n')
  const download = () => {
    const first = head ?? text('secondFactor.codes.file', { email: me.value!.email })
    save(new Blob([`${first}\n\n${all}\n`], { type: 'text/plain' }), 'assay-recovery-codes.txt')
  }
  return (
    <>
      <p>{lead}</p>
      <ol class="second-factor-codes" translate={false}>
        {codes.map((code) => (
          <li key={code}>
            <code data-secret>{code}</code>
          </li>
        ))}
      </ol>
      <div class="second-factor-keep">
        <CopyButton value={all} />
        <Action isSmall act={download}>
          {text('secondFactor.codes.download')}
        </Action>
        <Action isSmall act={() => print()}>
          {text('secondFactor.codes.print')}
        </Action>
      </div>
      <CheckField label={text('secondFactor.codes.saved')} isChecked={isSaved} change={setSaved} />
      <div class="go">
        <Action kind="primary" act={done} reason={isSaved ? undefined : text('secondFactor.codes.first')}>
          {text('secondFactor.codes.done')}
        </Action>
      </div>
    </>
  )
}
