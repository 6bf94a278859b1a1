// Texts that survive the translation by the browser. Chrome replaces each node of text by
// <font><font>…</font></font>. Preact would then change, remove, or insert before a node that is no
// longer in the page. So no text is a node of Preact's: an element contains each. Elements of SVG do not have
// this property; see app/core/tip.tsx.
import { options } from 'preact'

// Other words in code would make another program. An address, an identifier, or a time such as 9:41 is
// no word of a language.
const code = /^(code|kbd|pre|samp)$/
const noWord = /^\s*\S*(@|_|:\/\/|\d:\d\d)\S*\s*$/

/** textOf returns the text of an element that contains only text. */
function textOf(children: unknown): string | undefined {
  const all = [children].flat().filter((child) => child != null && typeof child !== 'boolean')
  return all.length > 0 && all.every((child) => /^[sn]/.test(typeof child)) ? all.join('') : undefined
}

options.vnode = (vnode: { type: unknown; props: unknown }) => {
  const { type } = vnode
  // Preact makes a node of each text beside elements. The browser leaves white space as it is.
  const isNode = type === null && String(vnode.props).trim() !== ''
  if (isNode) vnode.type = 'span'
  else if (typeof type !== 'string') return
  const props = (isNode ? {} : vnode.props) as Record<string, unknown>
  const text = textOf(isNode ? vnode.props : props.children)
  const isVerbatim = code.test(String(type)) || noWord.test(text ?? '')
  vnode.props = {
    ...(isVerbatim && { translate: false }),
    ...props,
    ...(text !== undefined && { children: undefined, textContent: text }),
  }
}
