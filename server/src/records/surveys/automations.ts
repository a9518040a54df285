import type { Context } from '../../kit/ground/context.ts'
import { crud } from '../../kit/crud.ts'
import { badField } from '../../kit/ground/errors.ts'
import { listPage } from '../../kit/read/list.ts'
import type { Input, Operation } from '../../kit/ground/operation.ts'
import type { Answer, Json } from '../../kit/ground/operation.ts'
import { readSchema } from '../../kit/record/schema.ts'
import { arrayOf } from '../../kit/ground/json-schema.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { equal } from '../../kit/write/changes.ts'
import { insert, lock, readOne, remove, update, written } from '../../kit/write/write.ts'
import { SurveyAutomation } from './automation.ts'
import { actions, checkAutomation, conditionFields, triggers } from './automation-parts.ts'
import type { Page } from './structure.ts'
import { Survey } from './survey.ts'
import type { JSONSchema } from '../../kit/ground/json-schema.ts'

type Body = { [field: string]: any } // oxlint-disable-line typescript/no-explicit-any

const plain = crud(Survey)
const byId = plain.read.input.params!
const shape = readSchema(SurveyAutomation)
const byAutomation = {
  type: 'object',
  properties: { automation_id: { type: 'string' } },
  required: ['automation_id'],
}

/** What is given of an automation; other keys of a survey beside them say nothing here. */
const given: { [name: string]: JSONSchema } = {
  name: { type: 'string', pattern: '\\S', maxLength: 255 },
  is_active: { type: 'boolean' },
  trigger: { type: 'object', properties: { type: { type: 'string' } } },
  conditions: { type: 'array', maxItems: 50 },
  actions: { type: 'array', maxItems: 20, items: { type: 'object' } },
}
const oneSchema: JSONSchema = {
  type: 'object',
  properties: { automation_id: { type: ['string', 'null'], maxLength: 25 }, ...given },
}

const runSchema: JSONSchema = {
  title: 'SurveyAutomationRun',
  type: 'object',
  properties: {
    automation_id: { type: 'string' },
    response_id: { type: ['string', 'null'] },
    status: { type: 'string', enum: ['done', 'skipped', 'failed'] },
    error: { type: ['string', 'null'] },
    results: { type: 'array', items: { type: 'object' } },
    creation_time: { type: 'string', format: 'date-time' },
  },
  required: ['automation_id', 'response_id', 'status', 'error', 'results', 'creation_time'],
}

export const surveyAutomations = {
  options: {
    ...plain.read,
    name: 'list_survey_automation_options',
    summary: 'What automations can wait for, look at and do',
    output: {
      type: 'object',
      properties: Object.fromEntries(
        ['triggers', 'conditions', 'actions'].map((name) => [
          name,
          { type: 'array', items: { type: 'object' } },
        ]),
      ),
      required: ['triggers', 'conditions', 'actions'],
    },
    run: async (ctx: Context, { params }: Input) => ({
      triggers,
      conditions: conditionFields(await readPages(ctx, params.id)),
      actions,
    }),
  } satisfies Operation,
  list: {
    ...plain.read,
    name: 'list_survey_automations',
    summary: 'List the automations of a survey',
    output: arrayOf(shape),
    async run(ctx: Context, { params }: Input) {
      await readPages(ctx, params.id)
      const page = { items_per_page: mostOfOne, sort: 'creation_time', reverse: false }
      const { body } = await listPage(ctx, SurveyAutomation, page, sql`t.survey_id = ${params.id}`)
      return body
    },
  } satisfies Operation,
  read: {
    name: 'read_survey_automation',
    summary: 'Read an automation of a survey',
    can: { module: 'surveys', action: 'read' },
    writes: false,
    input: { params: byAutomation },
    output: shape,
    run: (ctx: Context, { params }: Input) => readOne(ctx, SurveyAutomation, params.automation_id),
  } satisfies Operation,
  save: {
    name: 'save_survey_automations',
    summary: 'Make or change automations of a survey',
    description:
      'One automation, or several as `automations`: those with an `automation_id` are changed, others are made.',
    can: { module: 'surveys', action: 'update' },
    writes: true,
    input: {
      params: byId,
      body: {
        type: 'object',
        properties: {
          ...(oneSchema.properties as object),
          automations: { type: 'array', maxItems: 50, items: oneSchema },
        },
      },
    },
    output: { type: 'object', properties: { automations: arrayOf(shape) } },
    async run(ctx: Context, { params, body, ifMatch }: Input) {
      const { row } = await lock(ctx, Survey, params.id, 'update', ifMatch)
      const { pages } = row.form_structure as { pages: Page[] }
      if (!body.automations) return written(await saveOne(ctx, params.id, pages, body, ''))
      const saved: Body[] = []
      for (const [index, each] of (body.automations as Body[]).entries()) {
        const one = await saveOne(ctx, params.id, pages, each, `automations.${index}.`)
        saved.push(JSON.parse(await one.json()))
      }
      return { automations: saved }
    },
  } satisfies Operation,
  update: {
    name: 'update_survey_automation',
    summary: 'Change an automation of a survey',
    can: { module: 'surveys', action: 'update' },
    writes: true,
    input: { params: byAutomation, body: { type: 'object', properties: given } },
    output: shape,
    async run(ctx: Context, { params, body, ifMatch }: Input) {
      const { row } = await lock(ctx, SurveyAutomation, params.automation_id, 'update', ifMatch)
      const { pages } = await structureOf(ctx, row.survey_id)
      return written(await change(ctx, params.automation_id, row, pages, body, ''))
    },
  } satisfies Operation,
  remove: {
    name: 'delete_survey_automation',
    summary: 'Delete an automation of a survey',
    can: { module: 'surveys', action: 'update' },
    writes: true,
    input: { params: byAutomation },
    output: null,
    run: (ctx: Context, { params, ifMatch }: Input) =>
      remove(ctx, SurveyAutomation, params.automation_id, ifMatch),
  } satisfies Operation,
  runs: {
    ...plain.read,
    name: 'list_survey_automation_runs',
    summary: 'What the automations of a survey did, the latest first',
    output: arrayOf(runSchema),
    async run(ctx: Context, { params }: Input) {
      await readPages(ctx, params.id)
      if (ctx.actor.is_confined) return []
      return ctx.all(sql`
        select t.automation_id, t.response_id, t.status, t.error, t.results, t.creation_time
        from survey_automation_runs t where ${mine(ctx)} and t.survey_id = ${params.id}
        order by t.creation_time desc, t.automation_id limit 500`)
    },
  } satisfies Operation,
}

