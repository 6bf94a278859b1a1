// The frame of what a person sees without a sign-in.
import type { ComponentChildren } from 'preact'
import { LanguageMenu } from '../../shared/language_menu.tsx'
import { Heading } from '../../shared/parts.tsx'

export function Sheet({ title, lead, children, foot }: {
  title: string
  lead?: ComponentChildren
  children?: ComponentChildren
  foot?: ComponentChildren
}) {
  return (
    <>
      <main class="outside">
        <p class="outside-brand">
          <svg viewBox="0 0 32 32" aria-hidden="true">
            <rect width="32" height="32" rx="8" />
            <path d="M8 24 16 7l8 17M11.5 18h9" />
          </svg>
          Assay
        </p>
        <div class="outside-card" key={title}>
          <Heading context={['Assay']}>{title}</Heading>
          {lead && <p class="outside-lead">{lead}</p>}
          {children}
        </div>
        {foot && <div class="outside-foot">{foot}</div>}
      </main>
      <LanguageMenu />
    </>
  )
}
