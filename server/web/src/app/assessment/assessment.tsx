import { Rows } from '../core/states.tsx'
import { AssessmentPage } from './head.tsx'

export default function Screen({ params }: { params: Record<string, string> }) {
  return (
    <AssessmentPage id={params.id!} tab="overview">
      {() => <Rows />}
    </AssessmentPage>
  )
}
