// The decisions of people about one result.
import { ask, v1, type Schemas } from '../core/api.ts'
import { useQuery, type Query } from '../core/query.ts'

type Session = Schemas['CandidateSession']
export type Grade = Schemas['AnswerGrade']

/** useGrades reads the grades of a session, also replaced ones. The newest of each question comes first. */
export function useGrades({ id, updatedAt }: Pick<Session, 'id' | 'updatedAt'>): Query<Grade[]> {
  return useQuery(`/v1/candidate-sessions/${id}/grades ${updatedAt}`, () =>
    ask(v1.GET('/v1/candidate-sessions/{id}/grades', { params: { path: { id } } })),
  )
}

/** useLateAnswers reads the answers that arrived after the deadline of their stage. */
export function useLateAnswers({ id, updatedAt }: Pick<Session, 'id' | 'updatedAt'>): Query<Schemas['LateAnswer'][]> {
  return useQuery(`/v1/candidate-sessions/${id}/late-answers ${updatedAt}`, () =>
    ask(v1.GET('/v1/candidate-sessions/{id}/late-answers', { params: { path: { id } } })),
  )
}

/** questionsOf returns the questions of a result by id, each with its stage. */
export function questionsOf(result: Schemas['Result']): Map<string, { question: Schemas['ResultQuestion']; stage: string }> {
  return new Map(
    result.stages.flatMap(({ title, questions }) =>
      questions.map((question) => [question.id, { question, stage: title }] as const),
    ),
  )
}
