import { pipesIn, textsOf, withoutNames } from '../../../../server/src/model/forms/piping.ts'
import { questionsIn, stepsOf } from '../../../../server/src/model/forms/formula.ts'
import { closingTexts } from '../../../../server/src/model/forms/translations.ts'
import { wholeWebAddress } from '../../../../server/src/kit/ground/web-address.ts'
import { mergedList } from '../../data/merged-list.ts'
import type { Field, Page } from '../structure.ts'
import { typeWords } from '../structure.ts'
import { language, t } from '../../locales/text.ts'

export type Choice = { value: string; label: string; most?: number | null }
export type Condition = { field_id: string; operator?: string | null; value?: unknown }
/** A comparison, or several of which one is enough. */
export type Rule = Condition | { any: Condition[] }
type Translations = { [language: string]: { [name: string]: unknown } }

/** A question, or a statement, of a survey that is edited. */
export type Question = Omit<Field, 'id' | 'type' | 'label'> & {
  id: string
  type: string
  label: string
  description?: string | null
  placeholder?: string | null
  options?: Choice[] | null
  rows?: Choice[] | null
  minLabel?: string | null
  maxLabel?: string | null
  show_if?: Rule[]
  min?: unknown
  max?: unknown
  parts?: string[] | null
  adds_contact?: boolean
  formula?: string | null
  random_options?: boolean
  translations?: Translations
}
export type QuestionPage = Omit<Page, 'id' | 'title' | 'fields'> & {
  id: string
  title: string
  fields: Question[]
  show_if?: Rule[]
  random_order?: boolean
  translations?: Translations
}

/** What is shown after the last page where its conditions hold. */
export type Ending = {
  id: string
  title: string
  text: string
  button?: string | null
  url?: string | null
  show_if?: Rule[]
  translations?: Translations
}

/** The texts and colors of a survey. */
export type Texts = {
  name: string
  description: string | null
  closing_title: string | null
  closing_text: string | null
  closing_button: string | null
  closing_url: string | null
  language: 'en' | 'de' | 'fr' | 'es' | 'pt' | 'nl' | null
  translations: Translations | null
  background_color: string | null
  action_color: string | null
}

/** What the builder changes; the texts have the last ending. */
export type Draft = { pages: QuestionPage[]; endings: Ending[]; texts: Texts }

const withOptions = ['single-select', 'multi-select', 'dropdown', 'ranking', 'matrix']
const scales = ['nps', 'csat', 'ces', 'ratings']

export const hasOptions = (type: string) => withOptions.includes(type)
export const isScale = (type: string) => scales.includes(type)
export const hasRows = (type: string) => type === 'matrix' || type === 'rating-matrix'

/** A short id, of a page or a question. */
export function newId(): string {
  return crypto.randomUUID().slice(0, 8)
}

/** A new question of a kind, with what it needs to be answered. */
export function newQuestion(type: string, label = ''): Question {
  const choices = [t('First choice'), t('Second choice')].map(freshChoice)
  return {
    id: newId(),
    type,
    label: label || usualLabels[type] || '',
    ...(hasOptions(type) ? { options: choices } : {}),
    ...(type === 'calculated' ? { formula: '0' } : {}),
    ...(hasRows(type) ? { rows: [t('First row'), t('Second row')].map(freshChoice) } : {}),
  }
}

const usualLabels: { [type: string]: string } = {
  nps: t('How likely are you to recommend us to a colleague?'),
  csat: t('How satisfied are you?'),
  ces: t('How easy was it?'),
}

/** A choice with a value of its own, which stays when its words change. */
export function freshChoice(label: string): Choice {
  return { value: newId(), label }
}

/** A choice whose value is its label. */
export function choiceOf(label: string): Choice {
  return { value: label, label }
}

/** All questions and statements, in order. */
export function questionsOf(draft: Draft): Question[] {
  return indexOf(draft).all
}

