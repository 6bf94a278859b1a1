// Texts that people type, compared as the server compares them.

/** isBlank reports whether a text has no visible character. */
export function isBlank(text: string): boolean {
  return !/[^\s\p{DI}\p{Cc}\u2800]/u.test(text)
}

/** visible is a text without the invisible characters and the spaces at its ends that come with copied text. */
export function visible(text: string): string {
  const seen = text.replace(/[\u00ad\u200b\u200e\u200f\u2060\u202a-\u202e\u2066-\u2069\ufeff]/g, '')
  return seen.replace(/^[\s\u2800]+|[\s\u2800]+$/g, '')
}

/**
 * plain is the form in which two texts that people type are compared, such as a name that is typed to confirm. It is
 * that of the server (NormalText in store/rules) without what names and titles do not need.
 */
export function plain(text: string): string {
  return text
    .replace(/[`´‘’‚‛‹›′ʹʻʼʽ]/g, "'")
    .replace(/[“”„‟«»″]/g, '"')
    .replace(/\p{DI}/gu, '')
    .normalize('NFKC')
    .replace(/[\p{Dash}]/gu, '-')
    .toLowerCase()
    .replace(/ß/g, 'ss')
    .replace(/i\u0307|ı/g, 'i')
    .replace(/[\s\u2800]+/g, ' ')
    .trim()
}

/** addressKey is an address as the server compares it: without regard to case, with the domain in ASCII. */
export function addressKey(address: string): string {
  const at = address.lastIndexOf('@')
  const domain = address.slice(at + 1).toLowerCase()
  const url = `http://${domain}`
  const local = address.slice(0, at + 1).normalize('NFC').toLowerCase()
  return local + (URL.canParse(url) ? new URL(url).hostname : domain)
}
