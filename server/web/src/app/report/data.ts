// Everything that the report shows, read together so that its figures belong together.
import { ask, v1, type Answer, type Schemas } from '../core/api.ts'

export interface ReportData {
  statistics: Schemas['AssessmentStatistics']
  questions: Schemas['QuestionStatistics'][]
  segments: Schemas['Segment'][]
  comparisons: Schemas['SegmentComparison'][]
  corrections: Schemas['AssessmentCorrection'][]
  cutScore: Schemas['CutScoreSummary']
  /** Undefined if the role does not permit them. */
  groups: Schemas['GroupStatistics'] | undefined
}

/** loadReport reads the report of all finished sessions, or of those of a segment. */
export async function loadReport(id: string, segmentId: string | undefined, hasGroups: boolean): Promise<Answer<ReportData>> {
  const path = { id }
  const query = segmentId ? { segmentId } : {}
  const [statistics, questions, segments, corrections, cutScore, groups] = await Promise.all([
    ask(v1.GET('/v1/assessments/{id}/statistics', { params: { path, query } })),
    ask(v1.GET('/v1/assessments/{id}/statistics/questions', { params: { path, query } })),
    ask(v1.GET('/v1/assessments/{id}/segments', { params: { path } })),
    ask(v1.GET('/v1/assessments/{id}/corrections', { params: { path } })),
    ask(v1.GET('/v1/assessments/{id}/cut-score', { params: { path } })),
    hasGroups ? ask(v1.GET('/v1/assessments/{id}/statistics/groups', { params: { path } })) : undefined,
  ])
  if (!statistics.ok) return statistics
  if (!questions.ok) return questions
  if (!segments.ok) return segments
  if (!corrections.ok) return corrections
  if (!cutScore.ok) return cutScore
  if (groups && !groups.ok) return groups

  const comparisons: Schemas['SegmentComparison'][] = []
  const found = await Promise.all(
    segments.data.map((segment) =>
      ask(
        v1.GET('/v1/assessments/{id}/segments/{segmentId}/comparison', {
          params: { path: { id, segmentId: segment.id } },
        }),
      ),
    ),
  )
  for (const comparison of found) {
    if (comparison.ok) comparisons.push(comparison.data)
    else if (comparison.fault.status !== 404) return comparison // somebody has deleted the segment meanwhile
  }
  const data: ReportData = {
    statistics: statistics.data,
    questions: questions.data.questions,
    segments: segments.data,
    comparisons,
    corrections: corrections.data,
    cutScore: cutScore.data,
    groups: groups?.data,
  }
  return { ok: true, data, response: statistics.response }
}
