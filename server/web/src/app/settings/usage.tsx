// How much of its quotas the organization uses.
import { text } from '../../shared/i18n.tsx'
import { number, share } from '../core/figures.ts'
import type { Organization, SectionProps } from './section.tsx'

type Name = keyof Organization['usage']

const names: Name[] = [
  'members',
  'assessments',
  'definitionBytes',
  'mediaBytes',
  'questions',
  'liveSessions',
  'apiKeys',
  'webhooks',
  'queuedDeliveries',
  'emails',
]

export function Usage({ organization: { usage } }: SectionProps) {
  return (
    <>
      <p class="muted small settings-lead">{text('settings.usage.text')}</p>
      <table class="plain-table settings-usage">
        <thead class="unseen">
          <tr>
            <th>{text('settings.usage.what')}</th>
            <th>{text('settings.usage.share')}</th>
            <th>{text('settings.usage.used')}</th>
          </tr>
        </thead>
        <tbody>
          {names.map((name) => (
            <Row key={name} name={name} quota={usage[name]} />
          ))}
        </tbody>
      </table>
    </>
  )
}

function Row({ name, quota: { used, limit } }: { name: Name; quota: Organization['usage'][Name] }) {
  const format = (value: number) =>
    name === 'definitionBytes' || name === 'mediaBytes'
      ? text('settings.usage.megabytes', { size: number(value / 1_000_000, 1) })
      : number(value)
  const part = limit ? Math.min(1, used / limit) : 0
  return (
    <tr>
      <th scope="row">{text(`settings.usage.${name}`)}</th>
      <td>
        {limit !== null && (
          <>
            <span class="bar" aria-hidden="true">
              <i class={part > 0.9 ? 'settings-full' : undefined} style={{ width: `${100 * part}%` }} />
            </span>
            <span class="unseen">{share(used, limit)}</span>
          </>
        )}
      </td>
      <td class="num">
        {limit === null
          ? format(used)
          : text('settings.usage.of', { used: format(used), limit: format(limit) })}
      </td>
    </tr>
  )
}