/** The numbers of questions by their ids. */
export function numbersOf(draft: Draft): ReadonlyMap<string, number> {
  return indexOf(draft).numbers
}

type Index = {
  all: Question[]
  byId: ReadonlyMap<string, Question>
  numbers: ReadonlyMap<string, number>
}

/** Of drafts that are shown: each row asks for it, and a draft never changes in itself. */
const indexes = new WeakMap<Draft['pages'], Index>()

function indexOf({ pages }: Draft): Index {
  const known = indexes.get(pages)
  if (known) return known
  const all = pages.flatMap(({ fields }) => fields)
  const asked = all.filter(({ type }) => type !== 'statement')
  const index = {
    all,
    byId: new Map(all.map((each) => [each.id, each])),
    numbers: new Map(asked.map(({ id }, at) => [id, at + 1])),
  }
  indexes.set(pages, index)
  return index
}

function withPages(draft: Draft, pages: QuestionPage[]): Draft {
  return { ...draft, pages }
}

/** A draft with some questions after another one, or at the end. */
export function withAdded(draft: Draft, added: Question[], after?: string): Draft {
  if (!draft.pages.length) {
    return withPages(draft, [{ id: newId(), title: '', fields: added }])
  }
  const last = draft.pages.at(-1)?.id
  return withPages(
    draft,
    draft.pages.map((page) => {
      const at = page.fields.findIndex(({ id }) => id === after)
      if (at >= 0) return { ...page, fields: page.fields.toSpliced(at + 1, 0, ...added) }
      const isHere = page.id === after || (page.id === last && !isIn(draft, after))
      return isHere ? { ...page, fields: [...page.fields, ...added] } : page
    }),
  )
}

function isIn(draft: Draft, id: string | undefined): boolean {
  return id !== undefined && askedRows(draft).includes(id)
}

/** The ids of pages, each with its questions, in the order of the list. */
function askedRows({ pages }: Draft): string[] {
  return pages.flatMap(({ id, fields }) => [id, ...fields.map((each) => each.id)])
}

/** The rows of the list: pages, each with its questions, and endings, of which the last is the survey's `closing`. */
export function rowsOf(draft: Draft): string[] {
  return [...askedRows(draft), ...draft.endings.map(({ id }) => id), 'closing']
}

/** A question of another kind, with what that needs to be answered and without what it has no place for. */
export function withKind(question: Question, type: string): Question {
  const { maxRating: _, minLabel: __, maxLabel: ___, min: _4, max: _5, ...own } = question
  const { formula: _6, parts: _7, adds_contact: _8, random_options: _9, ...rest } = own
  const { options, rows } = newQuestion(type)
  return {
    ...rest,
    type,
    options: (hasOptions(type) ? (question.options ?? options) : undefined) ?? null,
    rows: (hasRows(type) ? (question.rows ?? rows) : undefined) ?? null,
  }
}

/**
 * The id of a question that becomes one of another kind. Answers that are there belong to the question as it is
 * published, which has its id again once it is of its kind again; `first` is the id that it began with.
 */
export function idOfKind(
  draft: Draft,
  published: Draft | undefined,
  { id, label }: Question,
  { type, first = id }: { type: string; first?: string | undefined },
): string {
  const all = published ? questionsOf(published) : []
  const was =
    all.find((each) => each.id === first) ??
    all.find((each) => each.type === type && each.label === label)
  if (was?.type === type && (was.id === id || !isIn(draft, was.id))) return was.id
  return all.some((each) => each.id === id) ? newId() : id
}

/** A draft of which one question is other than before. */
export function withQuestion(draft: Draft, id: string, set: Partial<Question>): Draft {
  return withPages(
    draft,
    draft.pages.map((page) => ({
      ...page,
      fields: page.fields.map((each) => (each.id === id ? { ...each, ...set } : each)),
    })),
  )
}

