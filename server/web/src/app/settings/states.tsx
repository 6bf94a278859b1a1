// The states that the organization gives to candidates: names, order, and which of them are archived.
import { text } from '../../shared/i18n.tsx'
import { isBlank } from '../../shared/text.ts'
import { ask, v1, type Schemas } from '../core/api.ts'
import { DraftNote } from '../core/draft.tsx'
import { useDraft } from '../core/drafts.ts'
import { CheckField, Form, TextField } from '../core/forms.tsx'
import { newKey } from '../core/keys.ts'
import { notify } from '../core/notices.tsx'
import { Action } from '../core/page.tsx'
import { useQuery } from '../core/query.ts'
import { stateName } from '../core/review_state.ts'
import { needs } from '../core/roles.ts'
import { Loaded } from '../core/states.tsx'

type States = Schemas['ReviewStates']

/** Row is a state in the form. `key` is for Preact, because a new state has no id. */
interface Row {
  key: string
  id?: string
  name: string
  archived: boolean
}

const most = 20

export function CandidateStates() {
  const query = useQuery('/v1/review-states', () => ask(v1.GET('/v1/review-states')))
  return (
    <Loaded query={query}>
      {(list) => <Editor key={list.version} list={list} changed={query.set} reload={query.reload} />}
    </Loaded>
  )
}

interface EditorProps {
  list: States
  changed(list: States): void
  reload(): void
}

function Editor({ list, changed, reload }: EditorProps) {
  const reason = needs('ADMIN')
  // The rows are kept as a whole, because their order can change.
  const draft = useDraft<Row[]>(`states ${list.version}`, () =>
    list.states.map((state) => ({ ...state, key: state.id, name: stateName(state) })),
  )
  const { value: rows, set: setRows } = draft
  const change = (key: string, changes: Partial<Row>) =>
    setRows(rows.map((row) => (row.key === key ? { ...row, ...changes } : row)))
  const move = (i: number, to: number) => {
    const next = [...rows]
    next.splice(to, 0, ...next.splice(i, 1))
    setRows(next)
  }
  const check = () =>
    Object.fromEntries(
      rows.flatMap(({ name }, i) => (isBlank(name) ? [[`/states/${i}/name`, text('field.required')]] : [])),
    ) as Record<string, string>
  // A name that is shown in the language of the reader is stored as it was.
  const nameOf = ({ id, name }: Row) => {
    const stored = list.states.find((state) => state.id === id)
    return stored && stateName(stored) === name ? stored.name : name.trim()
  }
  const send = () =>
    ask(
      v1.PUT('/v1/review-states', {
        body: {
          version: list.version,
          states: rows.map((row) => ({ ...(row.id && { id: row.id }), name: nameOf(row), archived: row.archived })),
        },
      }),
    )
  return (
    <Form
      draft={undefined}
      label={text('settings.save')}
      reason={reason}
      check={check}
      send={send}
      done={(next) => {
        draft.drop()
        changed(next)
        notify(text('settings.saved'))
      }}
      actions={
        <Action
          act={() => setRows([...rows, { key: newKey(), name: '', archived: false }])}
          reason={reason ?? (rows.length >= most ? text('settings.states.most', { count: most }) : undefined)}
        >
          {text('settings.states.add')}
        </Action>
      }
      refused={(fault) => {
        if (fault.problem?.code === 'states_changed') reload()
        return false
      }}
    >
      {draft.isBack && <DraftNote discard={draft.drop} />}
      <p class="hint settings-states-lead">{text('settings.states.hint')}</p>
      <fieldset disabled={reason !== undefined}>
        <ol class="settings-states">
          {rows.map((row, i) => (
            <li key={row.key}>
              <TextField
                label={text('settings.states.name', { number: i + 1 })}
                pointer={`/states/${i}/name`}
                maxLength={60}
                value={row.name}
                change={(name) => change(row.key, { name })}
              />
              <div class="settings-state-actions">
                <Action
                  isSmall
                  label={text('settings.states.up', { name: row.name })}
                  act={() => i > 0 && move(i, i - 1)}
                  reason={i === 0 ? text('settings.states.first') : undefined}
                >
                  ↑
                </Action>
                <Action
                  isSmall
                  label={text('settings.states.down', { name: row.name })}
                  act={() => i < rows.length - 1 && move(i, i + 1)}
                  reason={i === rows.length - 1 ? text('settings.states.last') : undefined}
                >
                  ↓
                </Action>
                {row.id === 'new' ? (
                  <span class="small muted">{text('settings.states.initial')}</span>
                ) : (
                  <>
                    {row.id && (
                      <CheckField
                        label={text('settings.states.archived')}
                        isChecked={row.archived}
                        change={(archived) => change(row.key, { archived })}
                      />
                    )}
                    <Action
                      isSmall
                      kind="quiet"
                      label={text('settings.states.removeName', { name: row.name })}
                      act={() => setRows(rows.filter((other) => other.key !== row.key))}
                    >
                      {text('settings.states.remove')}
                    </Action>
                  </>
                )}
              </div>
            </li>
          ))}
        </ol>
      </fieldset>
    </Form>
  )
}
