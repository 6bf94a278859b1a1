// The correction of a question in three steps: what is wrong, what changes for whom, and applying it.
import { useState } from 'preact/hooks'
import { Html } from '../../shared/html.tsx'
import { text } from '../../shared/i18n.tsx'
import { keyWords } from '../candidate/keys.ts'
import { ask, v1, type Schemas } from '../core/api.ts'
import { newKey } from '../core/keys.ts'
import { Page } from '../core/page.tsx'
import { useQuery } from '../core/query.ts'
import { needs } from '../core/roles.ts'
import { Empty, FaultNote, PageSkeleton } from '../core/states.tsx'
import { to, useAddress } from '../core/url.ts'
import { bodyOf, faultsOf, keep, kept, newDraft, type Draft, type Question } from './draft.ts'
import { EffectStep } from './effect.tsx'
import { DoneStep } from './done.tsx'
import { useCorrections } from './progress.tsx'
import { What } from './what.tsx'
import { correctionWords, inEffect } from './words.ts'

type Assessment = Schemas['AssessmentDetail']

export default function Screen({ params }: { params: Record<string, string> }) {
  const id = params.id!
  const { query: address } = useAddress()
  const query = useQuery(`/v1/assessments/${id}`, () =>
    ask(v1.GET('/v1/assessments/{id}', { params: { path: { id } } })),
  )
  const { data, fault } = query
  if (!data && !fault) return <PageSkeleton />
  const crumbs = [{ label: text('nav.assessments'), href: to('/assessments') }]
  if (data) {
    crumbs.push({ label: data.title || text('assessment.untitled'), href: to(`/assessments/${id}`) })
    crumbs.push({ label: text('assessment.tab.questions'), href: to(`/assessments/${id}/questions`) })
  }
  const question = data?.stages.flatMap((stage) => stage.questions).find((one) => one.id === address.question)
  return (
    <Page title={text('correction.title')} crumbs={crumbs} isNarrow>
      {fault && <FaultNote fault={fault} retry={fault.status === 404 ? undefined : query.reload} />}
      {data && <Content assessment={data} question={question} />}
    </Page>
  )
}

function Content({ assessment, question }: { assessment: Assessment; question: Question | undefined }) {
  const questions = (
    <a class="button" href={to(`/assessments/${assessment.id}/questions`)}>
      {text('correction.choose')}
    </a>
  )
  const reason = needs('EDITOR')
  if (reason) {
    return (
      <Empty icon="info" title={text('correction.forbidden')} action={questions}>
        <p>{reason}</p>
      </Empty>
    )
  }
  if (assessment.status === 'DRAFT') {
    return (
      <Empty icon="edit" title={text('correction.draft')}>
        <p>{text('correction.draft.text')}</p>
      </Empty>
    )
  }
  if (!question) {
    return (
      <Empty icon="assessments" title={text('correction.none')} action={questions}>
        <p>{text('correction.none.text')}</p>
      </Empty>
    )
  }
  return <Steps key={question.id} assessment={assessment} question={question} />
}

const steps = ['what', 'effect', 'apply'] as const

function Steps({ assessment, question }: { assessment: Assessment; question: Question }) {
  const { query, change } = useAddress()
  const [draft, setDraft] = useState(() => kept(question) ?? newDraft(question))
  const isComplete = Object.keys(faultsOf(question, draft)).length === 0
  const step = query.correction ? 'apply' : query.step === 'effect' && isComplete ? 'effect' : 'what'
  const edit = (next: Partial<Draft>) => {
    const changed = { ...draft, ...next, idempotencyKey: newKey() }
    setDraft(changed)
    keep(question.id, changed)
  }
  return (
    <>
      <ol class="correction-steps" aria-label={text('correction.steps')}>
        {steps.map((name, i) => (
          <li key={name} aria-current={name === step ? 'step' : undefined}>
            <b>{i + 1}</b> {text(`correction.step.${name}`)}
          </li>
        ))}
      </ol>
      <About assessment={assessment} question={question} />
      {step === 'what' && (
        <What
          {...{ assessment, question, draft, edit }}
          done={() => change({ step: 'effect' })}
        />
      )}
      {step === 'effect' && (
        <EffectStep
          {...{ assessment, question, draft }}
          body={bodyOf(question, draft)}
          back={() => change({ step: undefined })}
          applied={(correction) => {
            keep(question.id, undefined)
            change({ step: undefined, correction: correction.id }, true)
          }}
        />
      )}
      {step === 'apply' && <DoneStep assessment={assessment} correctionId={query.correction!} />}
    </>
  )
}

/** About shows the question with its key, and what was corrected before. */
function About({ assessment, question }: { assessment: Assessment; question: Question }) {
  const { query } = useCorrections(assessment.id)
  const before = inEffect(query.data ?? [], question.id)
  return (
    <section class="card correction-about">
      <Html html={question.promptHtml} lang={assessment.locale} />
      <p class="small muted">{text('questions.question.key', { key: keyWords(question) })}</p>
      {before.map((correction) => (
        <p key={correction.id} class="small">
          <span class="tag">{text('correction.corrected')}</span> {correctionWords(question, correction)}
        </p>
      ))}
    </section>
  )
}
