import type { Context } from '../../kit/ground/context.ts'
import { badField, forbidden } from '../../kit/ground/errors.ts'
import { moduleNumber } from '../../kit/record/modules.ts'
import { levelOf, scope } from '../../kit/record/scope.ts'
import { sql } from '../../kit/ground/sql.ts'
import { insert } from '../../kit/write/write.ts'
import { Account } from '../accounts/account.ts'
import { Contact } from '../contacts/contact.ts'
import type { TemplateConfig } from '../templates/config.ts'
import { configSchema } from '../templates/config.ts'
import { Template } from '../templates/template.ts'
import type { JSONSchema } from '../../kit/ground/json-schema.ts'
import { Deal, Project } from './project.ts'

export type Body = { [field: string]: any } // oxlint-disable-line typescript/no-explicit-any

/** Money: a number, or one written as text; a form's empty text is none. */
export const money = {
  anyOf: [
    { type: ['number', 'null'], minimum: -1e15, maximum: 1e15 },
    { type: 'string', pattern: '^\\s*(-?\\d{1,15}(\\.\\d+)?)?\\s*$', maxLength: 40 },
  ],
  description: 'a number, or one written as text',
}
/** A day; a form's empty text is none. */
export const dayOrBlank: JSONSchema = orBlank({ type: ['string', 'null'], format: 'date' })
const dayFields = ['start_date', 'due_date', 'forecasted_date']
const moneyFields = [
  'revenue',
  'other_revenue',
  'project_fee',
  'expected_deal_value',
  'expected_onboarding_fee',
  'hourly_rate',
  'monthly_rate',
]

const person = { anyOf: [{ type: 'string', minLength: 1, maxLength: 25 }, { type: 'object' }] }
const word = { type: ['string', 'null'], maxLength: 255 }

/** What a body may say beside the record's own fields. */
export const extraProperties: { [name: string]: JSONSchema } = {
  ...Object.fromEntries(moneyFields.map((name) => [name, money])),
  ...Object.fromEntries(dayFields.map((name) => [name, dayOrBlank])),
  module: { type: ['string', 'integer'], maxLength: 40 },
  status: { anyOf: [{ type: 'string', minLength: 1, maxLength: 100 }, { type: 'object' }] },
  pipeline_id: word,
  stage_id: word,
  lost_reason: word,
  org_temp_id: word,
  template_id: word,
  project_template: {
    type: ['object', 'null'],
    properties: { template_id: word, template_name: word, template_config: configSchema },
  },
  project_team: { type: 'array', items: person, maxItems: 500 },
  custom_fields: {
    anyOf: [
      { type: 'object' },
      {
        type: 'array',
        maxItems: 500,
        items: {
          type: 'object',
          properties: { key: { type: 'string', minLength: 1, maxLength: 100 }, value: {} },
          required: ['key'],
        },
      },
    ],
  },
}

/** Who is the customer's contact; a form left empty is nobody. */
export const customerSchema: JSONSchema = {
  type: ['object', 'null'],
  properties: {
    full_name: word,
    email: {
      anyOf: [
        { type: 'string', maxLength: 320, format: 'email' },
        { type: ['string', 'null'], maxLength: 0 },
      ],
    },
    phone: { type: ['string', 'null'], maxLength: 50 },
    user_id: word,
  },
}

/** The nested create body of the specification: an account beside the project. */
export const accountSchema: JSONSchema = {
  type: ['object', 'null'],
  properties: {
    account_id: { type: ['string', 'null'], maxLength: 25 },
    account_name: { type: ['string', 'null'], maxLength: 255 },
    description: word,
    region: word,
    vertical: word,
    segment: word,
    website_url: { type: ['string', 'null'], maxLength: 2048 },
    customer: customerSchema,
    logo: { type: ['array', 'null'] },
  },
}

