// How people grade an assessment: how many, whether they see names, and by when.
import { useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import type { AssessmentDetail } from '../assessment/head.tsx'
import { ask, v1 } from '../core/api.ts'
import { CheckField, Form, SelectField, TextField } from '../core/forms.tsx'
import { notify } from '../core/notices.tsx'
import type { Query } from '../core/query.ts'
import { needs } from '../core/roles.ts'

interface Props {
  assessment: AssessmentDetail
  query: Query<AssessmentDetail>
}

const mostHours = 8760

const isPercent = (typed: string) => /^\d{1,3}([.,]\d{1,2})?$/.test(typed.trim()) && valueOf(typed) <= 100
const isHours = (typed: string) => /^\d{1,4}$/.test(typed.trim()) && valueOf(typed) >= 1 && valueOf(typed) <= mostHours
const valueOf = (typed: string) => Number(typed.trim().replace(',', '.'))

export function GradingRules({ assessment: { id, status, grading }, query }: Props) {
  const [graders, setGraders] = useState(String(grading.graders))
  const [isBlind, setBlind] = useState(grading.blind)
  const [difference, setDifference] = useState(String(grading.maxDifferencePercent))
  const [hours, setHours] = useState(String(grading.promisedHours))
  const hasTwo = graders === '2'
  const check = (): Record<string, string> => ({
    ...(hasTwo && !isPercent(difference) ? { '/grading/maxDifferencePercent': text('grading.rules.difference.range') } : {}),
    ...(isHours(hours) ? {} : { '/grading/promisedHours': text('grading.rules.hours.range', { most: mostHours }) }),
  })
  const send = () => {
    const own = {
      graders: Number(graders),
      blind: isBlind,
      promisedHours: valueOf(hours),
      ...(hasTwo && { maxDifferencePercent: valueOf(difference) }),
    }
    return ask(v1.PATCH('/v1/assessments/{id}', { params: { path: { id } }, body: { grading: own } }))
  }
  return (
    <section class="card">
      <h2>{text('grading.rules.title')}</h2>
      <p class="muted">{text('grading.rules.text')}</p>
      <Form
        draft="grading"
        label={text('grading.rules.save')}
        reason={needs('EDITOR') ?? (status === 'ARCHIVED' ? text('assessment.repeat.archived') : undefined)}
        check={check}
        send={send}
        done={(changed) => {
          query.set(changed)
          notify(text('grading.rules.saved'))
        }}
      >
        <SelectField
          label={text('grading.rules.graders')}
          hint={text('grading.rules.graders.hint')}
          pointer="/grading/graders"
          value={graders}
          change={setGraders}
          options={['1', '2'].map((value) => ({ value, label: text(`grading.rules.graders.${value as '1' | '2'}`) }))}
        />
        {hasTwo && (
          <TextField
            label={text('grading.rules.difference')}
            hint={text('grading.rules.difference.hint')}
            pointer="/grading/maxDifferencePercent"
            value={difference}
            change={setDifference}
          />
        )}
        <CheckField
          label={text('grading.rules.blind')}
          hint={text('grading.rules.blind.hint')}
          isChecked={isBlind}
          change={setBlind}
        />
        <TextField
          label={text('grading.rules.hours')}
          hint={text('grading.rules.hours.hint')}
          pointer="/grading/promisedHours"
          type="number"
          value={hours}
          change={setHours}
        />
      </Form>
    </section>
  )
}
