import type { Language } from '../languages/codes.ts'
import { languages } from '../languages/codes.ts'
import type { Ending, FormField, Option, Page } from './form-parts.ts'

/** The texts of the last ending, which the survey itself has. */
export const closingTexts = ['closing_title', 'closing_text', 'closing_button'] as const

/** The texts of a survey besides its questions. */
export const surveyTexts = ['name', 'description', ...closingTexts] as const
type SurveyText = (typeof surveyTexts)[number]
export type SurveyTranslations = { [language in Language]?: SurveyTexts }

/** The texts of a survey in one language. */
export type SurveyTexts = { [name in SurveyText]?: string }

/** A survey with its questions and its texts, as far as they are translated. */
export type Translated = {
  pages: Page[]
  endings?: Ending[] | undefined
  translations?: SurveyTranslations | null | undefined
} & { [name in SurveyText]?: string | null | undefined }

/** The languages in which something of a survey is written besides its first, in a fixed order. */
export function languagesOf({ pages, endings = [], translations }: Translated): Language[] {
  const parts = [{ translations }, ...pages, ...endings, ...pages.flatMap(({ fields }) => fields)]
  const found = new Set(parts.flatMap((part) => Object.keys(part.translations ?? {})))
  return languages.filter((language) => found.has(language))
}

/** A survey in a language; what it lacks there stays as it is written first. */
export function inLanguage<S extends Translated>(survey: S, language: Language): S {
  const texts = filled(survey.translations?.[language])
  const { pages, endings } = survey
  return {
    ...survey,
    ...texts,
    pages: pages.map((page) => pageIn(page, language)),
    ...(endings ? { endings: endings.map((each) => endingIn(each, language)) } : {}),
  }
}

/** An ending in a language; what it lacks there stays as it is written first. */
function endingIn(ending: Ending, language: Language): Ending {
  return { ...ending, ...filled(ending.translations?.[language]) }
}

function pageIn(page: Page, language: Language): Page {
  const fields = page.fields.map((field) => fieldIn(field, language))
  return { ...page, ...filled(page.translations?.[language]), fields }
}

function fieldIn(field: FormField, language: Language): FormField {
  const { options, rows, ...texts } = field.translations?.[language] ?? {}
  return {
    ...field,
    ...filled(texts),
    ...(field.options ? { options: labelled(field.options, options) } : {}),
    ...(field.rows ? { rows: labelled(field.rows, rows) } : {}),
  }
}

function labelled(of: Option[], labels: { [value: string]: string } = {}): Option[] {
  return of.map((each) => {
    const label = Object.hasOwn(labels, each.value) ? labels[each.value]?.trim() : ''
    return label ? { ...each, label } : each
  })
}

function filled<T extends object>(texts: T | undefined): Partial<T> {
  const all = Object.entries(texts ?? {})
  return Object.fromEntries(
    all.filter(([, text]) => typeof text === 'string' && text.trim()),
  ) as Partial<T>
}

/** The texts of an ending, and how long each may be, in characters. */
export const endingTexts = ['title', 'text', 'button'] as const
export const longestOfEndings = { title: 255, text: 2000, button: 100 }
const fieldTexts = ['label', 'description', 'placeholder', 'minLabel', 'maxLabel'] as const

/** A text of a survey with its translations, by a key that stays while it is there. */
export type TextRow = { key: string; text: string; translations: { [language: string]: string } }

/** All texts of a survey that can be translated, in the order of its pages. */
export function textRows(survey: Translated): TextRow[] {
  const rows: TextRow[] = []
  const add = (
    key: string,
    text: string | null | undefined,
    of: (language: Language) => string | undefined,
  ) => {
    if (!text?.trim()) return
    const all = languages.flatMap((language) => {
      const found = of(language)
      return found?.trim() ? [[language, found] as const] : []
    })
    const translations: TextRow['translations'] = Object.fromEntries<string>(all)
    rows.push({ key, text, translations })
  }
  for (const name of surveyTexts) {
    add(`survey.${name}`, survey[name], (language) => survey.translations?.[language]?.[name])
  }
  for (const page of survey.pages) {
    add(`page.${page.id}.title`, page.title, (of) => page.translations?.[of]?.title)
    for (const field of page.fields) {
      for (const name of fieldTexts) {
        const text = field[name]
        if (typeof text !== 'string') continue
        add(`question.${field.id}.${name}`, text, (of) => field.translations?.[of]?.[name])
      }
      for (const name of ['options', 'rows'] as const) {
        for (const { value, label } of field[name] ?? []) {
          const key = `question.${field.id}.${name}.${value}`
          add(key, label, (of) => field.translations?.[of]?.[name]?.[value])
        }
      }
    }
  }
  for (const ending of survey.endings ?? []) {
    for (const name of endingTexts) {
      const key = `ending.${ending.id}.${name}`
      add(key, ending[name], (of) => ending.translations?.[of]?.[name])
    }
  }
  return rows
}

