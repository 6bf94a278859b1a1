// Drags rows with a mouse, a pen, or a finger. The keyboard and the buttons do the same.

export interface Drag {
  /** The selector of the rows on which something can be dropped. They have the attribute data-drop. */
  rows: string
  /** Called with the value of data-drop, and whether the pointer was in the second half of the row. */
  drop(target: string, isAfter: boolean): void
}

/** How near to the edge of a list the pointer scrolls it, in pixels. */
const edge = 40

/** startDrag is the handler of onPointerDown of a handle. Escape ends the drag without a change. */
export function startDrag(event: PointerEvent, { rows, drop }: Drag): void {
  if (event.button !== 0) return
  event.preventDefault()
  const handle = event.currentTarget as HTMLElement
  const row = handle.closest<HTMLElement>('[data-drop]')
  const scroller = handle.closest<HTMLElement>('[data-scrolls]')
  let target: HTMLElement | undefined
  let isAfter = false
  let y = event.clientY
  let frame = 0

  const mark = (next: HTMLElement | undefined, after: boolean) => {
    target?.classList.remove('drop-before', 'drop-after')
    target = next === row ? undefined : next
    isAfter = after
    target?.classList.add(after ? 'drop-after' : 'drop-before')
  }
  const move = (moved: PointerEvent) => {
    y = moved.clientY
    const found = document.elementFromPoint(moved.clientX, y)?.closest<HTMLElement>(rows) ?? undefined
    if (!found) return
    const { top, height } = found.getBoundingClientRect()
    mark(found, y > top + height / 2)
  }
  const scroll = () => {
    frame = requestAnimationFrame(scroll)
    if (!scroller) return
    const { top, bottom } = scroller.getBoundingClientRect()
    if (y < top + edge) scroller.scrollBy(0, -8)
    else if (y > bottom - edge) scroller.scrollBy(0, 8)
  }
  const end = (isDropped: boolean) => {
    cancelAnimationFrame(frame)
    handle.removeEventListener('pointermove', move)
    handle.removeEventListener('pointerup', up)
    handle.removeEventListener('pointercancel', cancel)
    removeEventListener('keydown', escape, true)
    row?.classList.remove('dragged')
    const [found, half] = [target, isAfter]
    mark(undefined, false)
    if (isDropped && found) drop(found.dataset.drop!, half)
  }
  const up = () => end(true)
  const cancel = () => end(false)
  const escape = (pressed: KeyboardEvent) => {
    if (pressed.key !== 'Escape') return
    pressed.stopPropagation()
    end(false)
  }

  handle.setPointerCapture(event.pointerId)
  handle.addEventListener('pointermove', move)
  handle.addEventListener('pointerup', up)
  handle.addEventListener('pointercancel', cancel)
  addEventListener('keydown', escape, true)
  row?.classList.add('dragged')
  frame = requestAnimationFrame(scroll)
}
