// The live regions, which exist in the page's HTML, because a screen reader ignores
// regions that appear together with their text.

/** announce speaks the text when the screen reader is idle, or at once if it is urgent. */
export function announce(text: string, urgency: 'polite' | 'assertive' = 'polite'): void {
  const region = document.getElementById(urgency)
  if (!region) return
  // A new node is spoken even if its text is that of the last one.
  const line = document.createElement('p')
  line.textContent = text
  region.replaceChildren(line)
}
