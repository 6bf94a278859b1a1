// The findings of the server in words. Later versions can have further findings.
import { list, text } from '../../shared/i18n.tsx'
import type { Schemas } from '../core/api.ts'
import { hasText } from '../core/faults.ts'
import { score } from '../core/figures.ts'

function found(kind: 'reliability' | 'speed' | 'suspicion', finding: string): string {
  const key = `report.${kind}.${finding}`
  return hasText(key) ? text(key) : finding
}

export const reliabilityWords = ({ finding }: Schemas['Reliability']) => found('reliability', finding)

/** bandWords says how many scores the measurement cannot tell apart from the passing score. */
export function bandWords(band: Schemas['PassingBand'] | null): string {
  if (!band) return ''
  return text('report.band', { from: score(band.from), to: score(band.to), count: band.count })
}

export const speedWords = ({ finding }: Schemas['SpeedStatistics']) => found('speed', finding)

/** letterOf names an option by its place, as the table of questions does. */
export const letterOf = (index: number) => String.fromCharCode(65 + index)

/** findingsOf says what is unusual about a question, first about its key and then about its options. */
export function findingsOf({ keySuspicions, options }: Schemas['QuestionStatistics']): string {
  const named = (finding: string) =>
    options.flatMap(({ findings }, i) => (findings.includes(finding as never) ? [letterOf(i)] : []))
  const [unused, stronger] = [named('HARDLY_CHOSEN'), named('CHOSEN_BY_STRONGER')]
  return [
    ...keySuspicions.map((suspicion) => found('suspicion', suspicion)),
    ...(stronger.length > 0 ? [text('report.option.stronger', { options: list(stronger) })] : []),
    ...(unused.length > 0 ? [text('report.option.hardly', { options: list(unused) })] : []),
  ].join(' · ')
}
