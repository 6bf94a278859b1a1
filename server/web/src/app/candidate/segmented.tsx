// A choice between a few views of the same data, which is in the address.
import { useAddress } from '../core/url.ts'

interface Props {
  label: string
  /** The parameter of the address. */
  name: string
  /** The option without a value is the default. */
  options: { value: string | undefined; label: string }[]
}

export function Segmented({ label, name, options }: Props) {
  const address = useAddress()
  return (
    <div class="segmented" role="group" aria-label={label}>
      {options.map(({ value, label: option }) => (
        <a
          key={option}
          href={address.with({ [name]: value })}
          aria-current={address.query[name] === value ? 'true' : undefined}
        >
          {option}
        </a>
      ))}
    </div>
  )
}
