// The groups of one voluntary question: how many passed, and the impact ratio.
import { text } from '../../shared/i18n.tsx'
import type { Schemas } from '../core/api.ts'
import { number, score } from '../core/figures.ts'
import { addStyles } from '../core/styles.ts'
import styles from './groups.css?text'
import { impactWords, rateWords, within } from './words.ts'

addStyles(styles)

export function GroupTable({ question }: { question: Schemas['GroupQuestion'] }) {
  const { text: prompt, groups, hiddenGroups } = question
  return (
    <div class="groups-question">
      <h3>{prompt}</h3>
      {groups.length === 0 ? (
        <p class="muted">{text('groups.few')}</p>
      ) : (
        <div class="table-box" tabIndex={0} role="region" aria-label={prompt}>
          <table>
            <caption class="unseen">{prompt}</caption>
            <thead>
              <tr>
                <th scope="col">{text('groups.group')}</th>
                <th scope="col">{text('groups.finding')}</th>
                <th scope="col" class="num">
                  {text('groups.count')}
                </th>
                <th scope="col" class="num">
                  {text('groups.passed')}
                </th>
                <th scope="col" class="num">
                  {text('groups.rate')}
                </th>
                <th scope="col" class="num">
                  {text('groups.ratio')}
                </th>
                <th scope="col" class="num">
                  {text('groups.mean')}
                </th>
              </tr>
            </thead>
            <tbody>
              {groups.map((group) => (
                <tr key={group.id}>
                  <th scope="row">{group.text}</th>
                  <td>{impactWords(group.impactRatio)}</td>
                  <td class="num">{number(group.count)}</td>
                  <td class="num">{group.passed === null ? '–' : number(group.passed)}</td>
                  <td class="num">{rateWords(group.passRate, group.passRateInterval)}</td>
                  <td class="num">{within(group.impactRatio?.value ?? null, group.impactRatio?.interval ?? null)}</td>
                  <td class="num">{group.mean === null ? '–' : score(group.mean)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {hiddenGroups > 0 && <p class="small muted">{text('groups.hidden', { count: hiddenGroups })}</p>}
    </div>
  )
}
