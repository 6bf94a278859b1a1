// Chooses the view of the page.
import { LanguageMenu } from '../shared/language_menu.tsx'
import { isSpeechless } from '../shared/languages.ts'
import { isSettled } from './languages.ts'
import { leaving } from './route.ts'
import { phase } from './session.ts'
import { Continue, Expired, Loading, NoLink, OtherTab, Replaced, Unreachable } from './views/doors.tsx'
import { End } from './views/end.tsx'
import { Intro } from './views/intro.tsx'
import { Leave } from './views/leave.tsx'
import { StageIntro } from './views/stage_intro.tsx'
import { Work } from './views/work.tsx'

const views = {
  loading: Loading,
  unreachable: Unreachable,
  noLink: NoLink,
  continue: Continue,
  replaced: Replaced,
  expired: Expired,
  intro: Intro,
  stageIntro: StageIntro,
  working: Work,
  ended: End,
  otherTab: OtherTab,
}

export function App() {
  if (isSpeechless()) return <Unreachable />
  if (!isSettled()) return <views.loading />
  const Shown = views[phase.value]
  return (
    <>
      {/* While the candidate works, the menu is above the actions. */}
      {phase.value !== 'working' && <LanguageMenu />}
      <Shown />
      {leaving.value && ['working', 'stageIntro'].includes(phase.value) && <Leave />}
    </>
  )
}
