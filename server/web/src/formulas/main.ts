// What the service itself runs to render formulas. The bundle is in store/markdown/formulas, which calls this function.
// No page loads it.
import temml from 'temml'

// Temml 0.13.5 shows \overset{a}{b} as a power of b, unless b is a relation.
temml.__defineMacro('\\overset', '{\\stackrel{#1}{#2}}')

interface Fault {
  message: string
  /** Where it is in the formula, in UTF-16 units; the length of the formula if it is at the end. */
  position: number | undefined
}

/** A formula as MathML, or why it has none. Other errors are faults of Temml, and the caller gets them. */
function render(formula: string, displayMode: boolean, maxExpand: number): string | Fault {
  try {
    return temml.renderToString(formula, {
      displayMode,
      maxExpand,
      throwOnError: true,
      trust: false,
      // Limits for spaces and rules, in em: a formula is no taller than a few lines, and no wider than a page.
      maxSize: [20, 20],
    })
  } catch (error) {
    const { name, message, position } = error as Error & Fault
    if (name !== 'ParseError') throw error
    return { message, position }
  }
}

;(globalThis as unknown as { render: typeof render }).render = render
