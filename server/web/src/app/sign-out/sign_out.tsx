// Signs out, and asks before unsaved work is lost. It is loaded when a person signs out.

import { render } from 'preact'
import { text } from '../../shared/i18n.tsx'
import { Confirm } from '../core/dialogs.tsx'
import { notify } from '../core/notices.tsx'
import { signOut as end } from '../core/session.ts'
import { loadTexts } from '../core/texts.ts'
import { unsaved, type Unsaved } from '../storage/clearing.ts'
import de from './de.json?url'
import type texts from './en.json'
import en from './en.json?url'

type SignOutTexts = typeof texts
declare module '../../shared/i18n.tsx' {
  interface Texts extends SignOutTexts {}
}

export async function signOut(): Promise<void> {
  const lost = await unsaved()
  if (lost.forms + lost.assessments + lost.candidates === 0) return goOn()
  await loadTexts({ de, en })
  const host = document.body.appendChild(document.createElement('div'))
  const close = () => {
    render(null, host)
    host.remove()
  }
  render(<Question lost={lost} close={close} />, host)
}

async function goOn(): Promise<void> {
  if (!(await end())) notify(text('nav.signOut.failed'))
}

function Question({ lost: { forms, assessments, candidates }, close }: { lost: Unsaved; close(): void }) {
  const act = async () => {
    await goOn()
    return undefined
  }
  return (
    <Confirm title={text('signOut.title')} label={text('signOut.go')} isDanger act={act} close={close}>
      <p>{text('signOut.text')}</p>
      <ul>
        {forms > 0 && <li>{text('signOut.forms', { count: forms })}</li>}
        {assessments > 0 && <li>{text('signOut.assessments', { count: assessments })}</li>}
        {candidates > 0 && <li>{text('signOut.candidates', { count: candidates })}</li>}
      </ul>
    </Confirm>
  )
}
