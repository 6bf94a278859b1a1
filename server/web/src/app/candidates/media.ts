// The width of the window, where a narrow one needs other elements and not only other styles.
import { useEffect, useState } from 'preact/hooks'

/** useMaxWidth reports whether the window has at most the width in pixels. */
export function useMaxWidth(pixels: number): boolean {
  const [media] = useState(() => matchMedia(`(max-width: ${pixels}px)`))
  const [isMatch, setMatch] = useState(media.matches)
  useEffect(() => {
    const changed = () => setMatch(media.matches)
    media.addEventListener('change', changed)
    return () => media.removeEventListener('change', changed)
  }, [media])
  return isMatch
}
