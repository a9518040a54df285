import { Type } from 'typebox'
import type { Static } from 'typebox'
import type { FieldError } from '../../kit/ground/errors.ts'
import { badField, badFields } from '../../kit/ground/errors.ts'
import { equal, indexOfRepeated } from '../../kit/ground/object.ts'
import { newId } from '../../kit/ground/ids.ts'
import { unknownKeys } from '../../kit/ground/nearest.ts'
import { schema } from '../../kit/ground/json-schema.ts'
import type { FormField, Open, Option, Page } from '../forms/form-parts.ts'
import {
  condition,
  conditionOperators,
  conditionsOf,
  field,
  fieldTypes,
  formStructure,
  option,
  page,
} from '../forms/form-parts.ts'
import { checkParts, checkReferences } from './references.ts'

/** Field types whose answer is chosen from the options of the field. */
const typesWithOptions = ['single-select', 'multi-select', 'dropdown', 'ranking']

/** The maximum number of choices on a page of a form: each is an element of the page. */
const mostChoices = 10_000
/** The maximum number of conditions in a form: each is evaluated whenever a page is shown. */
export const mostConditions = 1000

const openPage = schema<Open>({
  type: 'object',
  additionalProperties: true,
  description: 'a page with its `title` and `fields`, each of which has a `type` and a `label`',
})
const pages = Type.Array(openPage, { maxItems: 100 })

const openEnding = schema<Open>({
  type: 'object',
  additionalProperties: true,
  description:
    'an ending with its `title`, `text` and `show_if`, and perhaps a `url` and the words of its `button`',
})

/** A structure in a body: an array of pages, or an object with them and with endings, which stay where there are none. */
export const structureSchema = Type.Union([
  pages,
  Type.Object({
    pages: Type.Optional(pages),
    endings: Type.Optional(
      Type.Array(openEnding, {
        maxItems: 50,
        description:
          'what is shown after the last page, in the order in which conditions are tried',
      }),
    ),
  }),
])

export type StructureInput = Static<typeof structureSchema>

/**
 * The pages of a structure, with each field checked and completed; 400 names the path, also for unknown keys
 * unless the `stored` pages have them. A draft may lack what only publishing needs: labels, choices, and what
 * its conditions refer to.
 */
export function pagesOf(
  structure: StructureInput,
  stored: Page[] = [],
  { isDraft = false } = {},
): Page[] {
  const pages = Array.isArray(structure) ? structure : (structure.pages ?? [])
  if (!Array.isArray(structure)) {
    const errors = unknownKeys(structure, Object.keys(formStructure), 'form_structure')
    if (errors.length) throw badFields(errors)
  }
  checkKeys(pages, stored)
  const earlier = new Set<string>()
  const known = isDraft ? undefined : earlier
  const checked = withStoredIds(pages, stored).map((page, p): Page => {
    const fields: unknown = page.fields ?? []
    if (!Array.isArray(fields)) throw badField(`form_structure.${p}.fields`, 'must be an array')
    if (fields.length > 500) throw badField(`form_structure.${p}.fields`, 'must have at most 500')
    checkConditions(page, `form_structure.${p}`, known)
    checkParts(page, `form_structure.${p}`)
    return {
      ...page,
      id: text(page.id) ?? newId(),
      title: text(page.title) ?? '',
      fields: fields.map((field: unknown, f) =>
        checkedField(field, `form_structure.${p}.fields.${f}`, { earlier, isDraft }),
      ),
    }
  })
  checkSize(checked)
  if (!isDraft) checkChoices(checked, stored)
  if (!isDraft) checkAnswerable(checked, stored)
  if (!isDraft) checkReferences(checked, stored)
  return checked
}

/**
 * Gives pages and fields of a body that have no ids the ids of stored ones with the same title,
 * or type and label, at the same place: so sending a structure again without ids changes nothing.
 */
