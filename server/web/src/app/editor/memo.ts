import { Component, createElement, type ComponentType } from 'preact'

/** memo returns a component that is shown again only when one of its properties is another value. */
export function memo<P extends object>(inner: ComponentType<P>): ComponentType<P> {
  return class extends Component<P> {
    override shouldComponentUpdate(next: Readonly<P>): boolean {
      const keys = Object.keys(next) as (keyof P)[]
      return keys.some((key) => next[key] !== (this.props as P)[key])
    }

    render(props: P) {
      return createElement(inner, props)
    }
  }
}
