// Texts that survive the translation by the browser. Chrome replaces each node of text by
// <font><font>…</font></font>. Preact would then change, remove, or insert before a node that is no
// longer in the page. So no text is a node of Preact's: an element contains each.
import { options, type VNode } from 'preact'

// Elements of code. Other words in it would be another program.
const code = new Set<unknown>(['code', 'kbd', 'pre', 'samp'])
// An address, an identifier, or a time such as 9:41 is no word of a language.
const noWord = /^\s*\S*(@|_|:\/\/|\d:\d\d)\S*\s*$/

const isText = (child: unknown) => typeof child === 'string' || typeof child === 'number'
const isNothing = (child: unknown) => child == null || typeof child === 'boolean'

/** textOf returns the text of an element that contains only text. */
function textOf(children: unknown): string | undefined {
  const all = (Array.isArray(children) ? children : [children]).filter((child) => !isNothing(child))
  return all.length > 0 && all.every(isText) ? all.join('') : undefined
}

const earlier = options.vnode
options.vnode = (vnode: VNode) => {
  earlier?.(vnode)
  const made = vnode as unknown as { type: unknown; props: Record<string, unknown> | string | number }
  // Preact makes a node of a text among elements. The browser leaves white space as it is.
  if (made.type === null && String(made.props).trim() !== '') {
    made.type = 'span'
    made.props = { children: String(made.props) }
  }
  if (typeof made.type !== 'string') return
  const props = made.props as Record<string, unknown>
  const text = textOf(props.children)
  if (text !== undefined) made.props = { ...props, children: undefined, textContent: text }
  const isVerbatim = code.has(made.type) || (text !== undefined && noWord.test(text))
  if (isVerbatim) made.props = { translate: false, ...(made.props as object) }
}