/** One flat body out of either form, money as numbers, custom fields as an object by key. */
export function flat(given: Body): Body {
  const { project, ...outer } = given
  const body: Body = isObject(project) ? { ...outer, ...project } : { ...given }
  if (body.project_name === undefined && typeof body.name === 'string') {
    body.project_name = body.name
    delete body.name
  }
  readForms(body, moneyFields, dayFields)
  if (Array.isArray(body.custom_fields)) {
    const entries = body.custom_fields.map(({ key, value = null }: Body) => [key, value])
    body.custom_fields = Object.fromEntries(entries)
  }
  return body
}

/** Amounts as numbers, and what a form left empty as nothing; in place. */
export function readForms(body: Body, amounts: string[], days: string[]) {
  for (const name of [...amounts, ...days]) {
    if (typeof body[name] === 'string' && !body[name].trim()) body[name] = null
  }
  for (const name of amounts) {
    if (typeof body[name] === 'string') body[name] = Number(body[name])
  }
}

/** The record's own fields of a body: unknown keys are kept as custom fields, these are known. */
export function fieldsOf(body: Body): Body {
  const kept = Object.entries(body).filter(
    ([name, value]) =>
      !handled.includes(name) &&
      !(name === 'project_owner' && isNobody(value)) &&
      value !== undefined,
  )
  return Object.fromEntries(kept)
}

const handled = [
  'account',
  'module',
  'project',
  'project_template',
  'org_temp_id',
  'status',
  'project_team',
  'pipeline_id',
  'stage_id',
  'lost_reason',
  'template_id',
  'recent_activities',
]

/** `{is_owner: true}` without a name means the caller; undefined where the body's own will do. */
export function ownerOf(ctx: Context, given: unknown): unknown {
  if (!isObject(given)) return undefined
  const { user_id, id, email, profile_id, is_owner } = given
  if (user_id || id || profile_id) return { user_id: user_id || id || profile_id }
  if (email) return { email }
  return is_owner && ctx.actor.user_id ? ctx.actor.user_id : undefined
}

/** The form of the specification with nobody in it, such as `{is_owner: false, user_id: ''}`. */
function isNobody(value: unknown): boolean {
  if (!isObject(value)) return false
  const isForm = 'is_owner' in value || 'first_name' in value
  return isForm && !['user_id', 'id', 'profile_id', 'email'].some((key) => value[key])
}

/** 400 where the due date comes before the start. */
export function checkDates({ start_date, due_date }: Body) {
  if (start_date && due_date && due_date < start_date) {
    throw badField('due_date', `must not be before start_date ${start_date}`)
  }
}

/** Whether a body or query means deals or projects; 400 when two of its words disagree. */
export function typeOf(given: { project_type?: unknown; module?: unknown }) {
  const { project_type, module } = given
  const byModule = module === undefined ? undefined : typeOfModule(module)
  const byType = project_type === undefined ? undefined : typeOfWord(project_type)
  if (byModule && byType && byModule !== byType) {
    throw badField('module', `does not agree with project_type ${byType}`)
  }
  return byType ?? byModule
}

function typeOfWord(given: unknown): 'project' | 'deal' {
  const found = String(given).trim().toLowerCase().replace(/s$/, '')
  if (found === 'project' || found === 'deal') return found
  throw badField('project_type', 'must be project or deal')
}

function typeOfModule(given: unknown): 'project' | 'deal' {
  const found = String(given).trim().toLowerCase()
  const number = moduleNumber(found)
  if (['deal_plan', 'deals', 'deal'].includes(found) || number === Deal.number) return 'deal'
  if (number === Project.number) return 'project'
  throw badField('module', 'must be projects or deal_plan')
}

