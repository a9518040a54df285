import { badField, badFields } from '../../kit/ground/errors.ts'
import { unknownKeys } from '../../kit/ground/nearest.ts'
import { equal } from '../../kit/ground/object.ts'
import { languages } from '../languages/language.ts'
import { questionsIn, stepsOf } from '../forms/formula.ts'
import { pipedNames, pipesIn, textsOf } from '../forms/piping.ts'
import type { FormField, Page } from '../forms/form-parts.ts'
import { contactParts } from '../forms/answer-parts.ts'
import { conditionsOf } from '../forms/form-parts.ts'

type Open = { [key: string]: unknown }

/** The longest translation of a text, in characters. */
const mostText = 1000

const fieldTexts = ['label', 'description', 'placeholder', 'minLabel', 'maxLabel']
const labelLists = ['options', 'rows']

/** 400 for what a field or a page of a body says of its parts, its order, its contact or its translations. */
export function checkParts(part: Open, at: string): void {
  for (const name of ['adds_contact', 'random_options', 'random_order']) {
    if (part[name] !== undefined && typeof part[name] !== 'boolean') {
      throw badField(`${at}.${name}`, 'must be true or false')
    }
  }
  const { parts, formula } = part
  if (parts !== undefined && parts !== null) {
    const isKnown = (each: unknown) => (contactParts as readonly unknown[]).includes(each)
    if (!Array.isArray(parts) || !parts.length || !parts.every(isKnown)) {
      throw badField(`${at}.parts`, `must be some of ${contactParts.join(', ')}`)
    }
  }
  if (formula !== undefined && formula !== null && typeof formula !== 'string') {
    throw badField(`${at}.formula`, 'must be text')
  }
  if (part.translations !== undefined) checkTranslations(part, at)
}

function checkTranslations({ translations, fields }: Open, at: string): void {
  if (fields === undefined) checkTextsOf(translations, at, fieldTexts, labelLists)
  else checkTextsOf(translations, at, ['title'])
}

/** 400 for translations of anything but these texts and lists of labels, or that are too long. */
export function checkTextsOf(
  translations: unknown,
  at: string,
  texts: readonly string[],
  lists: readonly string[] = [],
  longest: { [name: string]: number } = {},
): void {
  if (!isObject(translations)) throw badField(`${at}.translations`, 'must be an object')
  const errors = unknownKeys(translations, [...languages], `${at}.translations`)
  for (const [language, of] of Object.entries(translations)) {
    const path = `${at}.translations.${language}`
    if (!isObject(of)) throw badField(path, 'must be an object')
    errors.push(...unknownKeys(of, [...texts, ...lists], path))
    for (const name of texts) checkText(of[name], `${path}.${name}`, longest[name])
    for (const name of lists) {
      const labels = of[name] ?? {}
      if (!isObject(labels)) throw badField(`${path}.${name}`, 'must be labels by their values')
      for (const [value, label] of Object.entries(labels)) {
        checkText(label, `${path}.${name}.${value}`)
      }
    }
  }
  if (errors.length) throw badFields(errors)
}

/** 400 for anything but a text of so many characters, or none. */
export function checkText(value: unknown, at: string, most = mostText): void {
  if (value === undefined || (typeof value === 'string' && value.length <= most)) return
  throw badField(at, `must be text of at most ${most} characters`)
}

/**
 * 400 for a text or a formula that names what is not there before it, and for pages at random that depend on each
 * other; what is as it was stays.
 */
export function checkReferences(pages: Page[], stored: Page[]): void {
  const before = new Map(
    stored.flatMap((page) => [page, ...page.fields]).map((each) => [each.id, each]),
  )
  const earlier = new Set<string>()
  for (const [p, page] of pages.entries()) {
    const was = before.get(page.id)
    const at = `form_structure.${p}`
    checkPipes(page, earlier, at, was !== undefined && 'title' in was && was.title === page.title)
    for (const [f, field] of page.fields.entries()) {
      const path = `${at}.fields.${f}`
      const isOld = equal(field, before.get(field.id))
      checkPipes(field, earlier, path, isOld)
      if (field.type === 'calculated') checkFormula(field, earlier, path)
      if (field.type !== 'statement') earlier.add(field.id)
    }
  }
  checkOrder(pages)
}

function checkPipes(part: FormField | Page, earlier: Set<string>, at: string, isOld = false): void {
  if (isOld) return
  for (const text of textsOf(part)) {
    checkPiped(text, earlier, `${at}.${'label' in part ? 'label' : 'title'}`)
  }
}

/** 400 for a text that names what cannot go into it: `earlier` are the questions that may. */
export function checkPiped(text: string, earlier: ReadonlySet<string>, at: string): void {
  for (const name of pipesIn(text)) {
    const id = /^answers\.(.+)$/.exec(name)?.[1]
    const isKnown = id === undefined ? pipedNames.some((each) => each === name) : earlier.has(id)
    if (isKnown) continue
    throw badField(
      at,
      id === undefined
        ? `{{${name}}} must be one of ${pipedNames.join(', ')}, or answers. and the id of a question`
        : `{{${name}}}: no earlier question has the id ${id}`,
    )
  }
}

function checkFormula({ formula }: FormField, earlier: Set<string>, at: string): void {
  const steps = stepsOf(formula ?? '')
  if (typeof steps === 'string') throw badField(`${at}.formula`, steps)
  const lost = questionsIn(formula ?? '').find((id) => !earlier.has(id))
  if (lost) throw badField(`${at}.formula`, `no earlier question has the id ${lost}`)
}

/** The questions that a question or a page depends on. */
export function dependsOn(part: FormField | Page): string[] {
  const conditions = conditionsOf(part).map(({ field_id }) => field_id)
  const named = textsOf(part).flatMap(pipesIn)
  const piped = named.flatMap((name) => /^answers\.(.+)$/.exec(name)?.[1] ?? [])
  const formula = isField(part) ? questionsIn(part.formula ?? '') : []
  return [...conditions, ...piped, ...formula]
}

function isField(part: FormField | Page): part is FormField {
  return 'label' in part
}

function checkOrder(pages: Page[]): void {
  let together = new Map<string, number>()
  for (const [p, page] of pages.entries()) {
    if (!page.random_order) {
      together = new Map()
      continue
    }
    for (const id of [page, ...page.fields].flatMap(dependsOn)) {
      if (!together.has(id)) continue
      const message = `the page depends on ${id} of page ${(together.get(id) ?? 0) + 1}, which may come after it`
      throw badField(`form_structure.${p}.random_order`, message)
    }
    for (const { id } of page.fields) together.set(id, p)
  }
}

function isObject(value: unknown): value is Open {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
