// The actions of a candidate's screen. Each says why it is not possible in the present status.
import { useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import type { Schemas } from '../core/api.ts'
import { Icon } from '../core/icons.tsx'
import { Menu, type MenuItem } from '../core/menu.tsx'
import { notify } from '../core/notices.tsx'
import { Action } from '../core/page.tsx'
import type { Query } from '../core/query.ts'
import { needs } from '../core/roles.ts'
import { SetHold } from '../protection/lazy_hold.ts'
import {
  CancelDialog, ChangeDialog, EraseDialog, Explanation, ExtendDialog, LinkDialog, ReopenDialog, ResendDialog, ShareDialog,
} from './lazy_dialogs.ts'
import { printPage } from './print.tsx'
import { hasResult, isLive } from './status.tsx'

type Session = Schemas['CandidateSession']
type Open = 'explain' | 'resend' | 'extend' | 'reopen' | 'change' | 'cancel' | 'erase' | 'link' | 'share' | 'hold'

interface Props {
  session: Session
  /** What protects the session from erasure. Only admins can read it. */
  holds: Query<Schemas['LegalHold'][]>
  /** Shows the session after a change. */
  done(session: Session): void
  /** Reads everything again. */
  reload(): void
}

export function Actions({ session, holds, done, reload }: Props) {
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const shared = { session, done, close }
  const { status, inviteUrl } = session
  const isInvited = status === 'INVITED'
  const copy = () => {
    // Browsers have a clipboard only on HTTPS and on the own machine.
    if (!isSecureContext) return setOpen('link')
    void navigator.clipboard.writeText(inviteUrl!).then(
      () => notify(text('candidate.link.copied')),
      () => setOpen('link'),
    )
  }
  return (
    <>
      {isLive(session) && (
        <Action
          act={copy}
          kind={isInvited ? 'primary' : undefined}
          reason={inviteUrl ? undefined : text('candidate.link.none')}
        >
          <Icon name="link" />
          {text('candidate.link.copy')}
        </Action>
      )}
      {(isInvited || status === 'EXPIRED') && !session.erasedAt && (
        <Action act={() => setOpen('resend')} kind={isInvited ? undefined : 'primary'} reason={whyNotResend(session)}>
          {text('candidate.resend')}
        </Action>
      )}
      {status === 'IN_PROGRESS' && (
        <Action
          act={() => setOpen('extend')}
          reason={session.deadlineAt ? undefined : text('candidate.extend.noLimit')}
        >
          {text('candidate.extend')}
        </Action>
      )}
      {!isLive(session) && <Print session={session} />}
      <Menu label={text('candidate.more')} items={itemsOf(session, (holds.data ?? []).length > 0, setOpen)} />
      {open === 'link' && <LinkDialog {...shared} />}
      {open === 'explain' && <Explanation session={session} close={close} />}
      {open === 'share' && <ShareDialog session={session} close={close} />}
      {open === 'resend' && <ResendDialog {...shared} />}
      {open === 'extend' && <ExtendDialog {...shared} />}
      {open === 'reopen' && <ReopenDialog {...shared} />}
      {open === 'change' && <ChangeDialog {...shared} />}
      {open === 'cancel' && <CancelDialog {...shared} />}
      {open === 'hold' && (
        <SetHold of={{ sessionId: session.id }} name={session.candidateName} done={holds.reload} close={close} />
      )}
      {open === 'erase' && <EraseDialog {...shared} done={reload} />}
    </>
  )
}

/** Print asks whether correct answers are printed, if there are answers. */
function Print({ session }: { session: Session }) {
  const content = (
    <>
      <Icon name="print" />
      {text('candidate.print')}
    </>
  )
  if (!hasResult(session)) return <Action act={printPage}>{content}</Action>
  return (
    <Menu
      label={text('candidate.print')}
      children={content}
      items={[
        { label: text('candidate.print.without'), act: printPage },
        { label: text('candidate.print.with'), act: () => printPage(true) },
      ]}
    />
  )
}

function whyNotResend({ test }: Session): string | undefined {
  return test ? text('candidate.test.noResend') : undefined
}

function itemsOf(session: Session, isHeld: boolean, open: (dialog: Open) => void): MenuItem[] {
  const { status, erasedAt } = session
  const live = isLive(session)
  return [
    ...(hasResult(session)
      ? [
          {
            label: text('candidate.share'),
            act: () => open('share'),
            reason: erasedAt ? text('candidate.erase.already') : undefined,
          },
          {
            label: text('candidate.explain'),
            act: () => open('explain'),
            reason: erasedAt ? text('candidate.erase.already') : undefined,
          },
          {
            label: text('candidate.reopen'),
            act: () => open('reopen'),
            reason: erasedAt ? text('candidate.erase.already') : undefined,
          },
        ]
      : []),
    {
      label: text('candidate.change'),
      act: () => open('change'),
      reason: status === 'INVITED' ? undefined : text('candidate.change.late'),
    },
    {
      label: text('candidate.cancel'),
      act: () => open('cancel'),
      reason: live || status === 'IN_REVIEW' ? undefined : text('candidate.cancel.late'),
    },
    {
      label: text('candidate.hold'),
      act: () => open('hold'),
      reason: erasedAt ? text('candidate.erase.already') : needs('ADMIN'),
    },
    {
      label: text('candidate.erase'),
      act: () => open('erase'),
      reason: erasedAt ? text('candidate.erase.already') : isHeld ? text('candidate.erase.held') : needs('ADMIN'),
      isDanger: true,
    },
    ...(live ? [{ label: text('candidate.print'), act: printPage }] : []),
  ]
}
