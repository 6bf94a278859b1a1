// What waits for a grade, and the grader's screen. The address has the assessment and the question.
import { useAddress } from '../core/url.ts'
import { Grade } from './grade.tsx'
import { Queue } from './queue.tsx'

export default function Screen() {
  const { assessment, question } = useAddress().query
  if (!assessment) return <Queue />
  return <Grade key={`${assessment} ${question}`} assessmentId={assessment} questionId={question} />
}
