// A value that people copy to the provider or the DNS.
import { CopyButton } from '../core/states.tsx'

export function Value({ label, value }: { label: string; value: string }) {
  return (
    <div class="form-row company-sign-in-value">
      <span>
        <b>{label}</b> <CopyButton value={value} isSmall />
      </span>
      <input class="field" readOnly aria-label={label} value={value} translate={false} />
    </div>
  )
}
