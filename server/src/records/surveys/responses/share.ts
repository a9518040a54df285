import { Type } from 'typebox'
import type { Static } from 'typebox'
import { byId } from '../../../kit/crud.ts'
import type { Context } from '../../../kit/ground/context.ts'
import { instantIn } from '../../../kit/ground/dates.ts'
import { badField, badFields, conflict, forbidden, notFound } from '../../../kit/ground/errors.ts'
import { newId } from '../../../kit/ground/ids.ts'
import { arrayOf, orNull } from '../../../kit/ground/json-schema.ts'
import { unknownKeys } from '../../../kit/ground/nearest.ts'
import { Answer, operation } from '../../../kit/ground/operation.ts'
import { mine, sql } from '../../../kit/ground/sql.ts'
import { readsInternal } from '../../../kit/record/audience.ts'
import { readableRows } from '../../../kit/record/readable.ts'
import type { Row } from '../../../kit/record/record.ts'
import { announce } from '../../../kit/write/announce.ts'
import { lock } from '../../../kit/write/write.ts'
import type { Answers, Page } from '../../../model/forms/form-parts.ts'
import { questionsOf } from '../../../model/surveys/structure.ts'
import { Survey } from '../../../model/surveys/survey.ts'
import { loadActor } from '../../users/actor.ts'
import { readSurvey } from '../read.ts'
import type { ResultFilters } from './filters.ts'
import { matchingResponses, resultFilters, responsesTo } from './filters.ts'
import { insightsOf } from './insights.ts'

type Secrets = Context['secrets']

/** How many links to its results a survey can have. */
const most = 50
/** How many of the latest texts are shown. */
const mostTexts = 200

const filtersSchema = Type.Object(resultFilters, {
  title: 'SurveyResultFilters',
  description: 'what the results are restricted to, as in the query of `insights/`',
  additionalProperties: false,
})

const bodySchema = Type.Object({
  names: Type.Optional(
    Type.Boolean({ description: 'whether texts stand with who wrote them; false when absent' }),
  ),
  texts: Type.Optional(
    Type.Boolean({ description: 'whether answers in words are shown; false when absent' }),
  ),
  expires_at: Type.Optional(orNull(Type.String({ format: 'date-time' }))),
  filters: Type.Optional(filtersSchema),
})

const linkSchema = Type.Object(
  {
    link_id: Type.String({ description: 'identifier of the link' }),
    url: Type.String({ description: 'the page, which anyone with the address sees' }),
    names: Type.Boolean({ description: 'whether texts stand with who wrote them' }),
    texts: Type.Boolean({ description: 'whether answers in words are shown' }),
    filters: filtersSchema,
    expires_at: orNull(Type.String({ format: 'date-time' })),
    created_by: orNull(Type.String({ description: 'whose rights it has; it ends with them' })),
    creation_time: Type.String({ format: 'date-time' }),
  },
  { title: 'SharedResults', additionalProperties: false },
)

type StoredLink = Omit<Static<typeof linkSchema>, 'url' | 'created_by'> & {
  survey_id: string
  created_by: string | null
}

const columns = sql`t.id as link_id, t.survey_id, t.names, t.texts, t.filters, t.expires_at,
  t.created_by, t.creation_time`
const can = { module: 'surveys', action: 'update' } as const

/** Links at which others see the results of a survey, without an account. */
export const sharedResults = {
  list: operation({
    name: 'list_shared_results',
    summary: 'List the links to the results of a survey',
    description: 'Newest first, those that have expired too.',
    can,
    writes: false,
    input: { params: byId },
    output: arrayOf(linkSchema),
    async run(ctx, { params: { id } }) {
      await shareable(ctx, id)
      const links = await ctx.all<StoredLink>(sql`select ${columns} from survey_result_links t
        where ${mine(ctx)} and t.survey_id = ${id} order by t.id desc limit ${most}`)
      return links.map((link) => shownLink(ctx, link))
    },
  }),
  create: operation({
    name: 'share_survey_results',
    summary: 'Create a link to the results of a survey',
    description:
      'Its page shows what the caller may read at that time, and ends when they leave or may no longer read the survey. At most 50 a survey; 409 `too_many` for more.',
    can,
    writes: true,
    input: { params: byId, body: bodySchema },
    output: linkSchema,
    async run(ctx, { params: { id }, body }) {
      const errors = unknownKeys(body, Object.keys(linkSchema.properties), '')
      if (errors.length) throw badFields(errors)
      const survey = await shareable(ctx, id)
      const { names = false, texts = false, expires_at = null, filters = {} } = body
      const expires = expires_at && instantIn('expires_at', expires_at, ctx.organization.timezone)
      if (expires && new Date(expires) <= ctx.now()) {
        throw badField('expires_at', 'must be in the future')
      }
      // 400 and 403 as the results themselves would
      matchingResponses(ctx, survey.form_structure.pages, filters)
      const { row } = await lock(ctx, Survey, id, 'update')
      const stored = await ctx.one<{ n: number }>(sql`select count(*)::int as n
        from survey_result_links t where ${mine(ctx)} and t.survey_id = ${id}`)
      if ((stored?.n ?? 0) >= most) {
        throw conflict(`A survey has at most ${most} links to its results`, 'too_many')
      }
      const link: StoredLink = {
        link_id: newId(),
        survey_id: id,
        names,
        texts,
        filters,
        expires_at: expires,
        created_by: ctx.actor.user_id,
        creation_time: ctx.now().toISOString(),
      }
      await ctx.run(sql`insert into survey_result_links (organization_id, id, survey_id, names, texts,
          filters, expires_at, created_by, creation_time)
        values (${ctx.organization.id}, ${link.link_id}, ${id}, ${names}, ${texts},
          ${JSON.stringify(filters)}::jsonb, ${expires}, ${link.created_by}, ${link.creation_time})`)
      await log(ctx, row, { from: null, to: { names, texts, expires_at: expires } })
      return new Answer(shownLink(ctx, link), { id: link.link_id })
    },
  }),
  remove: operation({
    name: 'end_shared_results',
    summary: 'End a link to the results of a survey',
    can,
    writes: true,
    input: {
      params: Type.Object({
        id: Type.String(),
        link_id: Type.String({ description: 'identifier of the link' }),
      }),
    },
    output: null,
    async run(ctx, { params: { id, link_id } }) {
      const { row } = await lock(ctx, Survey, id, 'update')
      const gone = await ctx.one<{ names: boolean; texts: boolean }>(sql`
        delete from survey_result_links t
        where ${mine(ctx)} and t.survey_id = ${id} and t.id = ${link_id}
        returning t.names, t.texts`)
      if (!gone) throw notFound('Link')
      await log(ctx, row, { from: gone, to: null })
    },
  }),
}

