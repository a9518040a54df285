/** A question of a form that is shipped; its texts are by language. */
type Shape = {
  id: string
  type: string
  required?: boolean
  /** the values of its choices */
  options?: string[]
  show_if?: { field_id: string; operator: string; value: unknown }[]
}

/** For each question its label, then the labels of its choices. */
type Words = readonly (readonly [label: string, ...choices: string[]])[]

type Form = {
  isForm?: boolean
  /** what the survey is called, as its respondents read it */
  titles: { [language: string]: string }
  shapes: Shape[]
  words: { [language: string]: Words }
}

/** A score, and what explains it. */
function scored(type: string): Shape[] {
  return [
    { id: 'score', type, required: true },
    { id: 'why', type: 'long-text' },
  ]
}

const ifData = { field_id: 'data', operator: 'eq', value: true }

/** Scores, and forms of a project: what to know at its beginning, whether all is ready, and why somebody leaves. */
const forms: { [start: string]: Form } = {
  nps: {
    titles: {
      en: 'Your recommendation',
      de: 'Ihre Empfehlung',
      fr: 'Votre recommandation',
      es: 'Su recomendación',
      pt: 'A sua recomendação',
      nl: 'Uw aanbeveling',
    },
    shapes: scored('nps'),
    words: {
      en: [['How likely are you to recommend us to a colleague?'], ['What is the main reason?']],
      de: [['Wie wahrscheinlich empfehlen Sie uns weiter?'], ['Was ist der wichtigste Grund?']],
      fr: [
        ['Quelle est la probabilité que vous nous recommandiez à un collègue ?'],
        ['Quelle en est la raison principale ?'],
      ],
      es: [
        ['¿Qué probabilidad hay de que nos recomiende a un colega?'],
        ['¿Cuál es el motivo principal?'],
      ],
      pt: [
        ['Qual é a probabilidade de nos recomendar a um colega?'],
        ['Qual é o principal motivo?'],
      ],
      nl: [
        ['Hoe waarschijnlijk is het dat u ons aanbeveelt aan een collega?'],
        ['Wat is de belangrijkste reden?'],
      ],
    },
  },
  csat: {
    titles: {
      en: 'Your satisfaction',
      de: 'Ihre Zufriedenheit',
      fr: 'Votre satisfaction',
      es: 'Su satisfacción',
      pt: 'A sua satisfação',
      nl: 'Uw tevredenheid',
    },
    shapes: scored('csat'),
    words: {
      en: [['How satisfied are you with our help?'], ['What could we have done better?']],
      de: [['Wie zufrieden sind Sie mit unserer Hilfe?'], ['Was hätten wir besser machen können?']],
      fr: [['Êtes-vous satisfait de notre aide ?'], ['Qu’aurions-nous pu faire mieux ?']],
      es: [['¿Está satisfecho con nuestra ayuda?'], ['¿Qué podríamos haber hecho mejor?']],
      pt: [['Está satisfeito com a nossa ajuda?'], ['O que poderíamos ter feito melhor?']],
      nl: [['Hoe tevreden bent u over onze hulp?'], ['Wat hadden we beter kunnen doen?']],
    },
  },
  ces: {
    titles: {
      en: 'Your effort',
      de: 'Ihr Aufwand',
      fr: 'Votre effort',
      es: 'Su esfuerzo',
      pt: 'O seu esforço',
      nl: 'Uw moeite',
    },
    shapes: scored('ces'),
    words: {
      en: [['How easy was it to get what you needed?'], ['What made it hard?']],
      de: [['Wie einfach war es, Ihr Anliegen zu erledigen?'], ['Was war schwierig?']],
      fr: [
        ['A-t-il été facile d’obtenir ce dont vous aviez besoin ?'],
        ['Qu’est-ce qui a été difficile ?'],
      ],
      es: [['¿Fue fácil conseguir lo que necesitaba?'], ['¿Qué resultó difícil?']],
      pt: [['Foi fácil conseguir o que precisava?'], ['O que foi difícil?']],
      nl: [['Hoe makkelijk kreeg u wat u nodig had?'], ['Wat maakte het moeilijk?']],
    },
  },
  kickoff: {
    isForm: true,
    titles: {
      en: 'Before we begin',
      de: 'Bevor wir beginnen',
      fr: 'Avant de commencer',
      es: 'Antes de empezar',
      pt: 'Antes de começar',
      nl: 'Voordat we beginnen',
    },
    shapes: [
      { id: 'decides', type: 'short-text', required: true },
      { id: 'goal', type: 'long-text', required: true },
      { id: 'systems', type: 'long-text' },
      { id: 'data', type: 'yes-no' },
      { id: 'which', type: 'long-text', required: true, show_if: [ifData] },
      { id: 'sample', type: 'file', show_if: [ifData] },
      { id: 'start', type: 'date' },
      { id: 'meet', type: 'single-select', options: ['week', 'fortnight', 'need'] },
    ],
    words: {
      en: [
        ['Who decides on your side?'],
        ['What must be reached for this to be a success?'],
        ['Which systems do you use today?'],
        ['Shall we bring over existing data?'],
        ['Which data, and from which system?'],
        ['An example of the data'],
        ['When do you want to start?'],
        ['How often shall we meet?', 'Every week', 'Every two weeks', 'When needed'],
      ],
      de: [
        ['Wer entscheidet auf Ihrer Seite?'],
        ['Was muss erreicht sein, damit es ein Erfolg ist?'],
        ['Welche Systeme nutzen Sie heute?'],
        ['Sollen wir vorhandene Daten übernehmen?'],
        ['Welche Daten, und aus welchem System?'],
        ['Ein Beispiel der Daten'],
        ['Wann möchten Sie starten?'],
        ['Wie oft wollen wir uns treffen?', 'Jede Woche', 'Alle zwei Wochen', 'Bei Bedarf'],
      ],
      fr: [
        ['Qui décide de votre côté ?'],
        ['Que faut-il atteindre pour que ce soit une réussite ?'],
        ['Quels systèmes utilisez-vous aujourd’hui ?'],
        ['Devons-nous reprendre des données existantes ?'],
        ['Quelles données, et de quel système ?'],
        ['Un exemple des données'],
        ['Quand souhaitez-vous démarrer ?'],
        [
          'À quelle fréquence souhaitez-vous nous réunir ?',
          'Chaque semaine',
          'Toutes les deux semaines',
          'Si nécessaire',
        ],
      ],
      es: [
        ['¿Quién decide por su parte?'],
        ['¿Qué debe lograrse para que sea un éxito?'],
        ['¿Qué sistemas utiliza hoy?'],
        ['¿Debemos traspasar datos existentes?'],
        ['¿Qué datos, y de qué sistema?'],
        ['Un ejemplo de los datos'],
        ['¿Cuándo desea empezar?'],
        [
          '¿Con qué frecuencia nos reunimos?',
          'Cada semana',
          'Cada dos semanas',
          'Cuando haga falta',
        ],
      ],
      pt: [
        ['Quem decide do vosso lado?'],
        ['O que deve ser alcançado para ser um sucesso?'],
        ['Que sistemas utiliza hoje?'],
        ['Devemos transferir dados existentes?'],
        ['Que dados, e de que sistema?'],
        ['Um exemplo dos dados'],
        ['Quando deseja começar?'],
        [
          'Com que frequência nos reunimos?',
          'Todas as semanas',
          'De duas em duas semanas',
          'Quando for necessário',
        ],
      ],
      nl: [
        ['Wie beslist er bij u?'],
        ['Wat moet er bereikt zijn om dit een succes te noemen?'],
        ['Welke systemen gebruikt u nu?'],
        ['Moeten we bestaande gegevens overnemen?'],
        ['Welke gegevens, en uit welk systeem?'],
        ['Een voorbeeld van de gegevens'],
        ['Wanneer wilt u starten?'],
        ['Hoe vaak spreken we elkaar?', 'Elke week', 'Om de twee weken', 'Wanneer nodig'],
      ],
    },
  },
  golive: {
    titles: {
      en: 'Go-live check',
      de: 'Prüfung vor dem Start',
      fr: 'Vérification avant le lancement',
      es: 'Comprobación antes del inicio',
      pt: 'Verificação antes do arranque',
      nl: 'Controle voor de livegang',
    },
    shapes: [
      { id: 'ready', type: 'single-select', required: true, options: ['all', 'some', 'unknown'] },
      {
        id: 'missing',
        type: 'long-text',
        show_if: [{ field_id: 'ready', operator: 'neq', value: 'all' }],
      },
      { id: 'training', type: 'ratings' },
      { id: 'score', type: 'nps', required: true },
      { id: 'why', type: 'long-text' },
    ],
    words: {
      en: [
        ['Are all ready to start?', 'All of them', 'Not all', 'I do not know'],
        ['What is still missing?'],
        ['How was the training?'],
        ['How likely are you to recommend us to a colleague?'],
        ['What would have made it a 10?'],
      ],
      de: [
        ['Sind alle bereit für den Start?', 'Alle', 'Nicht alle', 'Ich weiß es nicht'],
        ['Was fehlt noch?'],
        ['Wie war die Schulung?'],
        ['Wie wahrscheinlich empfehlen Sie uns weiter?'],
        ['Was hätte daraus eine 10 gemacht?'],
      ],
      fr: [
        ['Tout le monde est-il prêt à démarrer ?', 'Tous', 'Pas tous', 'Je ne sais pas'],
        ['Que manque-t-il encore ?'],
        ['Comment était la formation ?'],
        ['Quelle est la probabilité que vous nous recommandiez à un collègue ?'],
        ['Qu’aurait-il fallu pour un 10 ?'],
      ],
      es: [
        ['¿Están todos listos para empezar?', 'Todos', 'No todos', 'No lo sé'],
        ['¿Qué falta todavía?'],
        ['¿Cómo fue la formación?'],
        ['¿Qué probabilidad hay de que nos recomiende a un colega?'],
        ['¿Qué habría hecho falta para un 10?'],
      ],
      pt: [
        ['Estão todos prontos para começar?', 'Todos', 'Nem todos', 'Não sei'],
        ['O que ainda falta?'],
        ['Como foi a formação?'],
        ['Qual é a probabilidade de nos recomendar a um colega?'],
        ['O que teria sido preciso para um 10?'],
      ],
      nl: [
        ['Is iedereen klaar om te starten?', 'Iedereen', 'Niet iedereen', 'Dat weet ik niet'],
        ['Wat ontbreekt er nog?'],
        ['Hoe was de training?'],
        ['Hoe waarschijnlijk is het dat u ons aanbeveelt aan een collega?'],
        ['Wat was er nodig geweest voor een 10?'],
      ],
    },
  },
  offboarding: {
    titles: {
      en: 'Before you leave',
      de: 'Bevor Sie gehen',
      fr: 'Avant votre départ',
      es: 'Antes de que se vaya',
      pt: 'Antes de sair',
      nl: 'Voordat u vertrekt',
    },
    shapes: [
      {
        id: 'reasons',
        type: 'multi-select',
        required: true,
        options: ['price', 'missing', 'support', 'other', 'need'],
      },
      {
        id: 'missing',
        type: 'long-text',
        show_if: [{ field_id: 'reasons', operator: 'contains', value: 'missing' }],
      },
      { id: 'score', type: 'csat' },
      { id: 'better', type: 'long-text' },
      { id: 'again', type: 'consent' },
    ],
    words: {
      en: [
        [
          'What made you leave?',
          'The price',
          'Something is missing',
          'The support',
          'Another product',
          'We no longer need it',
        ],
        ['What was missing?'],
        ['How satisfied were you overall?'],
        ['What should we have done better?'],
        ['You may contact me again'],
      ],
      de: [
        [
          'Warum verlassen Sie uns?',
          'Der Preis',
          'Es fehlt etwas',
          'Der Support',
          'Ein anderes Produkt',
          'Wir brauchen es nicht mehr',
        ],
        ['Was hat gefehlt?'],
        ['Wie zufrieden waren Sie insgesamt?'],
        ['Was hätten wir besser machen sollen?'],
        ['Sie dürfen mich wieder ansprechen'],
      ],
      fr: [
        [
          'Pourquoi nous quittez-vous ?',
          'Le prix',
          'Il manque quelque chose',
          'L’assistance',
          'Un autre produit',
          'Nous n’en avons plus besoin',
        ],
        ['Que manquait-il ?'],
        ['Étiez-vous satisfait dans l’ensemble ?'],
        ['Qu’aurions-nous dû mieux faire ?'],
        ['Vous pouvez me recontacter'],
      ],
      es: [
        [
          '¿Por qué nos deja?',
          'El precio',
          'Falta algo',
          'El soporte',
          'Otro producto',
          'Ya no lo necesitamos',
        ],
        ['¿Qué faltaba?'],
        ['¿Estaba satisfecho en general?'],
        ['¿Qué deberíamos haber hecho mejor?'],
        ['Pueden volver a contactarme'],
      ],
      pt: [
        [
          'Porque nos deixa?',
          'O preço',
          'Falta alguma coisa',
          'O apoio',
          'Outro produto',
          'Já não precisamos',
        ],
        ['O que faltava?'],
        ['Estava satisfeito no geral?'],
        ['O que devíamos ter feito melhor?'],
        ['Podem voltar a contactar-me'],
      ],
      nl: [
        [
          'Waarom gaat u weg?',
          'De prijs',
          'Er ontbreekt iets',
          'De ondersteuning',
          'Een ander product',
          'We hebben het niet meer nodig',
        ],
        ['Wat ontbrak er?'],
        ['Hoe tevreden was u over het geheel?'],
        ['Wat hadden we beter moeten doen?'],
        ['U mag opnieuw contact met mij opnemen'],
      ],
    },
  },
}

