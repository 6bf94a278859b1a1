// The answers that candidates have given to a question, by frequency, in a drawer.
import { text, Verbatim } from '../../shared/i18n.tsx'
import { Bar } from '../candidate/bars.tsx'
import { ask, v1, type Schemas } from '../core/api.ts'
import { Dialog } from '../core/dialogs.tsx'
import { number } from '../core/figures.ts'
import { Icon } from '../core/icons.tsx'
import { Action } from '../core/page.tsx'
import { useQuery } from '../core/query.ts'
import { needs } from '../core/roles.ts'
import { Loaded } from '../core/states.tsx'
import { to, useAddress } from '../core/url.ts'
import { draftFrom, keep, type Question } from './draft.ts'
import { keyOf } from './keys.ts'
import { answerWords } from './words.ts'

interface Props {
  assessmentId: string
  question: Question
  lang: string | null
  close(): void
}

export function AnswersDrawer({ assessmentId, question, lang, close }: Props) {
  const query = useQuery(`/v1/assessments/${assessmentId}/questions/${question.id}/answers`, () =>
    ask(
      v1.GET('/v1/assessments/{id}/questions/{questionId}/answers', {
        params: { path: { id: assessmentId, questionId: question.id } },
      }),
    ),
  )
  return (
    <Dialog kind="drawer" title={text('correction.answers')} close={close}>
      <p class="correction-prompt">{question.prompt}</p>
      <Loaded query={query}>
        {(given) => (
          <>
            <p class="small muted">
              {given.exact
                ? text('correction.answers.all', { count: given.examined })
                : text('correction.answers.newest', { count: given.examined })}
            </p>
            {given.answers.length === 0 ? (
              <p>{text('correction.answers.none')}</p>
            ) : (
              <ol class="correction-answers">
                {given.answers.map((answer) => (
                  <Item
                    key={JSON.stringify(answer.answer)}
                    {...{ assessmentId, question, lang, answer }}
                    examined={given.examined}
                  />
                ))}
              </ol>
            )}
          </>
        )}
      </Loaded>
    </Dialog>
  )
}

interface ItemProps extends Omit<Props, 'close'> {
  answer: Schemas['QuestionAnswer']
  examined: number
}

function Item({ assessmentId, question, lang, answer, examined }: ItemProps) {
  const { go } = useAddress()
  const { count, points, correct } = answer
  const words = answerWords(question, answer.answer)
  const accept = () => {
    keep(question.id, draftFrom(question, answer.answer, words))
    go(to(`/assessments/${assessmentId}/correct`, { question: question.id, step: 'effect' }))
  }
  return (
    <li class={correct ? 'is-key' : undefined}>
      <span class="correction-answer">
        {correct && <Icon name="check" />}
        <bdi lang={lang ?? undefined}>
          <Verbatim>{words}</Verbatim>
        </bdi>
        {correct && <span class="unseen"> ({text('questions.options.key')})</span>}
      </span>
      <span class="small muted">
        {text('correction.answers.given', { count })} · {text('questions.question.points', { points: number(points, 2) })}
      </span>
      <Bar value={examined === 0 ? 0 : (100 * count) / examined} />
      {!correct && keyOf(question) && (
        <Action isSmall reason={needs('EDITOR')} act={accept} label={text('correction.accept.label', { answer: words })}>
          {text('correction.accept')}
        </Action>
      )}
    </li>
  )
}
