import { Type } from 'typebox'
import type { Static } from 'typebox'
import { byId } from '../../../kit/crud.ts'
import type { Context } from '../../../kit/ground/context.ts'
import { badFields, notFound } from '../../../kit/ground/errors.ts'
import { enumeration, orNull } from '../../../kit/ground/json-schema.ts'
import { unknownKeys } from '../../../kit/ground/nearest.ts'
import { equal } from '../../../kit/ground/object.ts'
import { Answer, operation } from '../../../kit/ground/operation.ts'
import { mine, sql } from '../../../kit/ground/sql.ts'
import { scope } from '../../../kit/record/scope.ts'
import { lock, update } from '../../../kit/write/write.ts'
import { Survey } from '../../../model/surveys/survey.ts'
import { refuseTemplate } from '../sending/send.ts'

type Secrets = Context['secrets']

const kinds = ['inline', 'popup', 'slide_in'] as const

/** When and how pages of other sites show a survey. */
const rules = {
  is_active: Type.Boolean({ description: 'whether pages show it now' }),
  kind: enumeration(kinds, {
    title: 'SurveyEmbedKind',
    description: 'where it stands: in the page, before it, or at its lower edge',
  }),
  pages: Type.Array(Type.String({ minLength: 1, maxLength: 500 }), {
    maxItems: 50,
    description:
      'the addresses that show it, as paths or whole, `*` for any part; without one, every page',
  }),
  sites: Type.Array(Type.String({ minLength: 1, maxLength: 253 }), {
    maxItems: 20,
    description:
      'the hosts whose pages may show it, such as www.example.com, shop.example.com:8443 or *.example.com; without one, every site',
  }),
  wait_seconds: Type.Integer({
    minimum: 0,
    maximum: 3600,
    description: 'how long a page is open before it is shown',
  }),
  scroll_percent: Type.Integer({
    minimum: 0,
    maximum: 100,
    description: 'how much of a page is scrolled through before it is shown',
  }),
  visitors_percent: Type.Integer({
    minimum: 1,
    maximum: 100,
    description: 'how many of a hundred visitors it is shown to',
  }),
  again_after_days: orNull(
    Type.Integer({
      minimum: 1,
      maximum: 365,
      description:
        'after how many days it is shown to the same visitor again; null for never. Known of visitors who have consented to storage alone',
    }),
  ),
}
export type EmbedRules = Static<Type.TObject<typeof rules>>
/** An embed as it is stored: with the key of its address. */
export type StoredEmbed = EmbedRules & { key: string }

/** The same for all surveys until somebody changes it. */
const initial: EmbedRules = {
  is_active: false,
  kind: 'popup',
  pages: [],
  sites: [],
  wait_seconds: 10,
  scroll_percent: 0,
  visitors_percent: 100,
  again_after_days: null,
}

const embedSchema = Type.Object(
  {
    survey_id: Type.String(),
    ...rules,
    script: orNull(
      Type.String({ description: 'what a page has to show it, as HTML; null until it is stored' }),
    ),
    version: Type.Integer({ description: 'of the survey, for `If-Match`' }),
  },
  { title: 'SurveyEmbed', additionalProperties: false },
)

const bodySchema = Type.Partial(Type.Object(rules))

