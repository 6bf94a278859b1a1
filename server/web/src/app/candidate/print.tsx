// What a candidate on paper has beside the answers, and whether it has them.
import { signal } from '@preact/signals'
import { text } from '../../shared/i18n.tsx'
import { dayAndTime } from '../core/formats.tsx'
import { me } from '../core/me.ts'

/** Whether the paper has the given and the correct answers. */
export const hasAnswers = signal(false)

/**
 * printPage opens the print dialog of the browser. The choice is for this print only, so that the
 * browser's own command never prints correct answers.
 */
export function printPage(withAnswers = false): void {
  hasAnswers.value = withAnswers
  addEventListener('afterprint', () => (hasAnswers.value = false), { once: true })
  // Preact renders the choice before the timer fires.
  setTimeout(() => print())
}

/** PrintHead says which organization printed the page, and when. */
export function PrintHead({ assessment }: { assessment: string }) {
  return (
    <p class="print-only print-head">
      <span>{[me.value?.organization.name, assessment].filter(Boolean).join(' · ')}</span>
      <span>{text('candidate.print.date', { date: dayAndTime(new Date()) })}</span>
    </p>
  )
}
