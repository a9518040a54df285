import { Type } from 'typebox'
import type { Static } from 'typebox'
import { badField, badFields } from '../../kit/ground/errors.ts'
import { newId } from '../../kit/ground/ids.ts'
import { orNull } from '../../kit/ground/json-schema.ts'
import { unknownKeys } from '../../kit/ground/nearest.ts'
import { equal, isObject } from '../../kit/ground/object.ts'
import { wholeWebAddress } from '../../kit/ground/web-address.ts'
import type { Answers, Ending, Open, Page, Structure } from '../forms/form-parts.ts'
import { condition, conditionsOf, ending } from '../forms/form-parts.ts'
import { endingAfter } from '../forms/rules.ts'
import { plainWith } from '../forms/piping.ts'
import { closingTexts, endingTexts, longestOfEndings } from '../forms/translations.ts'
import { checkPiped, checkText, checkTextsOf } from './references.ts'
import type { StructureInput } from './structure.ts'
import {
  checkConditions,
  keysIn,
  listOf,
  mostConditions,
  pagesOf,
  questionsOf,
  rulesIn,
} from './structure.ts'

const webAddressWanted = 'must be a web address, as https://example.com/next'

type Closing = { [name in (typeof closingTexts)[number] | 'closing_url']?: string | null }

/** What is shown after the last page; a text that is null has its usual words. */
export const closedSchema = Type.Object(
  {
    title: orNull(Type.String({ description: 'the heading' })),
    text: orNull(Type.String({ description: 'below the heading' })),
    button: orNull(Type.String({ description: 'words of the link to `url`' })),
    url: orNull(Type.String({ description: 'where it leads on to' })),
  },
  { title: 'SurveyEnding' },
)
export type Closed = Static<typeof closedSchema>

/** The ending of a survey after the answers to what is asked: the first whose conditions hold, else its closing. */
export function closedWith(
  { endings, ...closing }: Closing & Pick<Structure, 'endings'>,
  answers: Answers,
): Closed {
  const found = endingAfter(endings, answers)
  const { closing_title, closing_text, closing_button, closing_url } = closing
  return found
    ? {
        title: found.title || closing_title || null,
        text: found.text || null,
        button: found.button || null,
        url: found.url || null,
      }
    : {
        title: closing_title || null,
        text: closing_text ?? null,
        button: closing_button || null,
        url: closing_url || null,
      }
}

/** The same with what goes into its texts, for those whose person is not known. */
export function endingShown(
  { form_structure: { pages, endings }, ...closing }: Closing & { form_structure: Structure },
  answers: Answers,
): Closed {
  const { url, ...texts } = closedWith({ ...closing, endings }, answers)
  const about = { parts: pages, answers, known: {} }
  const shown = (text: string | null) => text && plainWith(about, text)
  return { title: shown(texts.title), text: shown(texts.text), button: shown(texts.button), url }
}

/**
 * The pages and endings of a structure in a body, checked and completed as `pagesOf` does; endings that the body does not
 * name stay, and 400 names those that depend on what the pages no longer ask.
 */
export function structureOf(
  input: StructureInput,
  stored: Structure = { pages: [] },
  { isDraft = false } = {},
): { pages: Page[]; endings: Ending[] } {
  const pages = pagesOf(input, stored.pages, { isDraft })
  const before = stored.endings ?? []
  const sent: unknown[] = (Array.isArray(input) ? undefined : input.endings) ?? before
  const named = new Set(sent.map((each) => (isObject(each) ? each.id : undefined)))
  const questions = new Set(questionsOf(pages).map(({ id }) => id))
  const endings = sent.map((each, n): Ending => {
    const at = `form_structure.endings.${n}`
    if (!isObject(each)) throw badField(at, 'must be an object')
    const same = before[n]
    const isSame = same && each.title === same.title && each.text === same.text
    const id = each.id ?? (isSame && !named.has(same.id) ? same.id : newId())
    return checkedEnding({ ...each, id }, at, { before, questions, isDraft })
  })
  const ids = endings.map(({ id }) => id)
  const twice = ids.findIndex((id, n) => ids.indexOf(id) < n)
  if (twice >= 0)
    throw badField(`form_structure.endings.${twice}.id`, `${ids[twice]} is used twice`)
  const isKept = (id: string) =>
    before.some((each) => each.id === id) && takenIn(stored.pages).has(id)
  const taken = takenIn(pages)
  const other = ids.findIndex((id) => taken.has(id) && !isKept(id))
  if (other >= 0) {
    const message = `${ids[other]} is what a page, a question or the last ending is called`
    throw badField(`form_structure.endings.${other}.id`, message)
  }
  if (endings.flatMap(conditionsOf).length > mostConditions) {
    throw badField(
      'form_structure.endings',
      `must have at most ${mostConditions} conditions in show_if`,
    )
  }
  return { pages, endings }
}

