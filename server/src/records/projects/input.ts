import { isObject } from '../../kit/ground/object.ts'
import { Type } from 'typebox'
import type { Static, TObject, TOptional, TSchema } from 'typebox'
import type { Context } from '../../kit/ground/context.ts'
import { badField } from '../../kit/ground/errors.ts'
import { extend, orNull, schema, requiring } from '../../kit/ground/json-schema.ts'
import { joined } from '../../kit/record/names.ts'
import { moduleNumber } from '../../kit/record/modules.ts'
import type { Patch } from '../../kit/record/record.ts'
import { createSchema, updateSchema } from '../../kit/record/schema.ts'
import type { TemplateConfig } from '../../model/templates/config.ts'
import { configSchema } from '../../model/templates/config.ts'
import { Deal, Project, ProjectOrDeal } from '../../model/projects/project.ts'

type Fields = { [field: string]: unknown }

const open = { type: 'object', additionalProperties: true }

/** Money: a number, or a number as text; an empty text means none. */
export const money = schema<number | string | null>({
  anyOf: [
    { type: ['number', 'null'], minimum: -1e15, maximum: 1e15 },
    { type: 'string', pattern: '^\\s*(-?\\d{1,15}(\\.\\d+)?\\s*)?$', maxLength: 40 },
  ],
  description: 'a number, or one written as text',
})
/** A day; an empty text means none. */
export const dayOrBlank = schema<string | null>({
  anyOf: [
    { type: ['string', 'null'], format: 'date' },
    { type: 'string', pattern: '^\\s*$' },
  ],
})
const dayFields = ['start_date', 'due_date', 'forecasted_date'] as const
const moneyFields = [
  'revenue',
  'project_fee',
  'expected_deal_value',
  'expected_onboarding_fee',
  'hourly_rate',
  'monthly_rate',
] as const

const person = schema<string | Fields>({
  anyOf: [{ type: 'string', minLength: 1, maxLength: 320 }, open],
})
const word = Type.Optional(orNull(Type.String({ maxLength: 255 })))

type CustomFieldInput = { key: string; value?: unknown }

