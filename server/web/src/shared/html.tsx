// HTML that the server has rendered from Markdown and sanitized.
import type { Ref } from 'preact'
import { contentLanguage } from './i18n.tsx'

interface Policy {
  createHTML(html: string): unknown
}
declare const trustedTypes:
  { createPolicy(name: string, rules: { createHTML(html: string): string }): Policy } | undefined

// The only way in which text becomes HTML on the page. The name is in the page's
// Content-Security-Policy.
const policy: Policy =
  typeof trustedTypes === 'undefined'
    ? { createHTML: (html) => html }
    : trustedTypes.createPolicy('assay', { createHTML: (html) => html })

interface Props {
  html: string
  class?: string
  lang?: string | undefined
  id?: string | undefined
  place?: Ref<HTMLDivElement>
}

/**
 * Html shows sanitized HTML of the server (a field of the contract whose name ends
 * with Html). It is a text of the organization, in the language of the assessment.
 */
export function Html({ html, place, ...rest }: Props) {
  return (
    <div
      dir="auto"
      lang={contentLanguage.value}
      {...rest}
      {...(place ? { ref: place } : {})}
      dangerouslySetInnerHTML={{ __html: policy.createHTML(html) as string }}
    />
  )
}
