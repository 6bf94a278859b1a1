// Questions of the bank in an assessment: the server decides what they contain, each time it saves.
import { docOf } from './contract.ts'
import { same, type Detail, type Doc, type Question, type Stage } from './model.ts'

/**
 * freshened returns a function that gives each question of the bank the content in a response. It returns equal stages
 * for equal stages, because what is saved is found by its identity.
 */
export function freshened(detail: Detail): (doc: Doc) => Doc {
  const newest = new Map(
    docOf(detail).stages.flatMap(({ questions }) => questions)
      .filter(({ bankQuestionId }) => bankQuestionId)
      .map((question) => [question.bankQuestionId!, question]),
  )
  const known = new Map<object, unknown>()
  const once = <T extends object>(value: T, make: () => T): T => {
    if (!known.has(value)) known.set(value, make())
    return known.get(value) as T
  }
  const ofQuestion = (question: Question): Question => {
    const found = question.bankQuestionId ? newest.get(question.bankQuestionId) : undefined
    if (!found) return question
    const next = { ...found, key: question.key }
    return same(next, question) ? question : next
  }
  const ofStage = (stage: Stage): Stage => {
    const questions = mapped(stage.questions, (question) => once(question, () => ofQuestion(question)))
    return questions === stage.questions ? stage : { ...stage, questions }
  }
  return (doc) => {
    const stages = once(doc.stages, () => mapped(doc.stages, (stage) => once(stage, () => ofStage(stage))))
    return stages === doc.stages ? doc : { ...doc, stages }
  }
}

/** mapped returns the list itself if no item changes. */
function mapped<T>(list: T[], change: (item: T) => T): T[] {
  const next = list.map(change)
  return next.every((item, i) => item === list[i]) ? list : next
}
