// The table of what the dashboard keeps in the browser. src/app/README.md explains it.

export interface Rule {
  /** Tabs share localStorage and indexedDB. sessionStorage ends with its tab. */
  area: 'localStorage' | 'sessionStorage' | 'indexedDB'
  /** Signing out removes what belongs to the person. What belongs to the browser names no person, and stays. */
  owner: 'browser' | 'person'
  /** How many days it is kept for the person, after the last change. */
  days?: number
  /** What happens if the sign-in ends without signing out. The same person finds unsaved work again. */
  expired?: 'stays' | 'removed' | 'unsaved stays'
}

/** All keys. The id of a person belongs to one organization, so it names both. */
export const table = {
  /** The language that was chosen. */
  language: { area: 'localStorage', owner: 'browser' },
  /** The ids of the memberships of the person who has the browser, from the sign-in to the sign-out. Only their tabs keep anything. */
  owner: { area: 'localStorage', owner: 'browser' },
  /** What was typed in a form of this tab. */
  draft: { area: 'sessionStorage', owner: 'person', days: 7, expired: 'stays' },
  /** The emails that were planned in this tab, so that they can be cancelled together. */
  planned: { area: 'sessionStorage', owner: 'person', days: 7, expired: 'removed' },
  /** The rest of an interrupted import of candidates. The server knows its Idempotency-Keys for a day. */
  invite: { area: 'localStorage', owner: 'person', days: 1, expired: 'stays' },
  /** That the person does not want the step with the webhook. */
  'webhook-step': { area: 'localStorage', owner: 'person', days: 365, expired: 'stays' },
  /** Documents of the editor, with undo. */
  editor: { area: 'indexedDB', owner: 'person', days: 14, expired: 'unsaved stays' },
} satisfies Record<string, Rule>
