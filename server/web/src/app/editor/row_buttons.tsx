// The buttons of a row in a list: up, down, and delete.
import { Icon } from '../core/icons.tsx'

interface Props {
  names: { up: string; down: string; remove: string }
  isFirst: boolean
  isLast: boolean
  /** Whether the row stays, because the list needs one. */
  isOnly?: boolean
  up(): void
  down(): void
  remove(): void
  place: string
}

export function RowButtons({ names, isFirst, isLast, isOnly = false, up, down, remove, place }: Props) {
  return (
    <span class="editor-row-buttons">
      <button
        type="button"
        class="icon-button"
        data-place={`${place}/up`}
        aria-label={names.up}
        aria-disabled={isFirst}
        onClick={up}
      >
        <Icon name="up" />
      </button>
      <button
        type="button"
        class="icon-button"
        data-place={`${place}/down`}
        aria-label={names.down}
        aria-disabled={isLast}
        onClick={down}
      >
        <Icon name="down" />
      </button>
      <button
        type="button"
        class="icon-button"
        aria-label={names.remove}
        aria-disabled={isOnly}
        onClick={() => !isOnly && remove()}
      >
        <Icon name="close" />
      </button>
    </span>
  )
}
