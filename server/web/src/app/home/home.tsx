// What needs attention, and the first steps of a new organization.
import { text } from '../../shared/i18n.tsx'
import { ask, v1 } from '../core/api.ts'
import { ConfirmEmail } from '../confirmation/lazy.ts'
import { ActionLink, Page } from '../core/page.tsx'
import { useQuery } from '../core/query.ts'
import { me } from '../core/me.ts'
import { Loaded } from '../core/states.tsx'
import { to } from '../core/url.ts'
import { Attention } from './attention.tsx'
import { FirstSteps, useFirstSteps } from './first_steps.tsx'
import { LatestResults } from './results.tsx'
import { useWaiting, Waiting } from './waiting.tsx'

/** Results and failures arrive by themselves while the screen is visible. */
const every = 15_000

export default function Screen() {
  const overview = useQuery('/v1/overview', () => ask(v1.GET('/v1/overview')), { every })
  const steps = useFirstSteps()
  const waiting = useWaiting(every)
  const isFirstRun = steps.data !== undefined && !steps.data.hasSession
  return (
    <Page
      title={text('home.title')}
      actions={
        steps.data?.invitable && !isFirstRun ? (
          <ActionLink href={to('/invite')} kind="primary">
            {text('home.invite')}
          </ActionLink>
        ) : undefined
      }
    >
      {me.value?.mustConfirmEmail && <ConfirmEmail />}
      <FirstSteps steps={steps} />
      {!isFirstRun && (
        <Loaded query={overview}>
          {(data) => (
            <div class="two home-two">
              <div class="home-left">
                {waiting.data && <Waiting {...waiting.data} />}
                <Attention overview={data} />
              </div>
              <LatestResults results={data.latestResults} />
            </div>
          )}
        </Loaded>
      )}
    </Page>
  )
}
