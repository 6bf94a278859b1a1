// All data about a person, who is found by an email address: to read, to hand over, and to erase.
import { useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { ask, v1, type Schemas } from '../core/api.ts'
import { Form, TextField } from '../core/forms.tsx'
import { PersonData } from './lazy_person.ts'

type Found = Schemas['CandidateData']

/** PersonSearch keeps the address on the screen only: never in the URL, and not as a draft. */
export function PersonSearch() {
  const [email, setEmail] = useState('')
  const [found, setFound] = useState<Found>()
  const [searches, setSearches] = useState(0)
  const find = (address: string) => ask(v1.POST('/v1/candidate-data', { body: { email: address.trim() } }))
  return (
    <>
      <Form
        draft={undefined}
        label={text('protection.person.find')}
        check={(): Record<string, string> => (email.includes('@') ? {} : { '/email': text('field.invalid_format') })}
        send={() => find(email)}
        done={(data) => {
          setFound(data)
          setSearches(searches + 1)
        }}
      >
        <TextField
          label={text('protection.person.email')}
          hint={text('protection.person.email.hint')}
          pointer="/email"
          type="email"
          maxLength={254}
          value={email}
          change={setEmail}
        />
      </Form>
      {found && <PersonData key={searches} found={found} changed={setFound} />}
    </>
  )
}
