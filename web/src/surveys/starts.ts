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

type Words = readonly [question: string, why: string]

/** What a survey may begin with: a score, and what explains it, in each language. */
export const starts = [
  {
    value: 'nps',
    label: 'NPS',
    description: t('Would people recommend you? 1 minute'),
    type: 'nps',
    words: {
      en: ['How likely are you to recommend us to a colleague?', 'What is the main reason?'],
      de: ['Wie wahrscheinlich empfehlen Sie uns weiter?', 'Was ist der wichtigste Grund?'],
      fr: [
        'Quelle est la probabilité que vous nous recommandiez à un collègue ?',
        'Quelle en est la raison principale ?',
      ],
      es: [
        '¿Qué probabilidad hay de que nos recomiende a un colega?',
        '¿Cuál es el motivo principal?',
      ],
      pt: ['Qual é a probabilidade de nos recomendar a um colega?', 'Qual é o principal motivo?'],
      nl: [
        'Hoe waarschijnlijk is het dat u ons aanbeveelt aan een collega?',
        'Wat is de belangrijkste reden?',
      ],
    },
  },
  {
    value: 'csat',
    label: 'CSAT',
    description: t('Are people satisfied, as after a ticket? 1 minute'),
    type: 'csat',
    words: {
      en: ['How satisfied are you with our help?', 'What could we have done better?'],
      de: ['Wie zufrieden sind Sie mit unserer Hilfe?', 'Was hätten wir besser machen können?'],
      fr: ['Êtes-vous satisfait de notre aide ?', 'Qu’aurions-nous pu faire mieux ?'],
      es: ['¿Está satisfecho con nuestra ayuda?', '¿Qué podríamos haber hecho mejor?'],
      pt: ['Está satisfeito com a nossa ajuda?', 'O que poderíamos ter feito melhor?'],
      nl: ['Hoe tevreden bent u over onze hulp?', 'Wat hadden we beter kunnen doen?'],
    },
  },
  {
    value: 'ces',
    label: 'CES',
    description: t('How easy was it? 1 minute'),
    type: 'ces',
    words: {
      en: ['How easy was it to get what you needed?', 'What made it hard?'],
      de: ['Wie einfach war es, Ihr Anliegen zu erledigen?', 'Was war schwierig?'],
      fr: [
        'A-t-il été facile d’obtenir ce dont vous aviez besoin ?',
        'Qu’est-ce qui a été difficile ?',
      ],
      es: ['¿Fue fácil conseguir lo que necesitaba?', '¿Qué resultó difícil?'],
      pt: ['Foi fácil conseguir o que precisava?', 'O que foi difícil?'],
      nl: ['Hoe makkelijk kreeg u wat u nodig had?', 'Wat maakte het moeilijk?'],
    },
  },
] as const satisfies readonly {
  value: string
  label: string
  description: string
  type: string
  words: { [language: string]: Words }
}[]

/** The pages with which a survey begins; none for an empty one. */
export function pagesOf(start: string, language: string) {
  const found = starts.find(({ value }) => value === start)
  if (!found) return []
  const words: { [language: string]: Words } = found.words
  const [question, why] = words[language] ?? found.words.en
  const fields = [
    { id: 'score', type: found.type, label: question, required: true },
    { id: 'why', type: 'long-text', label: why },
  ]
  return [{ id: 'page1', title: '', fields }]
}
