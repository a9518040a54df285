import type { Context } from '../../kit/ground/context.ts'
import { badField, badRequest, Failure } from '../../kit/ground/errors.ts'
import { compileFilter, operatorsOf } from '../../kit/read/filter.ts'
import { updateSchema } from '../../kit/record/schema.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { checkBody } from '../../kit/record/validate.ts'
import { Company } from '../companies/company.ts'
import { Contact } from '../contacts/contact.ts'
import type { Answers, FormField, Page } from './structure.ts'
import { questionsOf } from './structure.ts'
import type { JSONSchema } from '../../kit/ground/json-schema.ts'
import type { Registry } from '../../kit/read/filter-fields.ts'
import { customField } from '../../kit/read/filter-fields.ts'

type Body = { [field: string]: any } // oxlint-disable-line typescript/no-explicit-any

/** When an automation runs. A score is the answer to `field_id`, or the mean of all scales. */
export const triggers = [
  { type: 'response_submitted', label: 'An answer is submitted' },
  { type: 'score_above', label: 'The score of an answer is above a value' },
  { type: 'score_below', label: 'The score of an answer is below a value' },
  { type: 'published', label: 'The survey is published' },
  { type: 'closed', label: 'The survey is closed' },
]

const id = { type: 'string', minLength: 1, maxLength: 25 }
const line = { type: 'string', pattern: '\\S', maxLength: 255 }
const words = { type: 'string', maxLength: 5000 }

function config(properties: { [name: string]: JSONSchema }, required: string[]): JSONSchema {
  return { type: 'object', properties, required }
}

/** What an automation can do: each action with the schema of its `config`. */
export const actions: { type: string; label: string; config: JSONSchema }[] = [
  {
    type: 'create_task',
    label: 'Create a task',
    config: config(
      {
        title: line,
        description: words,
        owner: { ...id, description: 'a user id' },
        project_id: id,
        due_in_days: { type: 'integer', minimum: 0, maximum: 3650 },
      },
      ['title'],
    ),
  },
  {
    type: 'notify',
    label: 'Notify people',
    config: config(
      { user_ids: { type: 'array', items: id, minItems: 1, maxItems: 100 }, title: line },
      ['user_ids'],
    ),
  },
  {
    type: 'send_email',
    label: 'Send an e-mail',
    config: config(
      {
        to: { type: 'string', maxLength: 320, description: '`respondent`, or an address' },
        subject: line,
        message: words,
      },
      ['subject', 'message'],
    ),
  },
  {
    type: 'add_tag',
    label: 'Tag the contact with the respondent’s e-mail',
    config: config({ tag: line }, ['tag']),
  },
  {
    type: 'update_field',
    label: 'Update a field of the respondent’s contact or its company',
    config: config(
      { module: { type: 'string', enum: ['contacts', 'companies'] }, field: line, value: {} },
      ['field', 'value'],
    ),
  },
  {
    type: 'webhook',
    label: 'Send the answer to a URL',
    config: config({ url: { type: 'string', format: 'web-address', maxLength: 2048 } }, ['url']),
  },
]

const scales = ['ratings', 'nps', 'csat', 'ces']
const numeric = [...scales, 'number']

/** What the conditions of a survey's automations may name: its questions, the score, the respondent. */
export function registryOf(pages: Page[]): Registry {
  const registry: Registry = new Map()
  for (const { id: key, type } of questionsOf(pages)) {
    // answers are read as custom fields are, and the rows that conditions look at call them so
    const [, field] = customField({ key, type: kindOf(type) })
    registry.set(`answers.${key}`, field)
  }
  registry.set('score', { kind: 'number', sql: 't.score' })
  registry.set('respondent_email', { kind: 'text', sql: 't.respondent_email' })
  return registry
}

/** The same for an editor: each with its question and operators. */
export function conditionFields(pages: Page[]) {
  const labels = new Map(questionsOf(pages).map(({ id: key, label }) => [`answers.${key}`, label]))
  return [...registryOf(pages)].map(([field, { kind }]) => ({
    field,
    label: labels.get(field) ?? field,
    type: kind,
    operators: operatorsOf(kind),
  }))
}