/** The ids that endings cannot have: of pages and questions, and what the survey's own texts go by. */
function takenIn(pages: Page[]): Set<string> {
  const parts = pages.flatMap((page) => [page.id, ...page.fields.map(({ id }) => id)])
  return new Set(['closing', 'survey', ...parts])
}

/** A structure as it is stored: one without endings has no list of them. */
export function storedStructure({ pages, endings = [] }: Structure): Structure {
  return { pages, ...(endings.length ? { endings } : {}) }
}

function checkedEnding(
  of: Open,
  at: string,
  {
    before,
    questions,
    isDraft,
  }: { before: Ending[]; questions: ReadonlySet<string>; isDraft: boolean },
): Ending {
  const old = keysIn(before)
  const errors = unknownKeys(of, [...Object.keys(ending.properties), ...old], at)
  for (const [place, rule] of rulesIn(of.show_if)) {
    const known = [...Object.keys(condition.properties), 'any', ...old]
    errors.push(...unknownKeys(rule, known, `${at}.show_if.${place}`))
  }
  if (errors.length) throw badFields(errors)
  const { id, url, translations } = of
  if (typeof id !== 'string' || !id || id.length > 100) {
    throw badField(`${at}.id`, 'must be text of 1 to 100 characters')
  }
  for (const name of endingTexts) {
    checkText(of[name] ?? undefined, `${at}.${name}`, longestOfEndings[name])
  }
  if (url && !(typeof url === 'string' && url.length <= 2048 && wholeWebAddress(url))) {
    throw badField(`${at}.url`, webAddressWanted)
  }
  if (translations !== undefined) {
    checkTextsOf(translations, at, endingTexts, [], longestOfEndings)
  }
  checkConditions({ show_if: of.show_if }, at, isDraft ? undefined : questions)
  const checked = { ...of, id, title: of.title ?? '', text: of.text ?? '' } as Ending
  if (
    isDraft ||
    equal(
      checked,
      before.find((each) => each.id === id),
    )
  )
    return checked
  if (!listOf(of.show_if).length) {
    throw badField(
      `${at}.show_if`,
      'must have a condition: what is shown where none holds is the closing text of the survey',
    )
  }
  if (!checked.title && !checked.text) throw badField(`${at}.title`, 'is required, or a text')
  const { translations: others = {} } = checked
  for (const name of endingTexts) {
    for (const one of [checked, ...Object.values(others)]) {
      checkPiped(one?.[name] ?? '', questions, `${at}.${name}`)
    }
  }
  return checked
}

type ClosingOf = Closing & { translations?: { [language: string]: Closing | undefined } | null }

/** 400 for a link of the last ending that its page would not show; the one from before stays. */
export function checkClosingUrl({ closing_url: url }: Closing, before: Closing = {}): void {
  if (!url || url === before.closing_url || wholeWebAddress(url)) return
  throw badField('closing_url', webAddressWanted)
}

/** 400 for closing texts that name what cannot go into them, and for such a link; those that are as before stay. */
export function checkClosing(next: ClosingOf, pages: Page[], before: ClosingOf = {}): void {
  checkClosingUrl(next, before)
  const questions = new Set(questionsOf(pages).map(({ id }) => id))
  for (const name of closingTexts) {
    const text = next[name]
    if (text && text !== before[name]) checkPiped(text, questions, name)
    for (const [language, of] of Object.entries(next.translations ?? {})) {
      const translated = of?.[name]
      if (!translated || translated === before.translations?.[language]?.[name]) continue
      checkPiped(translated, questions, `translations.${language}.${name}`)
    }
  }
}
