/**
 * mailto is a link that writes to an address, and to nothing else (RFC 6068): no part of the address becomes a second
 * recipient, a header, or a text of the email. The last @ separates the domain. It is Mailto of store/encode.
 */
export function mailto(address: string): string {
  return `mailto:${address.replace(/[^]*@|[^]+/g, (part) => encodeURIComponent(part).replace(/%40$/, '@'))}`
}
