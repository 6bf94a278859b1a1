import { AssessmentPage, notInvitable } from '../assessment/head.tsx'
import { CandidateList } from './list.tsx'

export default function Screen({ params }: { params: Record<string, string> }) {
  return (
    <AssessmentPage id={params.id!} tab="candidates">
      {(assessment) => (
        <CandidateList
          key={assessment.id}
          assessment={{ id: assessment.id, title: assessment.title, invitable: notInvitable(assessment) }}
        />
      )}
    </AssessmentPage>
  )
}
