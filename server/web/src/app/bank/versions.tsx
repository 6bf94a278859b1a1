// The versions of a question, newest first. The server keeps the newest 20.
import { text } from '../../shared/i18n.tsx'
import { ask, v1, type Schemas } from '../core/api.ts'
import { When } from '../core/formats.tsx'
import { Action } from '../core/page.tsx'
import { useQuery } from '../core/query.ts'
import { needs } from '../core/roles.ts'
import { Loaded } from '../core/states.tsx'
import { Content } from './content.tsx'
import type { BankQuestion } from './base.ts'

interface Props {
  current: BankQuestion
  /** Puts the content of a version into the form. */
  use(content: Schemas['Question']): void
}

export function Versions({ current: { id, version: newest }, use }: Props) {
  const query = useQuery(`/v1/questions/${id}/versions?${newest}`, () =>
    ask(v1.GET('/v1/questions/{id}/versions', { params: { path: { id } } })),
  )
  return (
    <>
      <p class="muted" style={{ marginBottom: 'var(--s4)' }}>
        {text('bank.versions.text')}
      </p>
      <Loaded query={query}>
        {(versions) => (
          <ol style={listStyle}>
            {versions.map(({ version, question, createdAt }) => (
              <li key={version} class="card" style={{ margin: 0 }}>
                <div style={headStyle}>
                  <h2 style={{ fontSize: 'var(--text-m)' }}>{text('bank.version.number', { version })}</h2>
                  {version === newest && <span class="tag good">{text('bank.version.current')}</span>}
                  <span class="muted small">
                    <When at={createdAt} isRelative />
                  </span>
                  <span class="grow" />
                  {version !== newest && (
                    <Action
                      isSmall
                      reason={needs('EDITOR')}
                      label={text('bank.version.useNumber', { version })}
                      act={() => use(question)}
                    >
                      {text('bank.version.use')}
                    </Action>
                  )}
                </div>
                <Content of={question} />
              </li>
            ))}
          </ol>
        )}
      </Loaded>
    </>
  )
}

const listStyle = { display: 'grid', gap: 'var(--s3)', margin: 0, padding: 0, listStyle: 'none' }
const headStyle = { display: 'flex', flexWrap: 'wrap', gap: 'var(--s2)', alignItems: 'center' }
