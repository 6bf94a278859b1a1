// Signals for the candidate page: @preact/signals-core, and what connects it to Preact. It is a small part of what
// @preact/signals does, which is 1 KB larger. The bundle puts this file in its place; see bundle/main.go.
import { Fragment, h as create, type Attributes, type ComponentChildren, type FunctionComponent } from 'preact'
import { useEffect, useMemo, useReducer, useRef } from 'preact/hooks'
import { computed, effect, type ReadonlySignal } from '@preact/signals-core'

export { batch, computed, effect, signal, untracked } from '@preact/signals-core'
export { Fragment }

type Props = Record<string, unknown>

const made = new WeakMap<FunctionComponent, FunctionComponent>()

/** following is the component, rendered again when a signal that it has read, or one of its properties, changes. */
function following(component: FunctionComponent): FunctionComponent {
  const known = made.get(component)
  if (known) return known
  function Following(this: { props: Props; shouldComponentUpdate?: (next: Props) => boolean }, props: Props) {
    this.shouldComponentUpdate ??= (next) =>
      Object.keys({ ...next, ...this.props }).some((name) => next[name] !== this.props[name])
    const [, update] = useReducer((count: number, _: void) => count + 1, 0)
    const stop = useRef(() => {})
    stop.current()
    let shown: ComponentChildren
    let isFirst = true
    // The first run collects the signals. The second one follows a change of them, and collects none.
    stop.current = effect(() => {
      if (isFirst) shown = component(props)
      else update()
      isFirst = false
    })
    useEffect(() => () => stop.current(), [])
    return shown
  }
  made.set(component, Following as FunctionComponent)
  return Following as FunctionComponent
}

/** h is what JSX becomes. */
export function h(type: string | FunctionComponent, props: Attributes | null, ...children: ComponentChildren[]) {
  const shown = typeof type === 'function' && (type as unknown) !== Fragment ? following(type) : type
  return create(shown as FunctionComponent, props, ...children)
}

/** useComputed is a computed signal of a component. */
export function useComputed<T>(compute: () => T): ReadonlySignal<T> {
  const latest = useRef(compute)
  latest.current = compute
  return useMemo(() => computed(() => latest.current()), [])
}
