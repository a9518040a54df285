import type { Structure } from '../forms/form-parts.ts'
import type { Translated } from '../forms/translations.ts'
import { inLanguage } from '../forms/translations.ts'
import type { Language } from '../languages/codes.ts'
import { storedStructure } from './endings.ts'

type Whole = Omit<Translated, 'pages' | 'endings'> & {
  language?: Language | null
  form_structure: Structure
}

/** A survey with its texts in one language; in the one that it is written in they are as they stand. */
export function inOneLanguage<S extends Whole>(survey: S, language: Language): S {
  if (language === survey.language) return survey
  const { form_structure: written, ...rest } = survey
  const { pages, endings, ...texts } = inLanguage(
    { ...rest, ...storedStructure(written) },
    language,
  )
  const form_structure = { ...written, pages, ...(endings ? { endings } : {}) }
  return { ...survey, ...texts, form_structure }
}