/** A question of a form that is shipped, in one language and as it is translated. */
export type StartField = Omit<Shape, 'options'> & {
  label: string
  options?: { value: string; label: string }[]
  translations?: { [language: string]: { label: string; options?: { [value: string]: string } } }
}

/** A form that is shipped, as the body of a survey: in the first of these languages, translated into the others. */
export function startForm(start: string, chosen: readonly string[]) {
  const form = forms[start]
  if (!form) return undefined
  const [first = 'en', ...others] = chosen.filter((language) => form.words[language])
  const of = <T>(as: (language: string) => T) =>
    Object.fromEntries(others.map((language) => [language, as(language)]))
  const fields = form.shapes.map(({ options, ...shape }, at): StartField => {
    const wordsIn = (language: string) => {
      const [label = '', ...choices] = form.words[language]?.[at] ?? []
      return { label, choices }
    }
    const { label, choices } = wordsIn(first)
    const labelled = options?.map((value, i) => ({ value, label: choices[i] ?? value }))
    const translations = of((language) => {
      const other = wordsIn(language)
      const words = options?.map((value, i) => [value, other.choices[i] ?? value] as const)
      return { label: other.label, ...(words ? { options: Object.fromEntries(words) } : {}) }
    })
    return {
      ...shape,
      label,
      ...(labelled ? { options: labelled } : {}),
      ...(others.length ? { translations } : {}),
    }
  })
  return {
    name: form.titles[first] ?? '',
    language: first,
    ...(form.isForm ? { item_type: 'form' } : {}),
    ...(others.length ? { translations: of((each) => ({ name: form.titles[each] ?? '' })) } : {}),
    form_structure: [{ id: 'page1', title: '', fields }],
  }
}

/** The starts and languages that there are, for their test. */
export const shipped = Object.entries(forms).map(([start, { titles, words }]) => ({
  start,
  languages: Object.keys(words),
  titles: Object.keys(titles),
}))