function withStoredIds(pages: Open[], stored: Page[]): Open[] {
  const named = new Set(pages.flatMap((page) => [page, ...listOf(page.fields)]).map(idOf))
  return pages.map((page, p) => {
    const id = idOf(page)
    const at = stored[p]?.title === (text(page.title) ?? '') ? stored[p] : undefined
    const before = id ? stored.find((each) => each.id === id) : at
    if (!before) return page
    const fields = listOf(page.fields).map((field, f) => {
      const same = before.fields[f]
      const isSame = isObject(field) && field.type === same?.type && field.label === same?.label
      return isSame && !idOf(field) && same && !named.has(same.id)
        ? { ...field, id: same.id }
        : field
    })
    const isFree = !id && !named.has(before.id)
    return {
      ...page,
      ...(isFree ? { id: before.id } : {}),
      ...(Array.isArray(page.fields) ? { fields } : {}),
    }
  })
}

function idOf(part: unknown): string | undefined {
  return isObject(part) ? text(part.id) : undefined
}

/** 400 for a form that would take too long to show or to check. */
function checkSize(pages: Page[]) {
  for (const [p, page] of pages.entries()) {
    if (isTooLarge(page)) {
      const message = `must show at most ${mostChoices} choices: a matrix shows its options in each row, and a ranking a place for each option in each of them`
      throw badField(`form_structure.${p}.fields`, message)
    }
  }
  const conditions = pages.flatMap((page) => [page, ...page.fields]).flatMap(conditionsOf)
  if (conditions.length > mostConditions) {
    throw badField('form_structure', `must have at most ${mostConditions} conditions in show_if`)
  }
}

/** Whether a page has more choices than allowed. */
export function isTooLarge({ fields }: Pick<Page, 'fields'>): boolean {
  return fields.reduce((sum, field) => sum + choicesOf(field), 0) > mostChoices
}

function choicesOf({ type, options, rows, maxRating }: FormField): number {
  const count = options?.length ?? 0
  if (type === 'ranking') return count * count
  if (type === 'rating-matrix') return (rows?.length ?? 0) * (maxRating ?? 5)
  return type === 'matrix' ? count * (rows?.length ?? 0) : count
}

/** The questions of a structure: every field except statements, which have no answer. */
export function questionsOf(pages: Page[]): FormField[] {
  return pages.flatMap(({ fields }) => fields).filter(({ type }) => type !== 'statement')
}

/** 400 for unknown keys: a misspelled one would silently be missing from the form. */
function checkKeys(pages: Open[], stored: Page[]) {
  const old = keysIn(stored)
  const of = (schema: { properties: object }, ...more: string[]) => [
    ...Object.keys(schema.properties),
    ...more,
    ...old,
  ]
  const [pageKeys, fieldKeys] = [of(page, 'description'), of(field)]
  const [optionKeys, conditionKeys] = [of(option, 'color', 'position'), of(condition, 'any')]
  const errors = unknownIn(pages, { pageKeys, fieldKeys, optionKeys, conditionKeys })
  const [...first] = errors.take(mostNamed)
  if (first.length) throw badFields(first)
}

/** The maximum number of unknown keys in an error: finding a suggestion for each takes some microseconds. */
const mostNamed = 100

type Known = { [name in 'pageKeys' | 'fieldKeys' | 'optionKeys' | 'conditionKeys']: string[] }

function* unknownIn(pages: Open[], known: Known): Generator<FieldError, undefined> {
  for (const [p, each] of pages.entries()) {
    const at = `form_structure.${p}`
    yield* unknownKeys(each, known.pageKeys, at)
    for (const [i, rule] of rulesIn(each.show_if)) {
      yield* unknownKeys(rule, known.conditionKeys, `${at}.show_if.${i}`)
    }
    for (const [f, one] of listOf(each.fields).entries()) {
      const path = `${at}.fields.${f}`
      yield* unknownKeys(one, known.fieldKeys, path)
      const { options, rows, show_if }: Open = isObject(one) ? one : {}
      const parts: [string, unknown, string[]][] = [
        ['options', options, known.optionKeys],
        ['rows', rows, known.optionKeys],
      ]
      for (const [i, rule] of rulesIn(show_if)) {
        yield* unknownKeys(rule, known.conditionKeys, `${path}.show_if.${i}`)
      }
      for (const [name, values, keys] of parts) {
        for (const [i, value] of listOf(values).entries()) {
          yield* unknownKeys(value, keys, `${path}.${name}.${i}`)
        }
      }
    }
  }
}