/** A draft of which one ending is other than before. */
export function withEnding(draft: Draft, id: string, set: Partial<Ending>): Draft {
  const endings = draft.endings.map((each) => (each.id === id ? { ...each, ...set } : each))
  return { ...draft, endings }
}

/** A draft with another ending behind one, or behind all of them. */
export function withEndingAdded(draft: Draft, ending: Ending, after?: string): Draft {
  const at = draft.endings.findIndex(({ id }) => id === after)
  const place = at < 0 ? draft.endings.length : at + 1
  return { ...draft, endings: draft.endings.toSpliced(place, 0, ending) }
}

/** A draft with an ending at a place among the others. */
export function endingPlaced(draft: Draft, id: string, place: number): Draft {
  const ending = draft.endings.find((each) => each.id === id)
  if (!ending) return draft
  const others = draft.endings.filter((each) => each !== ending)
  return { ...draft, endings: others.toSpliced(place, 0, ending) }
}

/** Whether a row of the list is an ending by condition. */
export const isEnding = ({ endings }: Draft, id: string) => endings.some((each) => each.id === id)

/** A draft without a question, an ending, or a page and its questions. */
export function without(draft: Draft, id: string): Draft {
  const endings = draft.endings.filter((each) => each.id !== id)
  return withPages(
    endings.length < draft.endings.length ? { ...draft, endings } : draft,
    draft.pages
      .filter((page) => page.id !== id)
      .map((page) => ({ ...page, fields: page.fields.filter((each) => each.id !== id) })),
  )
}

/** A draft with a copy of a question or an ending behind it; the id of the copy is new. */
export function withCopy(draft: Draft, id: string, copy: string): Draft {
  const ending = draft.endings.find((each) => each.id === id)
  if (ending) return withEndingAdded(draft, { ...structuredClone(ending), id: copy }, id)
  const found = questionsOf(draft).find((each) => each.id === id)
  return found ? withAdded(draft, [{ ...structuredClone(found), id: copy }], id) : draft
}

/** A question by its id, or all those of a page by the id of the page; none for another id. */
export function questionsAt(draft: Draft, id: string): Question[] {
  const page = draft.pages.find((each) => each.id === id)
  return page ? page.fields : questionsOf(draft).filter((each) => each.id === id)
}

/**
 * Questions of any survey as they come into this one: each keeps its id unless it is taken here, and its conditions as
 * far as they are about questions that are there.
 */
export function broughtIn(draft: Draft, questions: Question[]): Question[] {
  const taken = new Set(rowsOf(draft))
  const ids = new Map(questions.map(({ id }) => [id, taken.has(id) ? newId() : id]))
  const known = new Set([...questionsOf(draft).map(({ id }) => id), ...ids.keys()])
  const named = (condition: Condition): Condition[] =>
    known.has(condition.field_id)
      ? [{ ...condition, field_id: ids.get(condition.field_id) ?? condition.field_id }]
      : []
  return structuredClone(questions).map(({ show_if = [], ...question }) => {
    const rules = show_if.flatMap((rule): Rule[] => {
      if (!('any' in rule)) return named(rule)
      const any = rule.any.flatMap(named)
      return any.length > 1 ? [{ any }] : any
    })
    return {
      ...question,
      id: ids.get(question.id) ?? question.id,
      ...(rules.length ? { show_if: rules } : {}),
    }
  })
}

/** Questions as the lines of a text, with their choices below them. */
export function linesOfText(questions: Question[]): string {
  return questions
    .map(({ label, options }) =>
      [withoutNames(label), ...(options ?? []).map((each) => `  - ${each.label}`)].join('\n'),
    )
    .join('\n')
}

