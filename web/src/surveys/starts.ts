import { t } from '../locales/text.ts'

/** The languages in which questions are shipped. */
export const languages = [
  { value: 'en', label: 'English' },
  { value: 'de', label: 'Deutsch' },
  { value: 'fr', label: 'Français' },
  { value: 'es', label: 'Español' },
  { value: 'pt', label: 'Português' },
  { value: 'nl', label: 'Nederlands' },
]

/** What a survey may begin with; the questions are in a script of their own, in each language. */
export const starts = [
  { value: 'nps', label: 'NPS', description: t('Would people recommend you? 1 minute') },
  {
    value: 'csat',
    label: 'CSAT',
    description: t('Are people satisfied, as after a ticket? 1 minute'),
  },
  { value: 'ces', label: 'CES', description: t('How easy was it? 1 minute') },
  {
    value: 'kickoff',
    label: t('Kick-off form'),
    description: t('What to know before a project begins. 8 questions, 5 minutes'),
  },
  {
    value: 'golive',
    label: t('Go-live check'),
    description: t('Is all ready, and how was the way there? 5 questions, 2 minutes'),
  },
  {
    value: 'offboarding',
    label: t('Offboarding'),
    description: t('Why somebody leaves, and what was missing. 5 questions, 2 minutes'),
  },
]
