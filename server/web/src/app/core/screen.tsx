// Loads the code and the texts of a screen when it is opened for the first time.
import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { Heading } from '../../shared/parts.tsx'
import { PageSkeleton } from './states.tsx'
import { loadTexts, type Files } from './texts.ts'

type Params = { params: Record<string, string> }

/**
 * screen returns the component of a route whose module has the component as its default export. A screen that shows
 * parts of another screen needs the texts of both.
 */
export function screen(load: () => Promise<{ default: ComponentType<Params> }>, ...files: Files[]) {
  let Loaded: ComponentType<Params> | undefined

  return function Screen(props: Params) {
    const [failed, setFailed] = useState(false)
    const [, update] = useState({})
    useEffect(() => {
      if (Loaded) return
      Promise.all([load(), ...files.map(loadTexts)]).then(
        ([module]) => {
          Loaded = module.default
          update({})
        },
        () => setFailed(true),
      )
    }, [])
    if (Loaded) return <Loaded {...props} />
    return failed ? <Missing /> : <PageSkeleton />
  }
}

/** Missing is shown without a connection, or after an update of the server, which has no files of older versions. */
function Missing() {
  return (
    <div class="page">
      <Heading>{text('screen.missing.title')}</Heading>
      <p class="lead-in">{text('screen.missing.text')}</p>
      <p>
        <button type="button" class="button primary" onClick={() => location.reload()}>
          {text('screen.missing.reload')}
        </button>
      </p>
    </div>
  )
}