/** A draft with a new page behind that of a question, or at the end; what follows the question moves there. */
export function withPage(draft: Draft, page: QuestionPage, after?: string): Draft {
  const at = draft.pages.findIndex(({ fields }) => fields.some(({ id }) => id === after))
  const before = draft.pages[at]
  if (!before) return withPages(draft, [...draft.pages, page])
  const cut = before.fields.findIndex(({ id }) => id === after) + 1
  const halves = [
    { ...before, fields: before.fields.slice(0, cut) },
    { ...page, fields: before.fields.slice(cut) },
  ]
  return withPages(draft, draft.pages.toSpliced(at, 1, ...halves))
}

/** Where a question goes: one place up or down, also over the border of a page, or to another page. */
export type Way = 'up' | 'down' | 'page-up' | 'page-down'

/** A draft with a question or an ending one place further; the same where it cannot go. */
export function movedTo(draft: Draft, id: string, way: Way): Draft {
  const ending = draft.endings.findIndex((each) => each.id === id)
  if (ending >= 0) {
    const to = ending + (way === 'up' || way === 'page-up' ? -1 : 1)
    return to < 0 || to >= draft.endings.length ? draft : endingPlaced(draft, id, to)
  }
  const p = draft.pages.findIndex(({ fields }) => fields.some((each) => each.id === id))
  const page = draft.pages[p]
  if (!page) return draft
  const at = page.fields.findIndex((each) => each.id === id)
  const isUp = way === 'up' || way === 'page-up'
  const next = at + (isUp ? -1 : 1)
  const stays = (way === 'up' || way === 'down') && next >= 0 && next < page.fields.length
  if (stays) return placed(draft, id, { page: page.id, at: next })
  const other = draft.pages[p + (isUp ? -1 : 1)]
  if (!other) return draft
  return placed(draft, id, { page: other.id, at: isUp ? other.fields.length : 0 })
}

/** A draft with a question at a place of a page, counted without the question itself. */
export function placed(draft: Draft, id: string, to: { page: string; at: number }): Draft {
  const question = questionsOf(draft).find((each) => each.id === id)
  if (!question) return draft
  return withPages(
    without(draft, id),
    without(draft, id).pages.map((page) =>
      page.id === to.page ? { ...page, fields: page.fields.toSpliced(to.at, 0, question) } : page,
    ),
  )
}

/** What keeps a question from being published. */
export type Fault = { id: string; message: string; isLost?: boolean }

/** The faults of a draft, in its order. */
export function faultsOf(draft: Draft): Fault[] {
  const earlier = new Set<string>()
  const all = questionsOf(draft)
  const opening = new Map(draft.pages.map((page) => [page.fields[0]?.id, page]))
  const faults = all.flatMap((question): Fault[] => {
    const page = opening.get(question.id)
    const ofPage = (page ? dependsOn(page) : []).flatMap((field_id): Fault[] =>
      earlier.has(field_id)
        ? []
        : [{ id: page?.id ?? '', message: lost(all, field_id), isLost: true }],
    )
    const { id, type, label, options, rows } = question
    const says = (message: string) => [{ id, message }]
    const found = [
      ...(label.trim() ? [] : says(t('It has no text'))),
      ...(hasOptions(type) && !named(options).length ? says(t('It has no choices')) : []),
      ...(hasRows(type) && !named(rows).length ? says(t('It has no rows')) : []),
      ...(type === 'calculated' && typeof stepsOf(question.formula ?? '') === 'string'
        ? says(t('Its formula is not complete'))
        : []),
      ...(hasTwice(options) || hasTwice(rows) ? says(t('A choice is there twice')) : []),
      ...dependsOn(question).flatMap((field_id) =>
        earlier.has(field_id) ? [] : [{ id, message: lost(all, field_id), isLost: true }],
      ),
    ]
    earlier.add(id)
    return [...ofPage, ...found]
  })
  const asked = new Set(all.flatMap(({ id, type }) => (type === 'statement' ? [] : [id])))
  const lostBy = (id: string, ids: string[]) =>
    ids.flatMap((field_id): Fault[] =>
      asked.has(field_id) ? [] : [{ id, message: lost(all, field_id), isLost: true }],
    )
  const ofEndings = draft.endings.flatMap((ending): Fault[] => {
    const { id, title, text, url, show_if = [] } = ending
    const says = (message: string) => [{ id, message }]
    return [
      ...(show_if.length ? [] : says(t('It has no condition'))),
      ...(title.trim() || text.trim() ? [] : says(t('It has no text'))),
      ...(isAddress(url) ? [] : says(t('Its link is no web address'))),
      ...lostBy(id, dependsOn(ending)),
    ]
  })
  return [
    ...(draft.texts.name.trim() ? [] : [{ id: 'survey', message: t('The survey has no name') }]),
    ...faults,
    ...ofEndings,
    ...(isAddress(draft.texts.closing_url)
      ? []
      : [{ id: 'closing', message: t('Its link is no web address') }]),
    ...lostBy('closing', namedInClosing(draft)),
    ...(all.some(({ type }) => type !== 'statement')
      ? []
      : [{ id: '', message: t('There is no question yet') }]),
  ]
}

