import { t } from '../locales/text.ts'

/** The languages in which questions are shipped. */
export const languages = [
  { value: 'en', label: t('English') },
  { value: 'de', label: t('Deutsch') },
  { value: 'fr', label: t('Français') },
  { value: 'es', label: t('Español') },
  { value: 'pt', label: t('Português') },
  { value: 'nl', label: t('Nederlands') },
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
      en: [t('How likely are you to recommend us to a colleague?'), t('What is the main reason?')],
      de: [t('Wie wahrscheinlich empfehlen Sie uns weiter?'), t('Was ist der wichtigste Grund?')],
      fr: [
        t('Quelle est la probabilité que vous nous recommandiez à un collègue ?'),
        t('Quelle en est la raison principale ?'),
      ],
      es: [
        t('¿Qué probabilidad hay de que nos recomiende a un colega?'),
        t('¿Cuál es el motivo principal?'),
      ],
      pt: [
        t('Qual é a probabilidade de nos recomendar a um colega?'),
        t('Qual é o principal motivo?'),
      ],
      nl: [
        t('Hoe waarschijnlijk is het dat u ons aanbeveelt aan een collega?'),
        t('Wat is de belangrijkste reden?'),
      ],
    },
  },
  {
    value: 'csat',
    label: 'CSAT',
    description: t('Are people satisfied, as after a ticket? 1 minute'),
    type: 'csat',
    words: {
      en: [t('How satisfied are you with our help?'), t('What could we have done better?')],
      de: [
        t('Wie zufrieden sind Sie mit unserer Hilfe?'),
        t('Was hätten wir besser machen können?'),
      ],
      fr: [t('Êtes-vous satisfait de notre aide ?'), t('Qu’aurions-nous pu faire mieux ?')],
      es: [t('¿Está satisfecho con nuestra ayuda?'), t('¿Qué podríamos haber hecho mejor?')],
      pt: [t('Está satisfeito com a nossa ajuda?'), t('O que poderíamos ter feito melhor?')],
      nl: [t('Hoe tevreden bent u over onze hulp?'), t('Wat hadden we beter kunnen doen?')],
    },
  },
  {
    value: 'ces',
    label: 'CES',
    description: t('How easy was it? 1 minute'),
    type: 'ces',
    words: {
      en: [t('How easy was it to get what you needed?'), t('What made it hard?')],
      de: [t('Wie einfach war es, Ihr Anliegen zu erledigen?'), t('Was war schwierig?')],
      fr: [
        t('A-t-il été facile d’obtenir ce dont vous aviez besoin ?'),
        t('Qu’est-ce qui a été difficile ?'),
      ],
      es: [t('¿Fue fácil conseguir lo que necesitaba?'), t('¿Qué resultó difícil?')],
      pt: [t('Foi fácil conseguir o que precisava?'), t('O que foi difícil?')],
      nl: [t('Hoe makkelijk kreeg u wat u nodig had?'), t('Wat maakte het moeilijk?')],
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