const mostOfOne = 200

async function saveOne(ctx: Context, survey_id: string, pages: Page[], body: Body, at: string) {
  if (body.automation_id) {
    const { row } = await lock(ctx, SurveyAutomation, body.automation_id, 'update').catch(
      (error: unknown) => {
        if ((error as { status?: number }).status === 404) {
          throw badField(`${at}automation_id`, 'no such record')
        }
        throw error
      },
    )
    if (row.survey_id !== survey_id) {
      throw badField(`${at}automation_id`, 'belongs to another survey')
    }
    return change(ctx, body.automation_id, row, pages, body, at)
  }
  const { name = 'Automation', is_active = true, conditions = [], actions: wanted = [] } = body
  const trigger = { type: 'response_submitted', ...body.trigger }
  const made = { name, is_active, trigger, conditions, actions: wanted }
  await checkAutomation(ctx, pages, made, at)
  const known = await ctx.one<{ n: number }>(sql`select count(*)::int as n from survey_automations t
    where ${mine(ctx)} and t.survey_id = ${survey_id} and t.deleted_at is null`)
  if (known!.n >= mostOfOne) throw badField('automations', `a survey has at most ${mostOfOne}`)
  return insert(ctx, SurveyAutomation, { ...made, survey_id })
}

async function change(ctx: Context, id: string, row: Body, pages: Page[], body: Body, at: string) {
  const changed = Object.fromEntries(
    Object.keys(given)
      .filter((name) => body[name] !== undefined)
      .map((name) => [name, body[name]]),
  )
  await checkAutomation(ctx, pages, { ...row, ...changed }, at)
  // it acts with the rights of whoever decided what it does, never with more
  const isDecided = ['trigger', 'conditions', 'actions'].some(
    (name) => changed[name] !== undefined && !equal(changed[name], row[name]),
  )
  return update(ctx, SurveyAutomation, id, changed, {
    set: isDecided ? { created_by: ctx.actor.user_id } : {},
  })
}

async function readPages(ctx: Context, id: string): Promise<Page[]> {
  const { body } = (await readOne(ctx, Survey, id)) as Answer
  return JSON.parse((body as Json).text).form_structure.pages
}

async function structureOf(ctx: Context, id: string): Promise<{ pages: Page[] }> {
  const found = await ctx.one<{ form_structure: { pages: Page[] } }>(sql`
    select t.form_structure from surveys t where ${mine(ctx)} and t.id = ${id}`)
  return found!.form_structure
}
