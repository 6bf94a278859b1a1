// The styles of screens that few people open, which are not in the first load.

const added = new Set<string>()

/** addStyles gives the page the text of a file of styles, once. A policy forbids further elements of styles. */
export function addStyles(styles: string): void {
  if (added.has(styles)) return
  added.add(styles)
  const sheet = document.styleSheets[0]!
  // A sheet takes one rule at a time.
  sheet.insertRule(`@media all {${styles}}`, sheet.cssRules.length)
}
