// Data protection in the settings of an assessment: its own retention, its voluntary questions, and its legal holds.
import { useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { Action } from '../core/page.tsx'
import { needs } from '../core/roles.ts'
import { to } from '../core/url.ts'
import { SetHold } from './hold.tsx'
import { Holds } from './holds.tsx'
import { Retention } from './retention.tsx'

export function OfAssessment({ assessment: { id, title } }: { assessment: { id: string; title: string } }) {
  const [isSetting, set] = useState(false)
  const [version, setVersion] = useState(0)
  const reason = needs('ADMIN')
  return (
    <>
      <section class="card" id="retention">
        <h2>{text('protection.retention')}</h2>
        {reason ? <p class="hint">{reason}</p> : <Retention assessmentId={id} />}
      </section>
      <section class="card" id="voluntary">
        <h2>{text('protection.voluntary')}</h2>
        <p class="muted settings-note">{text('protection.voluntary.text')}</p>
        {reason ? (
          <p class="hint">{reason}</p>
        ) : (
          <a class="button small" href={to(`/assessments/${id}/groups`)}>
            {text('protection.voluntary.open')}
          </a>
        )}
      </section>
      <section class="card" id="holds">
        <h2>{text('protection.holds')}</h2>
        <p class="muted settings-note">{text('protection.holds.text')}</p>
        {!reason && <Holds key={version} assessmentId={id} />}
        <p class="settings-note">
          <Action isSmall reason={reason} act={() => set(true)}>
            {text('protection.set')}
          </Action>
        </p>
      </section>
      {isSetting && (
        <SetHold
          of={{ assessmentId: id }}
          name={title || text('protection.untitled')}
          done={() => setVersion(version + 1)}
          close={() => set(false)}
        />
      )}
    </>
  )
}