/** Whether a link is a whole web address, or none. */
export function isAddress(url: string | null | undefined): boolean {
  return !url || wholeWebAddress(url) !== undefined
}

/** What an ending is called. */
export function endingTitle({ title, text }: Pick<Ending, 'title' | 'text'>): string {
  return withoutNames(title || text) || t('Without a text')
}

/** The comparisons of a question, a page or an ending. */
export function conditionsOf({ show_if = [] }: { show_if?: Rule[] | undefined }): Condition[] {
  return show_if.flatMap((rule) => ('any' in rule ? rule.any : [rule]))
}

/** The questions whose answers stand in texts. */
function namedIn(texts: string[]): string[] {
  return texts.flatMap(pipesIn).flatMap((name) => /^answers\.(.+)$/.exec(name)?.[1] ?? [])
}

/** The same of the last ending, in all its languages. */
function namedInClosing({ texts }: Draft): string[] {
  const all = [texts, ...Object.values(texts.translations ?? {})]
  return namedIn(all.flatMap((each) => closingTexts.map((name) => String(each[name] ?? ''))))
}

/** The questions that a question, a page or an ending depends on: by conditions, in its texts and its formula. */
function dependsOn(part: Question | QuestionPage | Ending): string[] {
  const piped = namedIn(textsOf(part))
  const formula = 'label' in part ? questionsIn(part.formula ?? '') : []
  return [...conditionsOf(part).map(({ field_id }) => field_id), ...piped, ...formula]
}

/** A text in which questions stand by their numbers, as people read and write it: `{{3}}` for what 3 answers. */
export function shownText(text: string, numbers: ReadonlyMap<string, number>): string {
  return text.replaceAll(
    /\{\{\s*answers\.([^{}|\s]+)\s*(\|[^{}]*)?\}\}/g,
    (whole, id: string, rest: string | undefined) =>
      numbers.has(id) ? `{{${numbers.get(id)}${rest ?? ''}}}` : whole,
  )
}

/** The same as it is stored, by ids. */
export function storedText(text: string, numbers: ReadonlyMap<string, number>): string {
  const ids = new Map([...numbers].map(([id, number]) => [String(number), id]))
  return text.replaceAll(
    /\{\{\s*(\d+)\s*(\|[^{}]*)?\}\}/g,
    (whole, number: string, rest: string | undefined) =>
      ids.has(number) ? `{{answers.${ids.get(number)}${rest ?? ''}}}` : whole,
  )
}

/** A formula with the numbers of questions: `{1} + {2}`. */
export function shownFormula(formula: string, numbers: ReadonlyMap<string, number>): string {
  return formula.replaceAll(/\{([^{}]+)\}/g, (whole, id: string) =>
    numbers.has(id) ? `{${numbers.get(id)}}` : whole,
  )
}

