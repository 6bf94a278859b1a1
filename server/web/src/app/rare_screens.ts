// Screens that few people open. Their addresses and those of their texts are not in the first load.
import { screen } from './core/screen.tsx'
import assessmentDe from './assessment/de.json?url'
import assessmentEn from './assessment/en.json?url'
import companySignInDe from './company_sign_in/de.json?url'
import companySignInEn from './company_sign_in/en.json?url'
import correctionDe from './correction/de.json?url'
import correctionEn from './correction/en.json?url'
import cutScoreDe from './cut_score/de.json?url'
import cutScoreEn from './cut_score/en.json?url'
import groupsDe from './groups/de.json?url'
import groupsEn from './groups/en.json?url'
import reportDe from './report/de.json?url'
import reportEn from './report/en.json?url'
import secondFactorDe from './second_factor/de.json?url'
import secondFactorEn from './second_factor/en.json?url'
import settingsDe from './settings/de.json?url'
import settingsEn from './settings/en.json?url'

export const report = screen(
  () => import('./report/report.tsx'),
  { de: reportDe, en: reportEn },
  { de: groupsDe, en: groupsEn },
  { de: cutScoreDe, en: cutScoreEn },
  { de: assessmentDe, en: assessmentEn },
  { de: correctionDe, en: correctionEn },
)

export const groups = screen(
  () => import('./groups/groups.tsx'),
  { de: groupsDe, en: groupsEn },
  { de: assessmentDe, en: assessmentEn },
)

export const cutScore = screen(
  () => import('./cut_score/cut_score.tsx'),
  { de: cutScoreDe, en: cutScoreEn },
  { de: assessmentDe, en: assessmentEn },
)

export const companySignIn = screen(
  () => import('./company_sign_in/company_sign_in.tsx'),
  { de: companySignInDe, en: companySignInEn },
  { de: settingsDe, en: settingsEn },
  { de: secondFactorDe, en: secondFactorEn },
)