/** How a survey is shown on pages of other sites, by one line of HTML. */
export const surveyEmbed = {
  read: operation({
    name: 'read_survey_embed',
    summary: 'Retrieve how pages of other sites show a survey',
    can: { module: 'surveys', action: 'update' },
    writes: false,
    input: { params: byId },
    output: embedSchema,
    run: (ctx, { params }) => shownEmbed(ctx, params.id),
  }),
  change: operation({
    name: 'update_survey_embed',
    summary: 'Store how pages of other sites show a survey',
    description:
      'Absent members stay as they are. Pages follow within five minutes, without a change of theirs.',
    can: { module: 'surveys', action: 'update' },
    writes: true,
    isVersioned: true,
    input: { params: byId, body: bodySchema },
    output: embedSchema,
    async run(ctx, { params: { id }, body, ifMatch }) {
      checkRules(body)
      const locked = await lock(ctx, Survey, id, 'update', ifMatch)
      refuseTemplate(locked.row)
      const stored = await embedOf(ctx, id)
      const before: EmbedRules = { ...initial, ...stored }
      const after = { ...before, ...onlyRules(body) }
      const changed = ruleNames.filter((name) => !equal(after[name], before[name]))
      if (changed.length) {
        const embed = { ...after, key: stored?.key ?? sealEmbed(ctx, id) }
        const also = changed.map((name) => ({
          field: `embed.${name}`,
          from: before[name],
          to: after[name],
        }))
        await update(ctx, locked, {}, { set: { embed: JSON.stringify(embed) }, also })
      }
      return shownEmbed(ctx, id)
    },
  }),
}

const ruleNames = Object.keys(rules) as (keyof EmbedRules)[]

function onlyRules(body: Partial<EmbedRules>): Partial<EmbedRules> {
  return Object.fromEntries(Object.entries(body).filter(([name]) => Object.hasOwn(rules, name)))
}

/** 400 for members that are unknown, and for pages that no address could be. */
function checkRules(body: Partial<EmbedRules>) {
  const errors = unknownKeys(body, Object.keys(embedSchema.properties), '')
  for (const [at, page] of (body.pages ?? []).entries()) {
    if (/^(\/|\*|https?:\/\/)\S*$/.test(page)) continue
    const message = 'must be a path such as /pricing/*, or an address with https://, without blanks'
    errors.push({ field: `pages.${at}`, message })
  }
  for (const [at, site] of (body.sites ?? []).entries()) {
    if (isSite(site)) continue
    const message = 'must be the host of a site, such as www.example.com or *.example.com'
    errors.push({ field: `sites.${at}`, message })
  }
  if (errors.length) throw badFields(errors)
}

/** Whether a text is a host as browsers compare it (Content Security Policy Level 3, 2.3.1): without scheme and path. */
function isSite(text: string): boolean {
  return /^(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)*(:\d{1,5})?$/.test(text)
}

/** The hosts whose pages may show a survey, as its policy names them; none for all. */
export function sitesOf(embed: StoredEmbed | null | undefined): string[] {
  // those of an archive were not checked
  return (embed?.sites ?? []).map((site) => (isSite(site) ? site : "'none'"))
}

/** The stored embed of a survey; undefined where there never was one. */
async function embedOf(ctx: Context, id: string): Promise<StoredEmbed | undefined> {
  const found = await ctx.one<{ embed: StoredEmbed | null }>(
    sql`select t.embed from surveys t where ${mine(ctx)} and t.id = ${id}`,
  )
  return found?.embed ?? undefined
}

async function shownEmbed(ctx: Context, id: string) {
  const found = await ctx.one<{ embed: StoredEmbed | null; version: number }>(
    sql`select t.embed, t.version from surveys t
      where ${scope(ctx, Survey, 'update')} and t.id = ${id}`,
  )
  if (!found) throw notFound('Survey')
  const { embed, version } = found
  // one of before sites were chosen may stand on all
  const { key, ...stored } = { ...initial, key: null, ...embed }
  const script = key && `<script src="${ctx.public_url}/survey.js?key=${key}" async></script>`
  return new Answer({ survey_id: id, ...stored, script, version }, { version })
}

type Sealed = { embed: string; organization: string }

/** The key of a survey's embed; it is no link, so that nobody can answer with it on the survey's own page. */
function sealEmbed({ secrets, organization }: Context, survey: string): string {
  const sealed: Sealed = { embed: survey, organization: organization.id }
  return secrets.seal(sealed)
}

/** The survey of a key and its organization; undefined if this service did not create it. */
export function readEmbed(
  secrets: Secrets,
  key: string,
): { survey: string; organization: string } | undefined {
  const sealed = secrets.unseal(key) as Sealed | undefined
  if (typeof sealed?.embed !== 'string') return undefined
  return { survey: sealed.embed, organization: sealed.organization }
}