/** The same as it is stored, by ids. */
export function storedFormula(formula: string, numbers: ReadonlyMap<string, number>): string {
  const ids = new Map([...numbers].map(([id, number]) => [String(number), id]))
  return formula.replaceAll(/\{\s*(\d+)\s*\}/g, (whole, number: string) =>
    ids.has(number) ? `{${ids.get(number)}}` : whole,
  )
}

function lost(all: Question[], id: string): string {
  return all.some((each) => each.id === id)
    ? t('It depends on a question that comes later')
    : t('It depends on a question that is deleted')
}

/** The choices that have words. */
export function named(choices: Choice[] | null | undefined): Choice[] {
  return (choices ?? []).filter(({ label }) => label.trim())
}

function hasTwice(choices: Choice[] | null | undefined): boolean {
  const labels = named(choices).map(({ label }) => label.trim())
  return new Set(labels).size < labels.length
}

/** Whether a change puts a question before one that it depends on; says which, in words. */
export function brokenBy(before: Draft, after: Draft): string | undefined {
  const known = new Set(faultsOf(before).map(({ id, message }) => `${id} ${message}`))
  const broken = faultsOf(after).find(
    ({ id, message, isLost }) => isLost && !known.has(`${id} ${message}`),
  )
  if (!broken) return undefined
  const number = numbersOf(before).get(broken.id)
  return t(
    'Question {number} is only asked after the one that it depends on. Change its condition first.',
    { number: number ?? '' },
  )
}

const eitherOf = new Intl.ListFormat(language, { type: 'disjunction' })
const allOf = new Intl.ListFormat(language)

const comparisons: { [operator: string]: string } = {
  eq: t('is'),
  neq: t('is not'),
  in: t('is one of'),
  not_in: t('is none of'),
  contains: t('contains'),
  gt: t('is more than'),
  gte: t('is at least'),
  lt: t('is less than'),
  lte: t('is at most'),
  is_not_empty: t('is answered'),
  is_empty: t('is not answered'),
}

/** A comparison in words: "is at most". */
export function comparisonWords(operator: string | null | undefined): string {
  return comparisons[operator ?? 'eq'] ?? t('is')
}

/** The comparisons that fit a kind, in the order in which they are offered. */
export function comparisonsOf(type: string): { value: string; label: string }[] {
  const fitting =
    isScale(type) || type === 'number' || type === 'calculated'
      ? ['lte', 'gte', 'eq', 'neq']
      : type === 'multi-select'
        ? ['contains']
        : ['single-select', 'dropdown', 'consent', 'yes-no'].includes(type)
          ? ['eq', 'neq']
          : noComparisons.includes(type)
            ? []
            : ['contains', 'eq']
  return [...fitting, 'is_not_empty', 'is_empty'].map((value) => ({
    value,
    label: comparisonWords(value),
  }))
}

/** Kinds of which only whether they are answered is compared. */
const noComparisons = [
  'matrix',
  'rating-matrix',
  'ranking',
  'statement',
  'contact',
  'address',
  'signature',
  'file',
]

/** Whether a comparison needs a value. */
export function needsValue(operator: string | null | undefined): boolean {
  return operator !== 'is_empty' && operator !== 'is_not_empty'
}

/** A condition on a question that is usual for its kind. */
export function conditionOn({ id, type, options }: Question): Condition {
  const operator = comparisonsOf(type)[0]?.value ?? 'is_not_empty'
  const value = isScale(type)
    ? type === 'nps'
      ? 6
      : 3
    : type === 'consent' || type === 'yes-no'
      ? true
      : (options?.[0]?.value ?? (type === 'number' || type === 'calculated' ? 0 : ''))
  return needsValue(operator) ? { field_id: id, operator, value } : { field_id: id, operator }
}

