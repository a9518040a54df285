import { cut } from '../../../kit/ground/cut.ts'
import { Type } from 'typebox'
import type { Static } from 'typebox'
import type { Context } from '../../../kit/ground/context.ts'
import { turns } from '../../../kit/ground/turns.ts'
import { enumeration, orNull } from '../../../kit/ground/json-schema.ts'
import { mine, sql } from '../../../kit/ground/sql.ts'
import { readsInternal } from '../../../kit/record/audience.ts'
import type { Row } from '../../../kit/record/record.ts'
import type { Language } from '../../../model/languages/language.ts'
import { languageOf, languages } from '../../../model/languages/language.ts'
import { questionsOf } from '../../../model/surveys/structure.ts'
import type { Survey } from '../../../model/surveys/survey.ts'
import { brandOf } from '../../mail/brand.ts'
import { readSurvey } from '../read.ts'
import type { ResultFilters } from '../responses/filters.ts'
import { responsesTo } from '../responses/filters.ts'
import { round } from '../responses/insights.ts'
import { pointsOf } from './drivers.ts'
import { needed, neededProperties } from './needed.ts'
import type { Reading } from './theme-readings.ts'
import { readingOf } from './theme-readings.ts'

const theme = Type.Object(
  {
    label: Type.String({
      description: 'the words as they are written most often, or as the language model says them',
    }),
    language: enumeration(languages, { title: 'SurveyThemeLanguage' }),
    count: Type.Integer({ description: 'texts that have them' }),
    nps: orNull(Type.Number({ description: 'the score of those who wrote them' })),
    effect: orNull(Type.Number({ description: 'that less the score of all who wrote, in points' })),
    examples: Type.Array(
      Type.Object(
        { response_id: Type.String(), text: Type.String() },
        { title: 'SurveyThemeExample' },
      ),
      { description: 'the three latest, or quotes of three, word for word' },
    ),
  },
  { title: 'SurveyTheme' },
)
type Theme = Static<typeof theme>

export const themesSchema = Type.Object(
  {
    ...neededProperties,
    source: enumeration(['rules', 'model'], {
      title: 'SurveyThemeSource',
      description: 'what found them: rules of each language here, or the language model',
    }),
    model: orNull(Type.String({ description: 'the language model that read them' })),
    read: Type.Integer({ description: 'texts that were read' }),
    sent_bytes: orNull(Type.Integer({ description: 'what the language model was sent' })),
    read_at: orNull(
      Type.String({
        format: 'date-time',
        description: 'when the model was asked; null where none read',
      }),
    ),
    has_model: Type.Boolean({ description: 'whether a language model is configured' }),
    is_model_asked: Type.Boolean({ description: 'whether it reads them now' }),
    themes: Type.Array(theme),
  },
  { title: 'SurveyThemes' },
)
type Themes = Static<typeof themesSchema>

/** How many texts are read, how much of each, how many themes are shown, and how many words and pairs are counted. */
export const most = { texts: 2000, characters: 1000, themes: 20, example: 300, found: 50_000 }

type Written = {
  response_id: string
  field_id: string
  text: string
  points: number | null
  language: Language
}
type Word = { text: string; start: number; end: number }
/** A word or a pair of words, by its stems, and the texts that have it. */
type Found = { language: Language; stems: string[]; forms: Map<string, number>; texts: Set<number> }

/**
 * What texts are about: words and pairs of words next to each other that several have, joined by the stem and without
 * the stop words of their language. A word that stands mostly in one pair is told by the pair alone.
 */
