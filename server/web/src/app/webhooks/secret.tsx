// A new signing secret. It is shown once.
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { CheckField } from '../core/forms.tsx'
import { Icon } from '../core/icons.tsx'
import { CopyButton } from '../core/states.tsx'
import { samples, type Sample } from './samples.ts'

interface Props {
  secret: string
  children?: ComponentChildren
  /** Closes the dialog, after the person has confirmed that the secret is stored. */
  done(): void
}

export function NewSecret({ secret, children, done }: Props) {
  const [isStored, setStored] = useState(false)
  return (
    <>
      <div class="note warn">
        <Icon name="key" />
        <p>{text('webhooks.secret.once')}</p>
      </div>
      <div class="webhooks-secret">
        <code data-secret>{secret}</code>
        <CopyButton value={secret} />
      </div>
      {children}
      <Samples />
      <CheckField label={text('webhooks.secret.stored')} isChecked={isStored} change={setStored} />
      <div class="go">
        <button type="button" class="button primary" aria-disabled={!isStored} onClick={() => isStored && done()}>
          {text('webhooks.secret.done')}
        </button>
      </div>
    </>
  )
}

/** Samples are programs that verify a delivery with the secret. */
function Samples() {
  const [shown, setShown] = useState<Sample>('Node.js')
  return (
    <details class="webhooks-samples">
      <summary>{text('webhooks.samples.title')}</summary>
      <p class="small muted">{text('webhooks.samples.text')}</p>
      <div class="webhooks-languages" role="group" aria-label={text('webhooks.samples.label')}>
        {(Object.keys(samples) as Sample[]).map((name) => (
          <button key={name} type="button" class="button small" aria-pressed={name === shown} onClick={() => setShown(name)}>
            {name}
          </button>
        ))}
        <span class="grow" />
        <CopyButton value={samples[shown]} />
      </div>
      <pre tabIndex={0} aria-label={shown}>
        <code>{samples[shown]}</code>
      </pre>
    </details>
  )
}
