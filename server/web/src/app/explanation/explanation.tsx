// A text that explains to the candidate how the outcome came about: to copy into an email, or to print.
import { useEffect, useState } from 'preact/hooks'
import { language, text, type Messages } from '../../shared/i18n.tsx'
import { ask, v1, type Schemas } from '../core/api.ts'
import { candidateLanguage } from '../core/candidate_languages.ts'
import { Dialog } from '../core/dialogs.tsx'
import { Icon } from '../core/icons.tsx'
import { me } from '../core/me.ts'
import { Action } from '../core/page.tsx'
import { useQuery } from '../core/query.ts'
import { CopyButton, Loaded } from '../core/states.tsx'
import { load } from '../core/texts.ts'
import { useOpenDecision } from '../decision/open.ts'
import de from './de.json?url'
import en from './en.json?url'
import { partsOf, plainText, Writer, type Facts, type Part } from './words.ts'

/** The languages in which the explanation exists. */
const files: Record<string, string> = { de, en }

interface Props {
  session: Schemas['CandidateSession']
  close(): void
}

export function Explanation({ session, close }: Props) {
  const { id, updatedAt, assessmentId } = session
  const result = useQuery(`/v1/candidate-sessions/${id}/result ${updatedAt}`, () =>
    ask(v1.GET('/v1/candidate-sessions/{id}/result', { params: { path: { id } } })),
  )
  const assessment = useQuery(`/v1/assessments/${assessmentId}`, () =>
    ask(v1.GET('/v1/assessments/{id}', { params: { path: { id: assessmentId } } })),
  )
  const decision = useOpenDecision(session)
  const [chosen, setChosen] = useState<string>()
  const { organization } = me.value!
  const own = candidateLanguage(assessment.data?.locale ?? organization.locale)
  const tag = chosen ?? (own && own in files ? own : 'en')
  const messages = useMessages(tag)
  const names = new Intl.DisplayNames(language.value.tag, { type: 'language' })
  return (
    <Dialog title={text('explanation.title')} close={close} kind="wide">
      <p class="muted no-print">{text('explanation.hint')}</p>
      <Loaded query={result}>
        {(data) =>
          decision.data &&
          assessment.data &&
          messages && (
            <Letter
              tag={tag}
              parts={partsOf(new Writer(tag, messages), { result: data, rulings: decision.data.rulings, organization } as Facts)}
            >
              <label class="filter">
                <span>{text('explanation.language')}</span>{' '}
                <select class="field small" value={tag} onChange={(event) => setChosen(event.currentTarget.value)}>
                  {Object.keys(files).map((one) => (
                    <option key={one} value={one}>
                      {names.of(one)}
                    </option>
                  ))}
                </select>
              </label>
              {own && !(own in files) && (
                <p class="small">{text('explanation.other', { language: names.of(own) ?? own })}</p>
              )}
            </Letter>
          )
        }
      </Loaded>
    </Dialog>
  )
}

function useMessages(tag: string): Messages | undefined {
  const [loaded, setLoaded] = useState<Record<string, Messages>>({})
  useEffect(() => {
    void load(files[tag]!).then((messages) => setLoaded((before) => ({ ...before, [tag]: messages })))
  }, [tag])
  return loaded[tag]
}

interface LetterProps {
  tag: string
  parts: Part[]
  /** The choice of the language. */
  children: preact.ComponentChildren
}

function Letter({ tag, parts, children }: LetterProps) {
  return (
    <>
      <div class="no-print">{children}</div>
      <div class="explanation" lang={tag} translate={false}>
        {parts.map((part, i) => {
          if ('heading' in part) return <h3 key={i}>{part.heading}</h3>
          if ('text' in part) return <p key={i}>{part.text}</p>
          return (
            <ul key={i}>
              {part.items.map((item) => (
                <li key={item}>{item}</li>
              ))}
            </ul>
          )
        })}
      </div>
      <div class="go no-print">
        <CopyButton value={plainText(parts)} />
        <Action act={() => print()}>
          <Icon name="print" />
          {text('candidate.print')}
        </Action>
      </div>
    </>
  )
}
