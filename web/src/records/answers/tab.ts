import { own } from '../definition.ts'
import { t } from '../../locales/text.ts'

/** The tab of a customer's record with what they have answered to surveys. */
export const answers = own('answers', t('Answers'), () => import('./answers.tsx'), {
  isForTeam: true,
})
