import type { Static } from 'typebox'
import { Type } from 'typebox'
import type { Context } from '../../kit/ground/context.ts'
import { badField } from '../../kit/ground/errors.ts'
import { enumeration, orNull, schema } from '../../kit/ground/json-schema.ts'
import { checkWorkingHours, mostSpans, workingSpan } from '../time/working-hours.ts'
import { languages } from '../languages/language.ts'
import { operation } from '../../kit/ground/operation.ts'
import { requireAdmin } from '../users/guards.ts'
import { claimName } from './names.ts'
import { optionSets } from './option-sets.ts'
import { changeSettings, readSettings, settingsGroup } from './settings-group.ts'

const color = (description: string) =>
  orNull(
    Type.String({ pattern: '^#[0-9a-fA-F]{6}$', description: `${description}, such as #14704C` }),
  )
const weekday = { type: 'integer', minimum: 1, maximum: 7 } as const

const organization = Type.Object(
  {
    name: Type.String({ pattern: '\\S', maxLength: 255 }),
    logo_url: orNull(
      Type.String({
        format: 'web-address',
        maxLength: 2048,
        description: 'an address, or that of the uploaded file; null for none',
      }),
    ),
    primary_color: color('the color of buttons and headings on pages and in mails'),
    accent_color: color('the color of links and marks'),
    currency_unit: Type.String({
      pattern: '^[A-Z]{3}$',
      description: `the currency of new records, as in ISO 4217, such as ${optionSets.projects?.currencies?.[1]}`,
    }),
    timezone: Type.String({ format: 'time-zone', maxLength: 64 }),
    language: enumeration(languages, {
      title: 'OrganizationLanguage',
      description: 'of mails and pages for people who have not chosen one',
    }),
    week_start: schema<number>({ ...weekday, description: 'the first day: 1 is Monday, 7 Sunday' }),
    working_days: schema<number[]>({
      type: 'array',
      items: weekday,
      minItems: 1,
      maxItems: 7,
      uniqueItems: true,
      description: 'the days on which people work: 1 is Monday, 7 Sunday',
    }),
    working_hours: Type.Array(workingSpan, {
      maxItems: mostSpans,
      description:
        'when people work who have no hours of their own; empty for 8 to 18 on the working days',
    }),
    complete_milestones: Type.Boolean({
      description: 'whether milestones are completed with the last of their tasks (true)',
    }),
  },
  { title: 'OrganizationSettings' },
)

type OrganizationSettings = Static<typeof organization>

const general = {
  name: 'organization_settings',
  title: 'settings of the organization',
  table: 'organizations',
  schema: organization,
  can: 'signed_in' as const,
  order: (next: OrganizationSettings): OrganizationSettings => ({
    ...next,
    name: next.name.trim(),
    working_days: next.working_days.toSorted(),
  }),
}

const clock = (description: string, example: string) =>
  Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$', description, example })

const quietHoursAre =
  'when mails about surveys wait, by the clock of their recipient, else of the organization; null for never'

/** Hours in which no mail about a survey leaves. */
const quietHours = Type.Object(
  {
    from: clock('the first minute, as HH:MM', '20:00'),
    to: clock('the first minute after them; before `from` for hours over midnight', '08:00'),
  },
  {
    description: quietHoursAre,
    additionalProperties: false,
  },
)

const mail = {
  name: 'mail_defaults',
  title: 'mail defaults',
  table: 'mail_defaults',
  can: { module: 'roles', action: 'read' } as const,
  defaults: {
    sender_name: null,
    reply_to: null,
    footer: null,
    delivery: 'immediately' as const,
    survey_rest_days: null,
    survey_quiet_hours: null,
  },
  schema: Type.Object(
    {
      sender_name: orNull(
        Type.String({
          // it is part of a mail header
          pattern: '^[^\\S\\r\\n]*\\S[^\\r\\n]*$',
          maxLength: 100,
          description: 'the sender of mails; the organization if null',
        }),
      ),
      reply_to: orNull(
        Type.String({ format: 'email', maxLength: 320, description: 'where answers to mails go' }),
      ),
      footer: orNull(Type.String({ maxLength: 2000, description: 'the last lines of every mail' })),
      delivery: enumeration(['immediately', 'daily', 'off'], {
        title: 'MailDelivery',
        description: 'of notifications to people who have not chosen',
      }),
      survey_rest_days: orNull(
        Type.Integer({
          minimum: 1,
          maximum: 365,
          description:
            'for how many days after a mail with a survey a person gets no other; null for no limit',
        }),
      ),
      survey_quiet_hours: orNull(quietHours),
    },
    { title: 'MailDefaults' },
  ),
}

const shared = (description: string) => Type.Boolean({ description })

const sharing = {
  name: 'sharing_defaults',
  title: 'sharing defaults',
  table: 'sharing_defaults',
  can: { module: 'roles', action: 'read' } as const,
  defaults: { tasks: false, milestones: false, documents: false, meetings: false, comments: false },
  schema: Type.Object(
    {
      tasks: shared('whether a new task is shared with customers if the request does not say'),
      milestones: shared('the same of milestones'),
      documents: shared('the same of documents'),
      meetings: shared('the same of meetings'),
      comments: shared('the same of comments'),
    },
    { title: 'SharingDefaults' },
  ),
}

const named = settingsGroup(general)

/** The settings of the organization; another name is 409 where another organization has one like it. */
export const organizationSettings = {
  ...named,
  update: operation({
    ...named.update,
    async run(ctx, input) {
      checkWorkingHours(input.body.working_hours)
      const name = input.body.name?.trim()
      if (name !== undefined && name !== (await readSettings(ctx, general)).name) {
        await requireAdmin(ctx, named.refusal)
        await claimName(ctx, name)
      }
      return named.update.run(ctx, input)
    },
  }),
}
const mailGroup = settingsGroup(mail)
export const mailDefaults = {
  ...mailGroup,
  update: operation({
    ...mailGroup.update,
    async run(ctx, input) {
      const { survey_quiet_hours: quiet } = input.body
      if (quiet && quiet.from === quiet.to) {
        throw badField(
          'survey_quiet_hours.to',
          `must not be ${quiet.from}, too: no mail would leave`,
        )
      }
      return mailGroup.update.run(ctx, input)
    },
  }),
}
export const sharingDefaults = settingsGroup(sharing)

/** How the organization presents itself and counts its weeks. */
export function settingsOf(ctx: Context): Promise<OrganizationSettings> {
  return ctx.cached('settings', (committed) => readSettings({ ...ctx, ...committed }, general))
}

/** The sender of the organization's mails, and when notifications are mailed. */
export function mailDefaultsOf(ctx: Context): Promise<Static<typeof mail.schema>> {
  return ctx.cached('mail defaults', (committed) => readSettings({ ...ctx, ...committed }, mail))
}

/** Replaces the address of the logo by that of an uploaded one, or none. */
export async function changeLogo(ctx: Context, logo_url: string | null): Promise<void> {
  await changeSettings(ctx, general, { logo_url }, 'Logo changed')
}

type Shareable = { is_shared?: boolean | null }

/** Sets whether a new record is shared with customers: by its request, else by the organization's default. */
export async function sharedByDefault<B extends Shareable>(
  ctx: Context,
  kind: keyof Static<typeof sharing.schema>,
  body: B,
): Promise<B> {
  if (body.is_shared !== undefined) return body
  const defaults = await ctx.cached('sharing defaults', (committed) =>
    readSettings({ ...ctx, ...committed }, sharing),
  )
  return defaults[kind] ? { ...body, is_shared: true } : body
}