/** An answer as it is called: the words of a choice, never its value. `dayWords` says a day. */
export function answerWords(
  about: Question | undefined,
  value: unknown,
  dayWords: (day: string) => string = String,
): string {
  if (Array.isArray(value)) {
    return eitherOf.format(value.map((each: unknown) => answerWords(about, each, dayWords)))
  }
  if (typeof value === 'boolean' && about?.type === 'yes-no') return value ? t('Yes') : t('No')
  if (typeof value === 'boolean') return value ? t('agreed') : t('not agreed')
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'string' || value === '') return '…'
  if (about?.options) {
    const label = about.options.find((each) => each.value === value)?.label
    return label === undefined ? t('a deleted choice') : `“${label}”`
  }
  if (about?.type === 'date') return dayWords(value)
  return about?.type === 'time' || about?.type === 'number' ? value : `“${value}”`
}

/** When a question is asked, as a sentence: "only if question 1 is at most 8". */
export function conditionWords(
  draft: Draft,
  { show_if = [] }: { show_if?: Rule[] | undefined },
  dayWords?: (day: string) => string,
): string {
  const { numbers, byId } = indexOf(draft)
  const wordsOf = ({ field_id, operator, value }: Condition) => {
    const about = byId.get(field_id)
    const number = numbers.get(field_id)
    const which =
      number === undefined ? t('a deleted question') : t('question {number}', { number })
    const shown = needsValue(operator) ? answerWords(about, value, dayWords) : ''
    return [which, comparisonWords(operator), shown].filter(Boolean).join(' ')
  }
  const parts = show_if.map((rule) =>
    'any' in rule ? eitherOf.format(rule.any.map(wordsOf)) : wordsOf(rule),
  )
  return parts.length ? t('only if {conditions}', { conditions: allOf.format(parts) }) : ''
}

/** What differs between what is published and a draft. */
export type Difference = {
  id: string
  kind: 'added' | 'removed' | 'changed'
  title: string
  what: string
}

/** The differences of a draft to what is published, questions first. */
export function differencesOf(before: Draft, after: Draft): Difference[] {
  const [old, now] = [questionsOf(before), questionsOf(after)]
  const was = new Map(old.map((each) => [each.id, each]))
  const is = new Set(now.map(({ id }) => id))
  const orders = [old.filter(({ id }) => is.has(id)), now.filter(({ id }) => was.has(id))].map(
    (all) => all.map(({ id }) => id),
  )
  const moved = (id: string) => orders[0]?.indexOf(id) !== orders[1]?.indexOf(id)
  const questions = now.flatMap((each): Difference[] => {
    const one = was.get(each.id)
    const entry = { id: each.id, title: withoutNames(each.label) || t('Without a text') }
    if (!one) return [{ ...entry, kind: 'added', what: typeWords(each.type) }]
    if (!isSame(one, each)) return [{ ...entry, kind: 'changed', what: changeWords(one, each) }]
    return moved(each.id) ? [{ ...entry, kind: 'changed', what: t('moved') }] : []
  })
  const removed = old
    .filter(({ id }) => !is.has(id))
    .map(({ id, label }): Difference => ({
      id,
      kind: 'removed',
      title: withoutNames(label),
      what: '',
    }))
  // pages by what they have and how many questions that stay stand on them, since others are named themselves
  const staying = ({ id }: Question) => is.has(id) && was.has(id)
  const [were, are] = [before, after].map((draft) =>
    draft.pages.map(({ fields, ...page }) => [page, fields.filter(staying).length]),
  )
  const pages = isSame(were, are)
    ? []
    : [{ id: 'pages', kind: 'changed', title: t('Pages'), what: '' } as const]
  const ends = listDifferences(before.endings, after.endings)
  const texts = (Object.keys(after.texts) as (keyof Texts)[])
    .filter((name) => !isSame(before.texts[name] ?? '', after.texts[name] ?? ''))
    .map((name): Difference => ({ id: name, kind: 'changed', title: textWords[name], what: '' }))
  return [...questions, ...removed, ...pages, ...ends, ...texts]
}

