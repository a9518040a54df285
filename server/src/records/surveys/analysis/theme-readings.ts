import { createHash } from 'node:crypto'
import type { Context } from '../../../kit/ground/context.ts'
import { newId } from '../../../kit/ground/ids.ts'
import { mine, sql } from '../../../kit/ground/sql.ts'
import type { Row } from '../../../kit/record/record.ts'
import { announce } from '../../../kit/write/announce.ts'
import { Survey } from '../../../model/surveys/survey.ts'
import type { ResultFilters } from '../responses/filters.ts'
import { needed } from './needed.ts'

/** The job in which a language model reads texts. */
export type ToRead = { reading_id: string }
/** Its name, without the code that it runs. */
export const readingThemes = { name: 'read_survey_texts' }

/** How many of the latest texts a language model is sent, and how many characters of them together. */
export const mostSent = { texts: 500, characters: 80_000 }
/** How many readings of a survey are stored. */
const mostStored = 10

/** A text of an answer, by the ids of its response and its question. */
export type Place = [response_id: string, field_id: string]
/** What a model found: texts by their position in the reading, and quotes by their place in these. */
export type FoundTheme = {
  label: string
  texts: number[]
  quotes: { text: number; at: number; length: number }[]
}
export type Reading = {
  id: string
  survey_id: string
  texts: Place[]
  themes: FoundTheme[] | null
  model: string
  sent_bytes: number | null
  is_asked: boolean
  creation_time: Date
}

type Text = { response_id: string; field_id: string; text: string }

/** The filters as they are stored, so that the same are equal. */
function keyOf(filters: ResultFilters): string {
  const entries = Object.entries(filters).filter(([, value]) => value !== undefined)
  return JSON.stringify(Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1))))
}

/**
 * Enqueues that the configured language model reads these texts, which the caller may read; nothing where it has or
 * does already, where none is configured, and below the number of texts of which something is said.
 */
export async function askModel(
  ctx: Context,
  { survey_id, name }: Row<typeof Survey>,
  filters: ResultFilters,
  texts: Text[],
): Promise<void> {
  if (!ctx.suggest || texts.length < needed) return
  let left = mostSent.characters
  const sent = texts
    .slice(0, mostSent.texts)
    .filter(({ text }) => (left -= text.length) >= 0)
    .map(({ response_id, field_id }): Place => [response_id, field_id])
  const texts_hash = createHash('sha256')
    .update(keyOf(filters) + JSON.stringify(sent))
    .digest('hex')
  const now = ctx.now().toISOString()
  const asked = await ctx.one<{ id: string }>(sql`
    insert into survey_theme_readings as t (organization_id, id, survey_id, filters, texts, texts_hash,
      model, creation_time)
    values (${ctx.organization.id}, ${newId()}, ${survey_id}, ${keyOf(filters)}::jsonb,
      ${JSON.stringify(sent)}::jsonb, ${texts_hash}, ${ctx.suggest.model}, ${now})
    on conflict (organization_id, survey_id, texts_hash) do update
      set is_asked = true, model = excluded.model, creation_time = excluded.creation_time
      where not t.is_asked and t.themes is null
    returning t.id`)
  if (!asked) return
  await ctx.run(sql`delete from survey_theme_readings t where ${mine(ctx)} and t.survey_id = ${survey_id}
    and t.id not in (select l.id from survey_theme_readings l where ${mine(ctx, 'l')}
      and l.survey_id = ${survey_id} order by l.creation_time desc, l.id desc limit ${mostStored})`)
  await announce(ctx, Survey, 'texts_sent', {
    id: survey_id,
    title: 'Texts sent to the language model',
    action: 'updated',
    name,
    changes: [{ field: 'texts_sent', from: null, to: sent.length }],
  })
  const toRead: ToRead = { reading_id: asked.id }
  ctx.enqueue(readingThemes, toRead, { as: 'caller' })
}

/** The latest reading with these filters, and whether one is under way; of texts alone that the caller may read. */
export async function readingOf(
  ctx: Context,
  survey_id: string,
  filters: ResultFilters,
  texts: Text[],
): Promise<{ found: Reading | undefined; isAsked: boolean }> {
  const stored = await ctx.all<Reading>(sql`
    select t.id, t.survey_id, t.texts, t.themes, t.model, t.sent_bytes, t.is_asked, t.creation_time
    from survey_theme_readings t
    where ${mine(ctx)} and t.survey_id = ${survey_id} and t.filters = ${keyOf(filters)}::jsonb
    order by t.creation_time desc, t.id desc limit ${mostStored}`)
  const visible = new Set(texts.map(({ response_id, field_id }) => `${response_id} ${field_id}`))
  const own = stored.filter((each) => each.texts.every((place) => visible.has(place.join(' '))))
  return {
    found: own.find(({ themes }) => themes !== null),
    isAsked: own.some(({ is_asked }) => is_asked),
  }
}
