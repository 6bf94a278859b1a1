// Texts without Markdown.

export interface Rendered {
  /** The Markdown that was rendered. */
  text: string
  html: string
}

/** isPlain reports whether HTML is only its text in a paragraph, so that the text itself looks the same. */
export function isPlain({ text, html }: Rendered): boolean {
  return !/[\n*_`#<>&[\]\\~|]/.test(text.trim()) && /^<p[^>]*>[^<]*<\/p>\s*$/.test(html)
}

/** The beginning of a text in one line, without the usual marks of Markdown and the names of programming languages. */
export function shortOf(prompt: string): string {
  return prompt.slice(0, 200).replace(/^```.*/gm, '').replace(/[*_`#>]+/g, '').replace(/\s+/g, ' ').trim()
}