/** The differences of the endings. */
function listDifferences(before: Ending[], after: Ending[]): Difference[] {
  const was = new Map(before.map((each) => [each.id, each]))
  const is = new Set(after.map(({ id }) => id))
  const stayed = before.filter(({ id }) => is.has(id)).map(({ id }) => id)
  const now = after.filter(({ id }) => was.has(id)).map(({ id }) => id)
  const entry = (each: Ending) => ({
    id: each.id,
    title: t('Ending: {title}', { title: endingTitle(each) }),
    what: '',
  })
  return [
    ...after.flatMap((each): Difference[] => {
      const one = was.get(each.id)
      if (!one) return [{ ...entry(each), kind: 'added' }]
      if (!isSame(one, each)) return [{ ...entry(each), kind: 'changed' }]
      return stayed.indexOf(each.id) === now.indexOf(each.id)
        ? []
        : [{ ...entry(each), kind: 'changed', what: t('moved') }]
    }),
    ...before
      .filter(({ id }) => !is.has(id))
      .map((each): Difference => ({ ...entry(each), kind: 'removed' })),
  ]
}

const textWords: { [name in keyof Texts]: string } = {
  name: t('Name'),
  description: t('Introduction'),
  closing_title: t('Heading of the last ending'),
  closing_text: t('Text of the last ending'),
  closing_button: t('Button of the last ending'),
  closing_url: t('Link of the last ending'),
  language: t('Written in'),
  translations: t('Translations'),
  background_color: t('Background'),
  action_color: t('Color of the buttons'),
}

function changeWords(one: Question, other: Question): string {
  const words: [keyof Question, string][] = [
    ['label', t('text')],
    ['type', t('kind')],
    ['options', t('choices')],
    ['rows', t('rows')],
    ['show_if', t('when it is asked')],
    ['required', t('whether it must be answered')],
    ['translations', t('translations')],
  ]
  const found = words.filter(([name]) => !isSame(one[name] ?? null, other[name] ?? null))
  return found.map(([, word]) => word).join(', ') || t('details')
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/** A line of a survey: the heading of a page, or a question below it. */
type Line = { page: Omit<QuestionPage, 'fields'> } | { question: Question }

const linesOf = ({ pages }: Draft): Line[] =>
  pages.flatMap(({ fields, ...page }) => [{ page }, ...fields.map((question) => ({ question }))])

/** The pages of some lines; questions above the first heading belong to the page below it. */
function pagesOf(lines: Line[], spare: QuestionPage | undefined): QuestionPage[] {
  const pages: QuestionPage[] = []
  const early: Question[] = []
  for (const line of lines) {
    if ('page' in line) pages.push({ ...line.page, fields: [] })
    else (pages.at(-1)?.fields ?? early).push(line.question)
  }
  if (early.length && !pages.length)
    pages.push({ ...spare, id: spare?.id ?? newId(), title: '', fields: [] })
  pages[0]?.fields.unshift(...early)
  return pages
}

/**
 * What I made of a draft that somebody else has changed, too: my pages and questions where I changed them, theirs where
 * they did, mine where both did. What they deleted comes back if I changed it.
 */
export function merged(base: Draft, mine: Draft, theirs: Draft): Draft {
  const lines = mergedList<Line>([base, mine, theirs].map(linesOf), (line) =>
    'page' in line ? `page ${line.page.id}` : `question ${line.question.id}`,
  )
  const texts = Object.fromEntries(
    (Object.keys(mine.texts) as (keyof Texts)[]).map((name) => [
      name,
      isSame(mine.texts[name], base.texts[name]) ? theirs.texts[name] : mine.texts[name],
    ]),
  ) as Texts
  const endings = mergedList<Ending>(
    [base, mine, theirs].map((each) => each.endings),
    ({ id }) => id,
  )
  return { pages: pagesOf(lines, mine.pages[0]), endings, texts }
}
