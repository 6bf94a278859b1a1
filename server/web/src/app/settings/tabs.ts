// The screens of the settings.
import { text } from '../../shared/i18n.tsx'
import { to } from '../core/url.ts'

export const tabs = (current: 'general' | 'sign-in' | 'data-protection') => [
  { label: text('settings.tab.general'), href: to('/settings'), isCurrent: current === 'general' },
  { label: text('settings.tab.signIn'), href: to('/settings/sign-in'), isCurrent: current === 'sign-in' },
  {
    label: text('settings.tab.dataProtection'),
    href: to('/settings/data-protection'),
    isCurrent: current === 'data-protection',
  },
]
