// The editor of the voluntary questions of an assessment.
import { text } from '../../shared/i18n.tsx'
import { ask, v1, type Schemas } from '../core/api.ts'
import { DraftNote } from '../core/draft.tsx'
import { useDraft } from '../core/drafts.ts'
import { Form, TextField } from '../core/forms.tsx'
import { notify } from '../core/notices.tsx'
import { Action } from '../core/page.tsx'
import { useQuery } from '../core/query.ts'
import { Loaded } from '../core/states.tsx'
import { bodyOf, enteredOf, faultsOf, maxOptions, maxQuestions, newOption, newQuestion, type Entered } from './entered.ts'
import { presetOf, presets } from './presets.ts'

interface Props {
  id: string
  /** Is called when other questions are saved. */
  saved(): void
}

export function VoluntaryQuestions({ id, saved: done }: Props) {
  const query = useQuery(`/v1/assessments/${id}/self-identification`, () =>
    ask(v1.GET('/v1/assessments/{id}/self-identification', { params: { path: { id } } })),
  )
  const changed = (next: Schemas['SelfIdentification']) => {
    query.set(next)
    done()
  }
  return (
    <section class="card voluntary-editor">
      <h2>{text('groups.settings.title')}</h2>
      <p class="muted">{text('groups.settings.text')}</p>
      <Loaded query={query}>{(saved) => <Editor key={saved.updatedAt} id={id} saved={saved} changed={changed} />}</Loaded>
    </section>
  )
}

interface EditorProps {
  id: string
  saved: Schemas['SelfIdentification']
  changed(saved: Schemas['SelfIdentification']): void
}

function Editor({ id, saved, changed }: EditorProps) {
  const draft = useDraft(`voluntary ${id} ${saved.updatedAt}`, () => saved.questions.map(enteredOf))
  const { value: questions, set } = draft
  const add = (question: Entered) => set([...questions, question])
  const full = questions.length >= maxQuestions ? text('groups.settings.full', { count: maxQuestions }) : undefined
  const has = (presetId: string) => questions.some((question) => question.id === presetId)
  return (
    <Form
      draft={undefined}
      label={text('groups.settings.save')}
      check={() => faultsOf(questions)}
      send={() =>
        ask(v1.PUT('/v1/assessments/{id}/self-identification', { params: { path: { id } }, body: bodyOf(questions) }))
      }
      done={(next) => {
        draft.forget()
        changed(next)
        notify(text('groups.settings.saved'))
      }}
    >
      {draft.isBack && <DraftNote discard={draft.drop} />}
      {questions.length === 0 && <p class="muted">{text('groups.settings.none')}</p>}
      {questions.map((question, i) => (
        <Question
          key={question.key}
          index={i}
          question={question}
          change={(next) => set(questions.map((one) => (one.key === next.key ? next : one)))}
          remove={() => set(questions.filter(({ key }) => key !== question.key))}
        />
      ))}
      <div class="voluntary-add">
        {presets.map((preset) => (
          <Action
            key={preset}
            isSmall
            reason={full ?? (has(presetOf(preset).id) ? text('groups.settings.has') : undefined)}
            act={() => add(enteredOf(presetOf(preset)))}
          >
            {text(`groups.preset.${preset}`)}
          </Action>
        ))}
        <Action isSmall reason={full} act={() => add(newQuestion())}>
          {text('groups.settings.own')}
        </Action>
      </div>
      <p class="note voluntary-laws">{text('groups.settings.laws')}</p>
    </Form>
  )
}

interface QuestionProps {
  index: number
  question: Entered
  change(question: Entered): void
  remove(): void
}

function Question({ index, question, change, remove }: QuestionProps) {
  const { options } = question
  const pointer = `/questions/${index}`
  const setOption = (key: string, value: string) =>
    change({ ...question, options: options.map((one) => (one.key === key ? { ...one, text: value } : one)) })
  return (
    <fieldset class="voluntary-question">
      <legend>{text('groups.settings.number', { number: index + 1 })}</legend>
      <TextField
        label={text('groups.settings.prompt')}
        pointer={`${pointer}/text`}
        value={question.text}
        maxLength={300}
        change={(value) => change({ ...question, text: value })}
      />
      <ol class="voluntary-options">
        {options.map((option, j) => (
          <li key={option.key}>
            <TextField
              label={text('groups.settings.answer', { number: j + 1 })}
              pointer={`${pointer}/options/${j}/text`}
              value={option.text}
              maxLength={200}
              change={(value) => setOption(option.key, value)}
            />
            <Action
              isSmall
              kind="quiet"
              reason={options.length <= 2 ? text('groups.settings.two') : undefined}
              label={text('groups.settings.removeAnswer', { number: j + 1 })}
              act={() => change({ ...question, options: options.filter(({ key }) => key !== option.key) })}
            >
              {text('groups.settings.remove')}
            </Action>
          </li>
        ))}
      </ol>
      <div class="voluntary-add">
        <Action
          isSmall
          reason={options.length >= maxOptions ? text('groups.settings.fullAnswers', { count: maxOptions }) : undefined}
          act={() => change({ ...question, options: [...options, newOption()] })}
        >
          {text('groups.settings.addAnswer')}
        </Action>
        <Action isSmall kind="quiet" act={remove}>
          {text('groups.settings.removeQuestion')}
        </Action>
      </div>
    </fieldset>
  )
}
