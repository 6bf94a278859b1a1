// A value that people copy to the provider or the DNS.
import { CopyButton } from '../core/states.tsx'

export function Value({ label, value }: { label: string; value: string }) {
  return (
    <div class="form-row company-sign-in-value">
      <b>{label}</b>
      <div class="beside">
        <input
          class="field"
          readOnly
          aria-label={label}
          value={value}
          translate={false}
          onFocus={(event) => event.currentTarget.select()}
        />
        <CopyButton value={value} />
      </div>
    </div>
  )
}
