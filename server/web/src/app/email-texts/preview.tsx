// The preview of an email in both forms, and a test of it.
import { useRef, useState } from 'preact/hooks'
import { trusted } from '../../shared/html.tsx'
import { text, Verbatim } from '../../shared/i18n.tsx'
import { ask, v1, type Fault, type Schemas } from '../core/api.ts'
import { notify } from '../core/notices.tsx'
import { Action } from '../core/page.tsx'
import { me } from '../core/me.ts'
import { FaultNote, messageOf } from '../core/states.tsx'

interface Props {
  email: Schemas['EmailTextInput']
  /** Reports whether the words can be sent. The form says why not. */
  check(): boolean
  /** Why there is no preview. */
  reason: string | undefined
  /** Why there is no test. */
  testing: string | undefined
}

export function Preview({ email, check, reason, testing }: Props) {
  const [shown, show] = useState<{ of: string; content: Schemas['EmailTextPreview'] }>()
  const [fault, setFault] = useState<Fault>()
  const [isBusy, setBusy] = useState(false)
  const of = JSON.stringify(email)
  const load = async () => {
    if (!check()) return notify(text('emailTexts.faults'))
    setBusy(true)
    const answer = await ask(v1.POST('/v1/email-texts/preview', { body: email }))
    setBusy(false)
    setFault(answer.ok ? undefined : answer.fault)
    if (answer.ok) show({ of, content: answer.data })
  }
  const test = async () => {
    const { kind, locale, assessmentId = null } = email
    setBusy(true)
    const answer = await ask(v1.POST('/v1/email-texts/test', { body: { kind, locale, assessmentId } }))
    setBusy(false)
    notify(answer.ok ? text('emailTexts.test.sent', { address: me.value!.email }) : messageOf(answer.fault))
  }
  return (
    <>
      <div class="go">
        <Action isSmall reason={reason} isBusy={isBusy} act={() => void load()}>
          {text('emailTexts.preview')}
        </Action>
        <Action isSmall reason={testing} isBusy={isBusy} act={() => void test()}>
          {text('emailTexts.test')}
        </Action>
      </div>
      {fault && <FaultNote fault={fault} />}
      {shown?.of === of && (
        <section style={{ marginTop: 'var(--s4)' }} aria-label={text('emailTexts.preview')}>
          <p style={{ margin: '0 0 var(--s3)', overflowWrap: 'anywhere' }}>
            <span class="muted small">{text('emailTexts.subject')}</span>{' '}
            <b dir="auto">
              <Verbatim>{shown.content.subject}</Verbatim>
            </b>
          </p>
          <Html key={of} html={shown.content.html} />
          <details class="settings-preview" style={{ marginTop: 'var(--s3)' }}>
            <summary>{text('emailTexts.plain')}</summary>
            <div class="email-preview" role="region" aria-label={text('emailTexts.plain')} tabIndex={0}>
              <p class="words" dir="auto">
                <Verbatim>{shown.content.text.trim()}</Verbatim>
              </p>
            </div>
          </details>
        </section>
      )}
    </>
  )
}

const frameStyle = { display: 'block', width: '100%', border: '1px solid var(--line)', borderRadius: 'var(--radius-s)' }

/**
 * Html shows the document of an email in a frame that runs no scripts. The policy of the page permits no styles in the
 * document, so they are set after it was read. Links of the preview lead nowhere.
 */
function Html({ html }: { html: string }) {
  const frame = useRef<HTMLIFrameElement>(null)
  const fill = () => {
    const inside = frame.current!.contentDocument!
    const rules: string[] = []
    const plain = html
      .replace(/<style[^>]*>([^]*?)<\/style>/g, (_, found: string) => (rules.push(found), ''))
      .replaceAll(' style="', ' data-style="')
    const email = new DOMParser().parseFromString(trusted(plain), 'text/html')
    const { lang, dir } = email.documentElement
    Object.assign(inside.documentElement, { lang, dir })
    inside.body.replaceWith(inside.adoptNode(email.body))
    for (const element of inside.querySelectorAll<HTMLElement>('[data-style]')) {
      element.style.cssText = element.dataset.style!
    }
    for (const link of inside.querySelectorAll('a')) link.removeAttribute('href')
    const sheet = new (inside.defaultView as Window & typeof globalThis).CSSStyleSheet()
    sheet.replaceSync(rules.join('\n'))
    inside.adoptedStyleSheets = [sheet]
    const grow = () => {
      if (frame.current) frame.current.style.height = `${inside.body.scrollHeight}px`
    }
    new ResizeObserver(grow).observe(frame.current!)
    grow()
  }
  return (
    <iframe
      ref={frame}
      style={frameStyle}
      title={text('emailTexts.html')}
      sandbox="allow-same-origin"
      srcdoc={trusted('<!doctype html>')}
      onLoad={fill}
    />
  )
}