/** The survey, of whoever may change it and read its results: 403 for others. */
async function shareable(ctx: Context, id: string): Promise<Row<typeof Survey>> {
  const survey = await readSurvey(ctx, id)
  if (!readsInternal(ctx.actor) || ctx.actor.is_confined) {
    throw forbidden('Your role may not read the results of surveys')
  }
  return survey
}

function log(
  ctx: Context,
  { survey_id, name }: { survey_id: string; name: string },
  change: { from: unknown; to: unknown },
) {
  const what = change.to ? 'results_shared' : 'results_no_longer_shared'
  const changes = [{ field: 'shared_results', ...change }]
  return announce(ctx, Survey, what, { id: survey_id, name, changes })
}

type Sealed = { results: string; organization: string }

function shownLink(ctx: Context, link: StoredLink) {
  const { link_id, names, texts, filters, expires_at, created_by, creation_time } = link
  const sealed: Sealed = { results: link_id, organization: ctx.organization.id }
  const url = `${ctx.public_url}/results/${ctx.secrets.seal(sealed)}`
  return { link_id, url, names, texts, filters, expires_at, created_by, creation_time }
}

/** The link of a token and its organization; undefined if this service did not create it. */
export function readResultsToken(
  secrets: Secrets,
  token: string,
): { link: string; organization: string } | undefined {
  const sealed = secrets.unseal(token) as Sealed | undefined
  if (typeof sealed?.results !== 'string') return undefined
  return { link: sealed.results, organization: sealed.organization }
}

/** The actor whose rights a link has, and what it shows; undefined once it or they are gone. */
export async function openResults(ctx: Context, id: string) {
  const link = await ctx.one<StoredLink>(sql`select ${columns} from survey_result_links t
    where ${mine(ctx)} and t.id = ${id}`)
  if (!link?.created_by) return undefined
  const maker = await loadActor(ctx, ctx.organization.id, link.created_by)
  if (!maker?.is_active) return undefined
  return { link, actor: maker.actor }
}

/** A text that somebody wrote, with the score that they gave. */
export type SharedText = { text: string; name: string | null; nps: number | null; at: string }

/** The results that a link shows, with the rights of its maker: 403 or 404 once they may not read them. */
export async function resultsOf(ctx: Context, { survey_id, names, texts, filters }: StoredLink) {
  const survey = await shareable(ctx, survey_id)
  const [insights, written] = await Promise.all([
    insightsOf(ctx, survey, filters),
    texts ? textsOf(ctx, survey, { filters, names }) : new Map<string, SharedText[]>(),
  ])
  return { survey, insights, texts: written }
}

/** The latest answers in words, by question. */
async function textsOf(
  ctx: Context,
  survey: Row<typeof Survey>,
  { filters, names }: { filters: ResultFilters; names: boolean },
): Promise<Map<string, SharedText[]>> {
  const { pages } = survey.form_structure
  const questions = questionsOf(pages).filter(
    ({ type }) => type === 'short-text' || type === 'long-text',
  )
  if (!questions.length) return new Map()
  const ids = questions.map(({ id }) => id)
  const name = names
    ? sql`(select min(c.full_name) from ${readableRows(ctx, 'contacts')} c
        where ${mine(ctx, 'c')} and c.deleted_at is null
          and c.primary_email_key = lower(t.respondent_email))`
    : sql`null`
  const found = await ctx.all<{
    answers: Answers
    email: string | null
    name: string | null
    at: string
  }>(sql`
    select t.answers, ${names ? sql`t.respondent_email` : sql`null`} as email, ${name} as name,
      t.finished_at as at
    from survey_responses t
    where ${responsesTo(ctx, survey, filters)} and t.finished and t.answers ?| ${ids}::text[]
    order by t.id desc limit ${mostTexts}`)
  const scored = firstNps(pages)
  const byQuestion = new Map<string, SharedText[]>()
  for (const { answers, email, name: known, at } of found) {
    for (const id of ids) {
      const text = answers[id]
      if (typeof text !== 'string' || !text.trim()) continue
      const nps = scored && typeof answers[scored] === 'number' ? Number(answers[scored]) : null
      const each = { text: text.trim(), name: known ?? email, nps, at }
      byQuestion.set(id, [...(byQuestion.get(id) ?? []), each])
    }
  }
  return byQuestion
}

function firstNps(pages: Page[]): string | undefined {
  return questionsOf(pages).find(({ type }) => type === 'nps')?.id
}