export async function themesOf(
  ctx: Context,
  survey: Row<typeof Survey>,
  filters: ResultFilters,
  known?: Written[],
): Promise<Themes> {
  const texts = known ?? (await textsOf(ctx, survey, filters))
  const answers = texts.length
  const { found: reading, isAsked } = await readingOf(ctx, survey.survey_id, filters, texts)
  const shown: Themes = {
    answers,
    needed,
    source: 'rules',
    model: null,
    read: answers,
    sent_bytes: null,
    read_at: null,
    has_model: ctx.suggest !== undefined,
    is_model_asked: isAsked,
    themes: [],
  }
  if (answers < needed) return shown
  if (reading) {
    return {
      ...shown,
      source: 'model',
      model: reading.model,
      read: reading.texts.length,
      sent_bytes: reading.sent_bytes,
      read_at: new Date(reading.creation_time).toISOString(),
      themes: themesByModel(reading, texts),
    }
  }
  const stem = await stemmerOf(ctx, texts)
  const found = await foundIn(texts, stem)
  const peopleOf = (each: Found) =>
    new Set([...each.texts].map((at) => texts[at]?.response_id)).size
  const least = Math.max(3, Math.ceil(answers * 0.02))
  const common = found.filter((each) => peopleOf(each) >= least)
  const pairs = pairsByStem(common)
  const told = common.filter((each) => !isInPair(each, pairs))
  const score = meanOf(texts)
  const themes = told
    .toSorted((a, b) => b.texts.size - a.texts.size || b.stems.length - a.stems.length)
    .slice(0, most.themes)
    .map((each) => themeOf(each, texts, score))
  return { ...shown, themes }
}

/** What a language model found, with the scores of those who wrote it. */
function themesByModel({ texts: places, themes }: Reading, all: Written[]): Theme[] {
  const byPlace = new Map(all.map((each) => [`${each.response_id} ${each.field_id}`, each]))
  const texts = places.map((place) => byPlace.get(place.join(' ')))
  const score = meanOf(texts.flatMap((each) => each ?? []))
  return (themes ?? []).map(({ label, texts: its, quotes }) => {
    const having = its.flatMap((n) => texts[n] ?? [])
    const nps = meanOf(having)
    const languagesOf = Map.groupBy(having, ({ language }) => language)
    const [first] = [...languagesOf].toSorted((a, b) => b[1].length - a[1].length)
    const language = first?.[0] ?? 'en'
    return {
      label,
      language,
      count: having.length,
      nps,
      effect: nps === null || score === null ? null : round(nps - score),
      examples: quotes.slice(0, 3).flatMap(({ text, at, length }) => {
        const from = texts[text]
        const words = from?.text.slice(at, at + length).toWellFormed()
        return from && words ? [{ response_id: from.response_id, text: words }] : []
      }),
    }
  })
}

/** The texts of a reading as they are now, where the caller may still read them. */
export async function textsAt(
  ctx: Context,
  { survey_id, texts }: Reading,
): Promise<(string | undefined)[]> {
  await readSurvey(ctx, survey_id)
  if (!readsInternal(ctx.actor) || ctx.actor.is_confined) return []
  const found = await ctx.all<{ place: string; text: string }>(sql`
    select t.id || ' ' || p.field_id as place,
      left(t.answers ->> p.field_id, ${most.characters}) as text
    from unnest(${texts.map(([id]) => id)}::text[], ${texts.map(([, id]) => id)}::text[])
      p (response_id, field_id)
    join survey_responses t on ${mine(ctx)} and t.id = p.response_id and t.survey_id = ${survey_id}
    where jsonb_typeof(t.answers -> p.field_id) = 'string'`)
  const byPlace = new Map(found.map(({ place, text }) => [place, text]))
  return texts.map((place) => byPlace.get(place.join(' ')))
}

/** The latest answers in words, each with its language and the points of its score. */
export async function textsOf(
  ctx: Context,
  survey: Row<typeof Survey>,
  filters: ResultFilters,
): Promise<Written[]> {
  const { pages } = survey.form_structure
  const questions = questionsOf(pages)
  const ids = questions.filter(({ type }) => /^(short|long)-text$/.test(type)).map(({ id }) => id)
  const scored = questions.find(({ type }) => type === 'nps')?.id ?? ''
  const { language } = await brandOf(ctx)
  const rows = await ctx.all<Omit<Written, 'language'> & { language: string | null }>(sql`
    select t.id as response_id, a.key as field_id, left(a.value #>> '{}', ${most.characters}) as text, t.language,
      case when jsonb_typeof(t.answers -> ${scored}) = 'number'
        then ${pointsOf(sql`t.answers -> ${scored}`)} end as points
    from survey_responses t, jsonb_each(t.answers) a
    where ${responsesTo(ctx, survey, filters)} and t.finished
      and a.key = any(${ids}::text[]) and jsonb_typeof(a.value) = 'string'
    order by t.id desc, a.key limit ${most.texts}`)
  return rows.map((each) => ({ ...each, language: languageOf(each.language) ?? language }))
}