/** The account of a new project: the one named, else one of that name, else a new one. */
export async function accountFor(ctx: Context, given: Body | null | undefined) {
  if (!given) return undefined
  const { account_id, account_name, customer, logo, ...rest } = given
  const said = Object.entries(rest).filter(([, value]) => value !== '' && value !== null)
  const more = Object.fromEntries(said)
  const isEmpty = !account_id && !account_name?.trim() && !said.length && !logo?.length
  // a form in which nothing was filled in; without any field it is none
  const isForm = Object.keys(given).length && !Object.values(customer ?? {}).some(Boolean)
  if (isEmpty && isForm) return undefined
  const name = typeof account_name === 'string' ? account_name.trim() : ''
  if (!account_id && !name) {
    throw badField('account.account_name', 'is required, or account_id')
  }
  if (!account_id) await inTurn(ctx, 'account', name)
  const found = await ctx.one<{
    id: string
    customer_contact: string | null
    company_id: string | null
  }>(sql`
    select t.id, t.customer_contact, t.company_id from accounts t
    where ${scope(ctx, Account, 'read')}
      and ${account_id ? sql`t.id = ${account_id}` : sql`t.account_name_key = ${name.toLowerCase()}`}
    order by t.id limit 1`)
  if (account_id && !found) throw badField('account.account_id', 'no such record')
  const contact = customer
    ? await contactFor(ctx, customer, found?.company_id, 'account.customer')
    : undefined
  if (found) return { id: found.id, contact: contact ?? found.customer_contact }
  mayCreate(ctx, 'accounts')
  const logo_path = (logo ?? []).find((each: unknown) => typeof each === 'string')
  const made = await insert(ctx, Account, {
    ...more,
    account_name: name,
    ...(contact ? { customer: contact } : {}),
    ...(logo_path ? { logo_path } : {}),
  })
  return { id: made.id, contact: contact ?? null }
}

/** The customer's contact by e-mail, made when there is none; undefined where nobody is named. */
export async function contactFor(
  ctx: Context,
  customer: Body,
  company_id: string | null | undefined,
  field: string,
): Promise<string | undefined> {
  const user_id = customer.user_id || null
  const email = customer.email?.trim().toLowerCase() || null
  const full_name = customer.full_name?.trim()
  if (!email && !full_name && !user_id) return undefined
  if (email) await inTurn(ctx, 'contact', email)
  const found = await ctx.one<{ id: string }>(sql`
    select t.id from contacts t
    where ${scope(ctx, Contact, 'read')} and (t.primary_email_key = ${email}
      or t.linked_user = ${user_id} or t.id = ${user_id})
    order by t.primary_email_key is distinct from ${email}, t.id limit 1`)
  if (found) return found.id
  if (!email && !full_name) throw badField(`${field}.user_id`, 'no such record')
  mayCreate(ctx, 'contacts')
  const body = {
    full_name: full_name || email,
    primary_email: email,
    phone: customer.phone || null,
    company: company_id ?? null,
  }
  const set = { unique_key: email, record_source: ctx.source }
  return (await insert(ctx, Contact, body, { set })).id
}

/** Until the transaction ends: of two bodies that name the same new record, the second finds it. */
async function inTurn(ctx: Context, what: string, name: string) {
  const lock = `given ${what} ${ctx.organization.id} ${name.toLowerCase()}`
  await ctx.run(sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`)
}

/** 403 where the caller's role may not create records of a module. */
export function mayCreate(ctx: Context, module: string) {
  if (levelOf(ctx.actor, module, 'create') === 'none') {
    throw forbidden(`Your role may not create ${module}`)
  }
}

/** The template that a body names, and its plan; a plan in the body itself goes first. */
export async function templateFor(ctx: Context, body: Body) {
  const named = body.org_temp_id ?? body.template_id ?? body.project_template?.template_id
  const own = body.project_template?.template_config as TemplateConfig | undefined
  const field = body.org_temp_id ? 'org_temp_id' : 'template_id'
  if (!named) return own ? { id: null, config: own } : undefined
  const found = await ctx.one<{ id: string; config: TemplateConfig }>(sql`
    select t.id, t.template_config as config from templates t
    where ${scope(ctx, Template, 'read')} and t.id = ${String(named)}
      and t.template_type = 'project'`)
  if (!found) {
    // a client may send the plan of a template that it made up itself
    if (own) return { id: null, config: own }
    throw badField(field, 'no such template')
  }
  return { id: found.id, config: own?.stages?.length ? own : found.config }
}

function isObject(value: unknown): value is Body {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function orBlank(schema: JSONSchema): JSONSchema {
  return { anyOf: [schema, { type: 'string', pattern: '^\\s*$' }] }
}
