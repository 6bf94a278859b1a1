// The name of a part of a drawing.
import { useLayoutEffect, useRef } from 'preact/hooks'

/** Tip is the title of an element of SVG, where the texts of shared/verbatim.ts are no properties. */
export function Tip({ text }: { text: string }) {
  const place = useRef<HTMLTitleElement>(null)
  useLayoutEffect(() => {
    place.current!.textContent = text
  }, [text])
  return <title ref={place} />
}
