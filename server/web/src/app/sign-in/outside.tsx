// What a person sees without a sign-in.
import { text } from '../../shared/i18n.tsx'
import { Heading } from '../../shared/parts.tsx'
import { SignInForm } from './form.tsx'

export function Outside() {
  return (
    <main class="outside">
      <Heading>{text('signIn.title')}</Heading>
      <SignInForm done={() => undefined} />
    </main>
  )
}