/** The rules of a body with their places, those in groups, too. */
export function rulesIn(show_if: unknown): [place: string, rule: unknown][] {
  return listOf(show_if).flatMap((rule, i) => [
    [String(i), rule] as [string, unknown],
    ...listOf(isObject(rule) ? rule.any : undefined).map((each, j): [string, unknown] => [
      `${i}.any.${j}`,
      each,
    ]),
  ])
}

export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

/** The keys of all objects within a value. */
export function keysIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.values(value).flatMap((each: unknown) => keysIn(each))
  return [...new Set(Array.isArray(value) ? inner : [...Object.keys(value), ...inner])]
}

/** 400 for a repeated choice in a question, unless it was repeated before. */
function checkChoices(pages: Page[], stored: Page[]) {
  const before = new Map(questionsOf(stored).map((question) => [question.id, question]))
  for (const [p, { fields }] of pages.entries()) {
    for (const [f, question] of fields.entries()) {
      for (const name of ['options', 'rows'] as const) {
        const values = (question[name] ?? []).map(({ value }) => value)
        const twice = indexOfRepeated(values)
        if (twice < 0 || equal(question[name], before.get(question.id)?.[name])) continue
        const at = `form_structure.${p}.fields.${f}.${name}.${twice}`
        throw badField(`${at}.value`, `${values[twice]} is given twice`)
      }
    }
  }
}

/** 400 for a question that no answer could fit, unless it was so before. */
function checkAnswerable(pages: Page[], stored: Page[]) {
  const before = new Map(questionsOf(stored).map((question) => [question.id, question]))
  for (const [p, { fields }] of pages.entries()) {
    for (const [f, question] of fields.entries()) {
      const at = `form_structure.${p}.fields.${f}`
      if (equal(question, before.get(question.id))) continue
      if (question.type === 'matrix') checkGrid(question, at, ['rows', 'options'])
      if (question.type === 'rating-matrix') checkGrid(question, at, ['rows'])
      if (bounded.includes(question.type)) checkBounds(question, at)
    }
  }
}

/** Field types with a least and a greatest number, of characters, choices or files for some. */
const bounded = ['number', 'short-text', 'long-text', 'multi-select', 'file']

function checkGrid(question: FormField, at: string, names: ('rows' | 'options')[]) {
  for (const name of names) {
    if (!question[name]?.length) throw badField(`${at}.${name}`, 'is required')
  }
}

function checkBounds({ min, max }: FormField, at: string) {
  for (const [name, bound] of Object.entries({ min, max })) {
    if (bound === undefined || bound === null || typeof bound === 'number') continue
    throw badField(`${at}.${name}`, 'must be a number, or null')
  }
  if (typeof min === 'number' && typeof max === 'number' && min > max) {
    throw badField(`${at}.max`, `must be at least ${min}, which is the least number accepted`)
  }
}