function wordsIn(text: string): Word[] {
  return [...text.matchAll(/\p{L}[\p{L}\p{M}]+/gu)].map(({ 0: word, index }) => ({
    text: word.toLowerCase(),
    start: index,
    end: index + word.length,
  }))
}

/** PostgreSQL's rules for stems and stop words of a language. */
const rules: { [language in Language]: string } = {
  en: 'english',
  de: 'german',
  fr: 'french',
  es: 'spanish',
  pt: 'portuguese',
  nl: 'dutch',
}

type Stemmer = (language: Language, word: string) => string | undefined

/** The stem of each word of the texts; undefined for stop words. One statement for all. */
async function stemmerOf(ctx: Context, texts: Written[]): Promise<Stemmer> {
  const turn = turns()
  const distinct = new Set<string>()
  for (const { text, language } of texts) {
    await turn(text.length)
    for (const { text: word } of wordsIn(text)) distinct.add(`${language} ${word}`)
  }
  const split = [...distinct].map((each) => each.split(' ') as [Language, string])
  const rows = await ctx.all<{ language: string; word: string; stem: string }>(sql`
    select w.language, w.word, (tsvector_to_array(to_tsvector(w.rules::regconfig, w.word)))[1] as stem
    from unnest(${split.map(([language]) => language)}::text[],
      ${split.map(([language]) => rules[language])}::text[],
      ${split.map(([, word]) => word)}::text[]) w (language, rules, word)`)
  const stems = new Map(rows.map(({ language, word, stem }) => [`${language} ${word}`, stem]))
  return (language, word) => stems.get(`${language} ${word}`) ?? undefined
}

async function foundIn(texts: Written[], stem: Stemmer): Promise<Found[]> {
  const turn = turns()
  const found = new Map<string, Found>()
  for (const [at, { text, language }] of texts.entries()) {
    await turn(text.length)
    let before: { stem: string; start: number; end: number } | undefined
    for (const { text: word, start, end } of wordsIn(text)) {
      const own = stem(language, word)
      if (!own) continue
      note([own], start, end)
      // stop words may stand between, and no end of a sentence
      if (before && before.stem !== own && !/[.!?;:\n]/.test(text.slice(before.end, start))) {
        note([before.stem, own], before.start, end)
      }
      before = { stem: own, start, end }
    }
    function note(stems: string[], start: number, end: number) {
      const key = `${language} ${stems.join(' ')}`
      if (!found.has(key) && found.size >= most.found) return
      const each = found.get(key) ?? { language, stems, forms: new Map(), texts: new Set() }
      const form = text.slice(start, end).toLowerCase()
      each.forms.set(form, (each.forms.get(form) ?? 0) + 1)
      each.texts.add(at)
      found.set(key, each)
    }
  }
  return [...found.values()]
}

/** In how many texts the most frequent pair of each word stands. */
function pairsByStem(found: Found[]): Map<string, number> {
  const pairs = new Map<string, number>()
  for (const { language, stems, texts } of found) {
    if (stems.length !== 2) continue
    for (const stem of stems) {
      const key = `${language} ${stem}`
      pairs.set(key, Math.max(pairs.get(key) ?? 0, texts.size))
    }
  }
  return pairs
}

/** Whether a word stands mostly in one pair, which says more. */
function isInPair({ language, stems, texts }: Found, pairs: Map<string, number>): boolean {
  const inPair = stems.length === 1 ? pairs.get(`${language} ${stems[0]}`) : undefined
  return inPair !== undefined && inPair >= 0.75 * texts.size
}

function themeOf(
  { language, forms, texts: has }: Found,
  texts: Written[],
  score: number | null,
): Theme {
  const [label = ''] = [...forms].toSorted((a, b) => b[1] - a[1]).map(([form]) => form)
  const having = [...has].flatMap((at) => texts[at] ?? [])
  const nps = meanOf(having)
  return {
    label,
    language,
    count: has.size,
    nps,
    effect: nps === null || score === null ? null : round(nps - score),
    examples: having.slice(0, 3).map(({ response_id, text }) => ({
      response_id,
      text: cut(text, most.example),
    })),
  }
}

function meanOf(texts: Written[]): number | null {
  const points = texts.flatMap((each) => each.points ?? [])
  return points.length ? round(points.reduce((sum, each) => sum + each, 0) / points.length) : null
}
