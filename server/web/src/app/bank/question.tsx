// One question of the bank, at /questions/:id, and the form of another one, at /questions/new.
import { useEffect, useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import type { Fault } from '../core/api.ts'
import { number } from '../core/figures.ts'
import { When } from '../core/formats.tsx'
import { Menu } from '../core/menu.tsx'
import { Action, Page } from '../core/page.tsx'
import { needs } from '../core/roles.ts'
import { FaultNote, Rows } from '../core/states.tsx'
import { to, useAddress } from '../core/url.ts'
import { AskDialog, itemsOf, type Asked } from './actions.tsx'
import { etagOf, read, type BankQuestion } from './base.ts'
import { Content } from './content.tsx'
import { QuestionForm, Statistics, Versions } from './lazy.ts'
import { BankEditor } from './state.ts'
import { titleOf } from './words.ts'

const crumbs = () => [{ label: text('nav.questions'), href: to('/questions') }]

export default function Screen({ params }: { params: Record<string, string> }) {
  const id = params.id!
  return id === 'new' ? <New /> : <Existing key={id} id={id} />
}

/** New shows another empty form after each question that is saved with "Save and add another". */
function New() {
  const { go } = useAddress()
  const [editor, setEditor] = useState(() => new BankEditor(undefined))
  const reason = needs('EDITOR')
  return (
    <Page title={text('bank.new')} crumbs={crumbs()} isNarrow>
      {reason ? (
        <p class="note">{reason}</p>
      ) : (
        <QuestionForm
          key={editor}
          editor={editor}
          saved={({ id }) => go(to(`/questions/${id}`), true)}
          another={({ question: { points }, tags }) => {
            const { type } = editor.question.peek()
            setEditor(new BankEditor(undefined, { type, points, tags }))
          }}
        />
      )}
    </Page>
  )
}

function Existing({ id }: { id: string }) {
  const [editor, setEditor] = useState<BankEditor>()
  const [fault, setFault] = useState<Fault>()
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    let isLeft = false
    setFault(undefined)
    void read(id).then((answer) => {
      if (isLeft) return
      if (answer.ok) setEditor(new BankEditor({ data: answer.data, etag: etagOf(answer.response) }))
      else setFault(answer.fault)
    })
    return () => {
      isLeft = true
    }
  }, [attempt])
  if (editor) return <Opened editor={editor} />
  return (
    <Page title={text('bank.question')} crumbs={crumbs()}>
      {fault ? <FaultNote fault={fault} retry={() => setAttempt(attempt + 1)} /> : <Rows />}
    </Page>
  )
}

const parts = ['question', 'versions', 'statistics'] as const

function Opened({ editor }: { editor: BankEditor }) {
  const { query, with: link, go, change } = useAddress()
  const [asked, setAsked] = useState<Asked>()
  const { data } = editor.base.value!
  const part = parts.find((one) => one === query.part) ?? 'question'
  const isDirty = editor.isDirty.value
  const isEditing = query.edit === 'true' || isDirty
  // Changes that the tab has kept open the form. It stays open if they are undone.
  useEffect(() => {
    if (isDirty) change({ edit: 'true' }, true)
  }, [isDirty])
  const leave = () => {
    change({ edit: undefined }, true)
    document.querySelector('h1')?.focus() // the button that had the focus is gone
  }
  const known = { ...data, title: titleOf(data.question.prompt) }
  return (
    <Page
      title={known.title}
      isName
      crumbs={crumbs()}
      beside={data.archivedAt !== null && <span class="tag">{text('bank.archived.tag')}</span>}
      actions={
        <>
          <Menu
            label={text('bank.actions')}
            items={itemsOf({ question: known, ask: setAsked, restored: (base) => editor.adopt(base) })}
          />
          {!(isEditing && part === 'question') && (
            <Action
              kind="primary"
              reason={needs('EDITOR')}
              act={() => change({ edit: 'true', part: undefined })}
            >
              {text('bank.edit')}
            </Action>
          )}
        </>
      }
      tabs={parts.map((one) => ({
        label: text(`bank.part.${one}`),
        href: link({ part: one === 'question' ? undefined : one }),
        isCurrent: one === part,
      }))}
    >
      {part === 'question' && (
        <div class="two" style={{ marginTop: 0 }}>
          {isEditing && !needs('EDITOR') ? (
            <QuestionForm
              editor={editor}
              saved={leave}
              cancel={() => {
                editor.discard()
                leave()
              }}
            />
          ) : (
            <section class="card">
              <Content of={data.question} />
            </section>
          )}
          <Facts of={data} />
        </div>
      )}
      {part === 'versions' && (
        <Versions
          current={data}
          use={(content) => {
            editor.use(content)
            change({ part: undefined, edit: 'true' })
          }}
        />
      )}
      {part === 'statistics' && <Statistics id={data.id} />}
      {asked && (
        <AskDialog
          asked={asked}
          archived={(base) => editor.adopt(base)}
          deleted={() => go(to('/questions'), true)}
          close={() => setAsked(undefined)}
        />
      )}
    </Page>
  )
}

/** Facts is what the question has beside its content. */
function Facts({ of: { version, usedIn, tags, createdAt, updatedAt } }: { of: BankQuestion }) {
  const { with: link } = useAddress()
  return (
    <aside class="card" aria-label={text('bank.facts')}>
      <dl class="facts-list">
        <dt>{text('bank.version')}</dt>
        <dd>
          <a href={link({ part: 'versions' })}>{number(version)}</a>
        </dd>
        <dt>{text('bank.used')}</dt>
        <dd>{text('bank.used.count', { count: usedIn })}</dd>
        <dt>{text('bank.tags')}</dt>
        <dd translate={false}>{tags.join(', ') || '–'}</dd>
        <dt>{text('bank.changed')}</dt>
        <dd>
          <When at={updatedAt} isRelative />
        </dd>
        <dt>{text('bank.created')}</dt>
        <dd>
          <When at={createdAt} isRelative />
        </dd>
      </dl>
    </aside>
  )
}