/** A field with its id and options completed; adds its id to those of the earlier fields. */
function checkedField(
  field: unknown,
  at: string,
  { earlier, isDraft }: { earlier: Set<string>; isDraft: boolean },
): FormField {
  if (!isObject(field)) throw badField(at, 'must be an object')
  const { type, required } = field
  if (!isOneOf(fieldTypes, type)) {
    throw badField(`${at}.type`, `must be one of ${fieldTypes.join(', ')}`)
  }
  const label = text(field.label) ? String(field.label) : ''
  if (!label && !isDraft) throw badField(`${at}.label`, 'is required')
  const id = text(field.id) ?? newId()
  if (earlier.has(id)) throw badField(`${at}.id`, `${id} is used twice`)
  // answers are an object with these ids as keys, and every object has a `constructor`
  if (id in {}) throw badField(`${at}.id`, `${id} cannot be an id`)
  earlier.add(id)
  if (required !== undefined && typeof required !== 'boolean') {
    throw badField(`${at}.required`, 'must be true or false')
  }
  const options = optionsOf(field.options, `${at}.options`)
  if (!isDraft && typesWithOptions.includes(type) && !options?.length) {
    throw badField(`${at}.options`, 'is required')
  }
  for (const name of ['minLabel', 'maxLabel'] as const) {
    const value = field[name] ?? ''
    if (typeof value !== 'string' || value.length > 200) {
      throw badField(`${at}.${name}`, 'must be text of at most 200 characters')
    }
  }
  const rows = optionsOf(field.rows, `${at}.rows`)
  earlier.delete(id)
  checkConditions(field, at, isDraft ? undefined : earlier)
  earlier.add(id)
  checkParts(field, at)
  const checked = {
    ...field,
    id,
    label,
    ...(options ? { options } : {}),
    ...(rows ? { rows } : {}),
  }
  return checked as unknown as FormField
}

/** 400 for a condition on anything but an earlier question, or with an unknown operator. */
export function checkConditions(
  { show_if = [], maxRating = 5 }: Open,
  at: string,
  earlier?: ReadonlySet<string>,
) {
  if (!Array.isArray(show_if)) throw badField(`${at}.show_if`, 'must be an array')
  if (!Number.isInteger(maxRating) || Number(maxRating) < 2 || Number(maxRating) > 20) {
    throw badField(`${at}.maxRating`, 'must be a whole number from 2 to 20')
  }
  for (const rule of show_if as unknown[]) {
    if (!isObject(rule) || rule.any === undefined) checkCondition(rule, at, earlier)
    else if (!Array.isArray(rule.any) || !rule.any.length) {
      throw badField(`${at}.show_if`, 'any must be a list of at least one condition')
    } else for (const each of rule.any as unknown[]) checkCondition(each, at, earlier)
  }
}

function checkCondition(condition: unknown, at: string, earlier?: ReadonlySet<string>) {
  const { field_id, operator }: Open = isObject(condition) ? condition : {}
  if (typeof field_id !== 'string' || (earlier && !earlier.has(field_id))) {
    throw badField(`${at}.show_if`, `no earlier question has the id ${field_id}`)
  }
  if (!isOneOf(conditionOperators, operator ?? 'eq')) {
    throw badField(`${at}.show_if`, `operator must be one of ${conditionOperators.join(', ')}`)
  }
}

function optionsOf(value: unknown, at: string): Option[] | undefined {
  if (value === undefined || value === null) return undefined
  if (!Array.isArray(value)) throw badField(at, 'must be an array')
  return value.map((each: unknown, i) => {
    const own: Open = isObject(each) ? each : {}
    const { value, label } = isObject(each) ? each : { value: each, label: each }
    const word = text(value) ?? text(label)
    if (!word) throw badField(`${at}.${i}`, 'must have a value or a label')
    for (const [name, long] of Object.entries({ value, label })) {
      if (typeof long !== 'string' || long.length <= mostText) continue
      throw badField(`${at}.${i}.${name}`, `must be at most ${mostText} characters`)
    }
    const { most = null } = own
    if (most !== null && !(Number.isInteger(most) && Number(most) > 0)) {
      throw badField(`${at}.${i}.most`, 'must be a whole number above 0, or null')
    }
    return { ...own, value: word, label: text(label) ?? word }
  })
}

/** An id, a title, a choice. */
const mostText = 1000

function text(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value.trim()
    ? value.slice(0, mostText).toWellFormed()
    : undefined
}

function isObject(value: unknown): value is Open {
  return typeof value === 'object' && value !== null
}

function isOneOf<W extends string>(words: readonly W[], value: unknown): value is W {
  return (words as readonly unknown[]).includes(value)
}
