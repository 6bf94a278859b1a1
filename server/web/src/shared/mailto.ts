/**
 * mailto is a link that writes to an address, and to nothing else (RFC 6068): no part of the address becomes a second
 * recipient, a header, or a text of the email. The last @ separates the domain. It is Mailto of store/encode.
 */
export const mailto = (address: string) => `mailto:${encodeURIComponent(address).replace(/(.*)%40/, '$1@')}`