/** Properties of bodies besides the record's own fields, and fields that forms send as text. */
export const extraProperties = {
  ...each(moneyFields, money),
  ...each(dayFields, dayOrBlank),
  module: Type.Optional(schema<string | number>({ type: ['string', 'integer'], maxLength: 40 })),
  status: Type.Optional(
    schema<string | Fields>({
      anyOf: [{ type: 'string', minLength: 1, maxLength: 100 }, open],
    }),
  ),
  pipeline_id: word,
  stage_id: word,
  lost_reason: word,
  org_temp_id: word,
  template_id: word,
  project_template: Type.Optional(
    orNull(
      Type.Object({
        template_id: word,
        template_name: word,
        template_config: Type.Optional(schema<TemplateConfig>(configSchema)),
      }),
    ),
  ),
  project_team: Type.Optional(Type.Array(person, { maxItems: 500 })),
  custom_fields: Type.Optional(
    schema<Fields | CustomFieldInput[]>({
      anyOf: [
        open,
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
    }),
  ),
}

const customer = Type.Object({
  full_name: word,
  email: Type.Optional(
    schema<string | null>({
      anyOf: [
        { type: 'string', maxLength: 320, format: 'email' },
        { type: ['string', 'null'], maxLength: 0 },
      ],
    }),
  ),
  phone: Type.Optional(orNull(Type.String({ maxLength: 50 }))),
  user_id: word,
})

export type CustomerInput = Static<typeof customer>

/** The customer's contact; an empty form means nobody. */
export const customerSchema = orNull(customer)

const account = Type.Object({
  account_id: Type.Optional(orNull(Type.String({ maxLength: 25 }))),
  account_name: Type.Optional(orNull(Type.String({ maxLength: 255 }))),
  description: word,
  region: word,
  vertical: word,
  segment: word,
  website_url: Type.Optional(orNull(Type.String({ maxLength: 2048, format: 'web-address' }))),
  customer: Type.Optional(customerSchema),
  logo: Type.Optional(schema<unknown[] | null>({ type: ['array', 'null'], items: {} })),
})

export type AccountInput = Static<typeof account>

/** The specification's nested body of a create: an account beside the project. */
export const accountSchema = orNull(account)

type Extras = Static<TObject<typeof extraProperties>>

/** The fields of a project or deal in a body, on either surface. */
export type ProjectFields = Omit<Patch<typeof Project>, keyof Extras> &
  Extras & { share_all?: boolean }

const updateBody = extend(updateSchema(ProjectOrDeal), {
  ...extraProperties,
  share_all: Type.Optional(
    Type.Boolean({
      description:
        'true shares the project with its milestones and tasks, false makes all of them internal; private ones stay as they are',
    }),
  ),
})

/** The body of an update. */
export const projectUpdate = schema<ProjectFields>({ ...updateBody, required: [] })

const createBody = extend(createSchema(ProjectOrDeal), extraProperties)

/** The body of a create: flat, or with the project and its account as objects of their own. */
export const projectCreate = requiring(
  schema<ProjectInput>({
    ...extend(createBody, {
      account: Type.Optional(accountSchema),
      project: schema<ProjectFields>({ type: 'object', properties: createBody.properties }),
    }),
    required: [],
  }),
  'project_name',
)

export type ProjectInput = ProjectFields & {
  account?: AccountInput | null
  project?: ProjectFields
}

type Cleaned = (typeof moneyFields)[number] | 'custom_fields'

/** One flat body: amounts are numbers, custom fields an object by key. */
export type FlatProject = Omit<ProjectInput, Cleaned | 'project'> &
  Pick<Patch<typeof Project>, Cleaned>

/** A flat body from either form. */
export function flat(input: ProjectInput): FlatProject {
  const { project, ...outer } = input
  const body: Fields = isObject(project) ? joined(outer, project, 'project') : outer
  if (body.project_name === undefined && typeof body.name === 'string') {
    body.project_name = body.name
    delete body.name
  }
  readForms(body, moneyFields, dayFields)
  if (Array.isArray(body.custom_fields)) {
    const entries = (body.custom_fields as CustomFieldInput[]).map(
      ({ key, value = null }): [string, unknown] => [key, value],
    )
    body.custom_fields = Object.fromEntries(entries)
  }
  return body as FlatProject
}

/** Converts amounts to numbers and empty texts to null, in place. */
export function readForms(body: Fields, amounts: readonly string[], days: readonly string[]) {
  for (const name of [...amounts, ...days]) {
    const value = body[name]
    if (typeof value === 'string' && !value.trim()) body[name] = null
  }
  for (const name of amounts) {
    if (typeof body[name] === 'string') body[name] = Number(body[name])
  }
}

/** The fields and custom fields of a body, without the properties that are handled separately. */
export function fieldsOf(body: FlatProject): Patch<typeof Project> {
  const fields = Object.entries(body).filter(
    ([name, value]) =>
      !handled.includes(name) &&
      !(name === 'project_owner' && isNobody(value)) &&
      value !== undefined,
  )
  return Object.fromEntries(fields)
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
  'share_all',
  // further properties of a project on the integration surface
  'milestones',
]

/** `{is_owner: true}` without a name means the caller; undefined if the body's own value is used. */
export function ownerOf(ctx: Context, owner: unknown): string | Fields | undefined {
  if (!isObject(owner)) return undefined
  const { user_id, id, email, profile_id, is_owner } = owner
  if (user_id || id || profile_id) return { user_id: user_id || id || profile_id }
  if (email) return { email }
  return is_owner && ctx.actor.user_id ? ctx.actor.user_id : undefined
}

/** The specification's form without a person, such as `{is_owner: false, user_id: ''}`. */
function isNobody(value: unknown): boolean {
  if (!isObject(value)) return false
  const isForm = 'is_owner' in value || 'first_name' in value
  return isForm && !['user_id', 'id', 'profile_id', 'email'].some((key) => value[key])
}

/** 400 if the due date is before the start. */
export function checkDates({
  start_date,
  due_date,
}: {
  start_date?: string | null
  due_date?: string | null
}) {
  if (start_date && due_date && due_date < start_date) {
    throw badField('due_date', `must not be before start_date ${start_date}`)
  }
}

/** Whether a body or query means deals or projects; 400 if its properties contradict each other. */
export function typeOf({ project_type, module }: { project_type?: unknown; module?: unknown }) {
  const byModule = module === undefined ? undefined : typeOfModule(module)
  const byType = project_type === undefined ? undefined : typeOfWord(project_type)
  if (byModule && byType && byModule !== byType) {
    throw badField('module', `does not agree with project_type ${byType}`)
  }
  return byType ?? byModule
}

function typeOfWord(value: unknown): 'project' | 'deal' {
  const word = String(value).trim().toLowerCase().replace(/s$/, '')
  if (word === 'project' || word === 'deal') return word
  throw badField('project_type', 'must be project or deal')
}

function typeOfModule(value: unknown): 'project' | 'deal' {
  const word = String(value).trim().toLowerCase()
  const number = moduleNumber(word)
  if (['deal_plan', 'deals', 'deal'].includes(word) || number === Deal.number) return 'deal'
  if (number === Project.number) return 'project'
  throw badField('module', 'must be projects or deal_plan')
}

/** The same optional property under each of the names. */
function each<const N extends string, S extends TSchema>(
  names: readonly N[],
  of: S,
): { [K in N]: TOptional<S> } {
  const optional = Type.Optional(of)
  return Object.fromEntries(names.map((name) => [name, optional])) as { [K in N]: TOptional<S> }
}
