// Parts of a screen that are loaded when they are opened.
import { createElement, type ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { notify } from './notices.tsx'

/** lazy returns a component that shows nothing until it is loaded, and says so if it cannot be loaded. */
export function lazy<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  let loaded: ComponentType<P> | undefined
  return function Lazy(props: P) {
    const [, update] = useState({})
    const isShown = loaded !== undefined
    useEffect(() => {
      // Another part can load it between the first render and this effect. This part must still be rendered again.
      if (isShown) return
      load().then(
        (component) => {
          loaded = component
          update({})
        },
        () => notify(text('screen.missing.text')),
      )
    }, [])
    return loaded ? createElement(loaded, props) : null
  }
}