const longest: { [key: string]: number } = {
  'survey.name': 255,
  'survey.closing_title': longestOfEndings.title,
  'survey.closing_text': longestOfEndings.text,
  'survey.closing_button': longestOfEndings.button,
  'survey.description': 20_000,
}
const ofEnding = /^ending\..+\.(title|text|button)$/

/** How long the text with this key of `textRows`, and its translations, may be, in characters. */
export function longestText(key: string): number {
  const name = ofEnding.exec(key)?.[1] as keyof typeof longestOfEndings | undefined
  return name ? longestOfEndings[name] : (longest[key] ?? 1000)
}

/** How many texts each of these languages lacks. */
export function missingIn(survey: Translated, of: Language[] = languagesOf(survey)) {
  const rows = textRows(survey)
  return of.map((language) => ({
    language,
    count: rows.filter(({ translations }) => !translations[language]).length,
  }))
}

/** A survey with other translations of some of its texts, by their keys; an empty one takes it away. */
export function withTexts<S extends Translated>(
  survey: S,
  changes: Map<string, { [language in Language]?: string }>,
): S {
  const translations = changed(survey.translations, (language) =>
    Object.fromEntries(
      surveyTexts.map((name) => [name, changes.get(`survey.${name}`)?.[language]]),
    ),
  )
  const pages = survey.pages.map((page) => ({
    ...withTranslations(page, (language) => ({
      title: changes.get(`page.${page.id}.title`)?.[language],
    })),
    fields: page.fields.map((field) => fieldWith(field, changes)),
  }))
  const endings = survey.endings?.map((ending) =>
    withTranslations(ending, (language) =>
      Object.fromEntries(
        endingTexts.map((name) => [name, changes.get(`ending.${ending.id}.${name}`)?.[language]]),
      ),
    ),
  )
  const isTranslated = survey.translations || Object.keys(translations).length
  return {
    ...survey,
    translations: isTranslated ? translations : survey.translations,
    pages,
    ...(endings ? { endings } : {}),
  }
}

function fieldWith(
  field: FormField,
  changes: Map<string, { [language in Language]?: string }>,
): FormField {
  const at = (name: string) => changes.get(`question.${field.id}.${name}`)
  return withTranslations(field, (language) => {
    const labels = (name: 'options' | 'rows') => {
      const values = (field[name] ?? []).map(({ value }) => value)
      const own = field.translations?.[language]?.[name]
      const next = merged(
        own,
        Object.fromEntries(values.map((value) => [value, at(`${name}.${value}`)?.[language]])),
      )
      return Object.keys(next).length ? next : undefined
    }
    return {
      ...Object.fromEntries(fieldTexts.map((name) => [name, at(name)?.[language]])),
      ...(field.options ? { options: labels('options') ?? null } : {}),
      ...(field.rows ? { rows: labels('rows') ?? null } : {}),
    }
  })
}

type Texts = { [name: string]: unknown }

function withTranslations<T extends { translations?: object | undefined }>(
  part: T,
  of: (language: Language) => Texts,
): T {
  const translations = changed(part.translations, of)
  const { translations: _, ...rest } = part
  return (Object.keys(translations).length ? { ...rest, translations } : rest) as T
}

function changed(before: object | null | undefined, of: (language: Language) => Texts) {
  const old = (before ?? {}) as { [language in Language]?: Texts }
  const next = languages.flatMap((language) => {
    const texts = merged(old[language], of(language))
    return Object.keys(texts).length ? [[language, texts]] : []
  })
  return Object.fromEntries(next) as { [language in Language]?: { [name: string]: string } }
}

/** Texts with others in place of theirs: undefined leaves one as it is, an empty one and null take it away. */
function merged(before: Texts = {}, after: Texts): Texts {
  const all = { ...before }
  for (const [name, text] of Object.entries(after)) {
    if (text === undefined) continue
    if (text === null || (typeof text === 'string' && !text.trim())) delete all[name]
    else all[name] = text
  }
  return all
}
