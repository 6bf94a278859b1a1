// The home of a reviewer: the sessions that wait for a grade or a decision, oldest first, without names.
import { rich, text } from '../../shared/i18n.tsx'
import { When } from '../core/formats.tsx'
import { Page } from '../core/page.tsx'
import { Empty, Loaded } from '../core/states.tsx'
import { to } from '../core/url.ts'
import { useWaiting } from '../home/waiting.tsx'

/** What waits arrives by itself while the screen is visible. */
const every = 15_000

export default function Screen() {
  const waiting = useWaiting(every)
  return (
    <Page title={text('judging.title')} isNarrow>
      <p class="lead-in">{text('judging.text')}</p>
      <Loaded query={waiting}>
        {({ sessions, hasMore }) =>
          sessions.length === 0 ? (
            <Empty icon="check" title={text('judging.none.title')}>
              <p>{text('judging.none.text')}</p>
            </Empty>
          ) : (
            <section class="list home-list">
              <p class="home-all">
                <a class="button" href={to('/grading')}>
                  {text('judging.grade')}
                </a>
              </p>
              <ul>
                {sessions.map(({ id, assessmentTitle, inReviewSince, updatedAt }) => (
                  <li key={id}>
                    <a href={to(`/candidates/${id}`)}>
                      <span class="title">{assessmentTitle}</span>
                      <span class="muted small">
                        {rich('judging.since', { when: <When at={inReviewSince ?? updatedAt} isRelative /> })}
                      </span>
                    </a>
                  </li>
                ))}
              </ul>
              {hasMore && <p class="small muted home-all">{text('judging.more', { count: sessions.length })}</p>}
            </section>
          )
        }
      </Loaded>
    </Page>
  )
}
