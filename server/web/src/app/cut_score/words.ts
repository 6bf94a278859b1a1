// The cut score of the judges and its consistency, in words.
import { text } from '../../shared/i18n.tsx'
import type { Schemas } from '../core/api.ts'
import { number, score, share } from '../core/figures.ts'

/** cutWords says which score the judges suggest, with its standard error. */
export function cutWords({ cutScore, standardError, judges }: Schemas['CutScoreSummary']): string {
  const count = judges.filter((judge) => judge.cutScore !== null).length
  if (cutScore === null) return text('cutScore.cut.none')
  const values = { score: score(cutScore), count }
  if (standardError === null) return text('cutScore.cut', values)
  return text('cutScore.cut.error', { ...values, error: number(standardError, 2) })
}

/** consistencyWords says how many candidates would get the same decision twice. */
export function consistencyWords(at: NonNullable<Schemas['ClassificationConsistency']>): string {
  const values = { score: score(at.score), agreement: share(at.agreement, 1), passed: score(at.passRate) }
  if (at.kappa === null) return text('cutScore.consistency', values)
  return text('cutScore.consistency.kappa', { ...values, kappa: number(at.kappa, 2) })
}