/** The score of an answer: of one question, or the mean of every scale that was answered. */
export function scoreOf(pages: Page[], answers: Answers, field_id?: string): number | null {
  const asked = questionsOf(pages).filter(({ id: key, type }) =>
    field_id ? key === field_id : scales.includes(type),
  )
  const values = asked.map(({ id: key }) => Number(answers[key] ?? NaN)).filter(Number.isFinite)
  return values.length ? values.reduce((sum, value) => sum + value, 0) / values.length : null
}

/** Whether the conditions hold for an answer. */
export async function conditionsHold(
  ctx: Context,
  conditions: unknown[],
  pages: Page[],
  { answers, respondent_email }: { answers: Answers; respondent_email: string | null },
): Promise<boolean> {
  const clock = { now: ctx.now(), timezone: ctx.organization.timezone }
  const holds = compileFilter(registryOf(pages), conditions, clock, 'conditions')
  const found =
    await ctx.one(sql`select from (select ${JSON.stringify(answers)}::jsonb as custom_fields,
    ${respondent_email}::text as respondent_email, ${scoreOf(pages, answers)}::numeric as score) t
    where ${holds}`)
  return found !== undefined
}

/** Checks trigger, conditions and actions against the survey; 400 names the path under `at`. */
export async function checkAutomation(ctx: Context, pages: Page[], body: Body, at = '') {
  const { trigger, conditions = [], actions: wanted = [] } = body
  if (trigger !== undefined) checkTrigger(trigger, questionsOf(pages), `${at}trigger`)
  const clock = { now: ctx.now(), timezone: ctx.organization.timezone }
  compileFilter(registryOf(pages), conditions, clock, `${at}conditions`)
  for (const [index, action] of (wanted as Body[]).entries()) {
    const path = `${at}actions.${index}`
    const known = actions.find(({ type }) => type === action?.type)
    if (!known) {
      const types = actions.map(({ type }) => type).join(', ')
      throw badField(`${path}.type`, `must be one of ${types}`)
    }
    under(`${path}.config`, () => checkBody(known.config, action.config ?? {}))
    if (action.type === 'update_field') {
      const { module = 'contacts', field, value } = action.config
      const schema = updateSchema(module === 'contacts' ? Contact : Company)
      under(`${path}.config`, () => checkBody(schema, { [field]: value }))
    }
    await checkNamed(ctx, action.config ?? {}, `${path}.config`)
  }
}

function checkTrigger(trigger: Body, questions: FormField[], at: string) {
  const types = triggers.map(({ type }) => type)
  if (!types.includes(trigger.type)) {
    throw badField(`${at}.type`, `must be one of ${types.join(', ')}`)
  }
  if (!trigger.type.startsWith('score_')) return
  if (typeof trigger.value !== 'number') throw badField(`${at}.value`, 'must be a number')
  const { field_id } = trigger
  const isNumeric = questions.some((each) => each.id === field_id && numeric.includes(each.type))
  if (field_id !== undefined && !isNumeric) {
    throw badField(`${at}.field_id`, 'must be the id of a question with a number or a scale')
  }
}

/** People and projects that an action names are the organization's. */
async function checkNamed(ctx: Context, given: Body, at: string) {
  const named: [field: string, table: string, ids: string[]][] = [
    ['user_ids', 'users', given.user_ids ?? []],
    ['owner', 'users', given.owner ? [given.owner] : []],
    ['project_id', 'projects', given.project_id ? [given.project_id] : []],
  ]
  for (const [field, table, ids] of named) {
    if (!ids.length) continue
    const found = await ctx.all<{ id: string }>(sql`select t.id from ${sql.table(table)} t
      where ${mine(ctx)} and t.id = any(${ids}) and t.deleted_at is null`)
    if (new Set(ids).size !== found.length) throw badField(`${at}.${field}`, 'no such record')
  }
}

function under(path: string, check: () => void) {
  try {
    check()
  } catch (error) {
    if (!(error instanceof Failure) || !error.errors) throw error
    const errors = error.errors.map(({ field, message }) => ({
      field: `${path}.${field}`,
      message,
    }))
    throw badRequest(errors.map((each) => `${each.field}: ${each.message}`).join('; '), errors)
  }
}

function kindOf(type: FormField['type']): string {
  if (numeric.includes(type)) return 'number'
  if (type === 'multi-select' || type === 'ranking') return 'multi_select'
  if (type === 'date') return 'date'
  if (type === 'consent') return 'boolean'
  return 'text'
}
