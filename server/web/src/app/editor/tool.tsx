import { Icon, type IconName } from '../core/icons.tsx'

interface ToolProps {
  icon: IconName
  label: string
  act(): void
  place?: string
  isDisabled?: boolean
}

/** Tool is a small button with an icon, whose name appears under the pointer. */
export function Tool({ icon, label, act, place, isDisabled }: ToolProps) {
  return (
    <button
      type="button"
      class="icon-button"
      data-place={place}
      aria-label={label}
      title={label}
      aria-disabled={isDisabled}
      onClick={() => !isDisabled && act()}
    >
      <Icon name={icon} />
    </button>
  )
}
