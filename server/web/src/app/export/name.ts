/** nameOf makes a name of a file of a title. It is empty if the title has no letters or digits. */
export function nameOf(title: string): string {
  const words = title.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '-')
  return words.replaceAll(/^-+|-+$/g, '').slice(0, 80)
}
