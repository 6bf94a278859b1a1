// Whether a person who has attempted the assessment can be invited again.
import { useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { ask, v1, type Schemas } from '../core/api.ts'
import { Form, SelectField, TextField } from '../core/forms.tsx'
import { notify } from '../core/notices.tsx'
import type { Query } from '../core/query.ts'
import { needs } from '../core/roles.ts'
import type { AssessmentDetail } from './head.tsx'

type Rule = NonNullable<Schemas['AssessmentUpdate']['repeatRule']>
const rules: Rule[] = ['ASK', 'AFTER_DAYS', 'NEVER', 'ALLOWED']
const longest = 3650

export function Repeat({ assessment, query }: { assessment: AssessmentDetail; query: Query<AssessmentDetail> }) {
  const [rule, setRule] = useState(assessment.repeatRule)
  const [days, setDays] = useState(String(assessment.repeatAfterDays))
  const hasDays = rule === 'AFTER_DAYS'
  const isArchived = assessment.status === 'ARCHIVED'
  return (
    <section class="card">
      <h2>{text('assessment.repeat.title')}</h2>
      <p class="muted">{text('assessment.repeat.text')}</p>
      <Form
        draft="repeat"
        label={text('assessment.repeat.save')}
        busyLabel={text('assessment.repeat.busy')}
        reason={needs('EDITOR') ?? (isArchived ? text('assessment.repeat.archived') : undefined)}
        check={(): Record<string, string> =>
          !hasDays || (/^\d{1,4}$/.test(days.trim()) && Number(days) >= 1 && Number(days) <= longest)
            ? {}
            : { '/repeatAfterDays': text('assessment.repeat.daysRange', { most: longest }) }
        }
        send={() =>
          ask(
            v1.PATCH('/v1/assessments/{id}', {
              params: { path: { id: assessment.id } },
              body: { repeatRule: rule as Rule, ...(hasDays && { repeatAfterDays: Number(days) }) },
            }),
          )
        }
        done={(changed) => {
          query.set(changed)
          notify(text('assessment.repeat.saved'))
        }}
      >
        <SelectField
          label={text('assessment.repeat.rule')}
          hint={text('assessment.repeat.hint')}
          pointer="/repeatRule"
          value={rule}
          change={setRule}
          options={rules.map((value) => ({ value, label: text(`assessment.repeat.rule.${value}`) }))}
        />
        {hasDays && (
          <TextField
            label={text('assessment.repeat.days')}
            pointer="/repeatAfterDays"
            type="number"
            value={days}
            change={setDays}
          />
        )}
      </Form>
    </section>
  )
}
