// HTML in imported texts becomes Markdown.

const replaced: [pattern: RegExp, by: string][] = [
  [/<br\s*\/?>/gi, '\n'],
  [/<\/(?:p|div|h[1-6]|ul|ol|pre|blockquote)>\s*/gi, '\n\n'],
  [/<\/?(?:b|strong)(?:\s[^>]*)?>/gi, '**'],
  [/<\/?(?:i|em)(?:\s[^>]*)?>/gi, '*'],
  [/<\/?(?:code|tt)(?:\s[^>]*)?>/gi, '`'],
  [/<li(?:\s[^>]*)?>\s*/gi, '\n- '],
  [/<sup(?:\s[^>]*)?>2<\/sup>/gi, '²'],
  [/<sup(?:\s[^>]*)?>3<\/sup>/gi, '³'],
]
const dropped = /<\/?(?:p|div|span|h[1-6]|ul|ol|li|pre|blockquote|font|u|a|sup|sub)(?:\s[^>]*)?>/gi
const entities: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  deg: '°',
  euro: '€',
  times: '×',
  auml: 'ä',
  ouml: 'ö',
  uuml: 'ü',
  Auml: 'Ä',
  Ouml: 'Ö',
  Uuml: 'Ü',
  szlig: 'ß',
}

/** toMarkdown returns the text, and whether something is lost, such as an image or a table. */
export function toMarkdown(html: string): { text: string; isLossy: boolean } {
  let text = html
  for (const [pattern, by] of replaced) text = text.replace(pattern, by)
  text = text.replace(dropped, '')
  // A "<" before a space or a number is a sign of mathematics.
  const withoutTags = text.replace(/<\/?[a-z][^<>]*>/gi, '')
  const isLossy = withoutTags !== text
  text = withoutTags.replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (whole, decimal, hex, name: string) => {
    const code = decimal ? Number(decimal) : hex ? parseInt(hex as string, 16) : undefined
    if (code !== undefined) return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole
    return entities[name] ?? whole
  })
  return {
    text: text
      .replace(/[ \t]+\n/g, '\n')
      .replace(/\n{3,}/g, '\n\n')
      .trim(),
    isLossy,
  }
}
