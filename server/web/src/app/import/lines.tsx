// A field for pasted text with the numbers of its lines. A plain textarea keeps undo, spelling, and screen readers as
// the browser has them. Its lines are not wrapped, so that each has the same height and a number beside it.
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import type { Severity } from './notes.ts'
import { lineStarts, type Lines } from './source.ts'

interface Props {
  value: string
  change(value: string): void
  /** The lines with notes. */
  marks: ReadonlyMap<number, Severity>
  /** The lines that the person has chosen. */
  shown: Lines | undefined
}

/** How the field is scrolled, and the sizes of its lines, in pixels. */
interface View {
  top: number
  height: number
  line: number
  padding: number
}

/** Lines above and below the visible ones that are shown too, because scrolling is ahead of the page. */
const spare = 12

export function LinesField({ value, change, marks, shown }: Props) {
  const area = useRef<HTMLTextAreaElement>(null)
  const [view, setView] = useState<View>({ top: 0, height: 0, line: 20, padding: 12 })
  const starts = useMemo(() => lineStarts(value), [value])
  const measure = () => setView(viewOf(area.current!))
  useLayoutEffect(() => {
    const observer = new ResizeObserver(measure)
    observer.observe(area.current!)
    return () => observer.disconnect()
  }, [])
  useEffect(() => {
    if (shown) goTo(area.current!, starts, shown)
  }, [shown])
  const first = Math.max(1, Math.floor((view.top - view.padding) / view.line) - spare)
  const last = Math.min(starts.length, Math.ceil((view.top + view.height) / view.line) + spare)
  const numbers = Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => first + i)
  return (
    <div class="import-lines">
      <div class="import-rows" aria-hidden="true">
        <div style={{ transform: `translateY(${view.padding + (first - 1) * view.line - view.top}px)` }}>
          {numbers.map((line) => (
            <div
              key={line}
              class={classOf(marks.get(line), shown !== undefined && line >= shown.line && line <= shown.lastLine)}
            >
              <span>{line}</span>
            </div>
          ))}
        </div>
      </div>
      <textarea
        ref={area}
        id="import-text"
        class="import-text"
        rows={18}
        wrap="off"
        spellcheck={false}
        value={value}
        placeholder={text('import.paste.example')}
        aria-describedby="import-text-hint"
        onInput={(event) => change(event.currentTarget.value)}
        onScroll={measure}
      />
    </div>
  )
}

const classOf = (mark: Severity | undefined, isShown: boolean) =>
  [mark?.toLowerCase().replace('_', '-'), isShown && 'shown'].filter(Boolean).join(' ') || undefined

function viewOf(area: HTMLTextAreaElement): View {
  const style = getComputedStyle(area)
  return {
    top: area.scrollTop,
    height: area.clientHeight,
    line: parseFloat(style.lineHeight),
    padding: parseFloat(style.paddingTop),
  }
}

/** goTo puts the caret at the beginning of the lines, and shows them. */
function goTo(area: HTMLTextAreaElement, starts: number[], { line }: Lines): void {
  const start = starts[Math.min(line, starts.length) - 1] ?? 0
  const view = viewOf(area)
  area.focus({ preventScroll: true })
  area.setSelectionRange(start, start)
  area.scrollTop = (line - 1) * view.line + view.padding - view.height / 3
  area.scrollLeft = 0
  area.scrollIntoView({ block: 'nearest' })
}
