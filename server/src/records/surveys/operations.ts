import type { Draft } from '../../kit/record/record.ts'
import type { Context } from '../../kit/ground/context.ts'
import { crud } from '../../kit/crud.ts'
import { parseInstant } from '../../kit/ground/dates.ts'
import { badField, Failure } from '../../kit/ground/errors.ts'
import { listPage } from '../../kit/read/list.ts'
import { announceAll } from '../../kit/write/announce-many.ts'
import type { Input, Operation } from '../../kit/ground/operation.ts'
import { Answer, type Json } from '../../kit/ground/operation.ts'
import { pageProperties } from '../../kit/read/page.ts'
import { readSchema } from '../../kit/record/schema.ts'
import { scope } from '../../kit/record/scope.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import type { Written } from '../../kit/write/write.ts'
import { equal } from '../../kit/write/changes.ts'
import {
  checkReadable,
  insert,
  lock,
  readOne,
  remove,
  restore,
  update,
  written,
} from '../../kit/write/write.ts'
import { Account } from '../accounts/account.ts'
import { Task } from '../tasks/task.ts'
import { insightsOf } from './insights.ts'
import type { Status } from './lifecycle.ts'
import { checkAsks, moveSurvey, moveTo, announceMove } from './lifecycle.ts'
import { limitsOf, responseSchema, submissionSchema, submitResponse } from './submission.ts'
import type { Page } from './structure.ts'
import { pagesOf, questionsOf, structureSchema } from './structure.ts'
import { Survey } from './survey.ts'
import type { JSONSchema } from '../../kit/ground/json-schema.ts'

type Body = { [field: string]: any } // oxlint-disable-line typescript/no-explicit-any

const plain = crud(Survey)
const shape = readSchema(Survey)
const byId = plain.read.input.params!
const name = { type: 'string', pattern: '\\S', maxLength: 255 }
const statuses = ['draft', 'published', 'closed']

const listed: { [name: string]: JSONSchema } = {
  account_id: { type: 'string', minLength: 1, maxLength: 25 },
  page_size: { ...pageProperties.items_per_page, description: 'same as items_per_page' },
  page_number: { ...pageProperties.page, description: 'same as page' },
  sort_order: { type: 'string', enum: ['asc', 'desc'] },
  sort_key: { type: 'string', maxLength: 200, description: 'same as sort' },
  status: { type: 'string', enum: statuses },
}

export const surveys = {
  ...plain,
  list: {
    ...plain.list,
    input: { query: withProperties(plain.list.input.query!, listed) },
    run: (ctx: Context, { query }: Input) => list(ctx, query),
  } satisfies Operation,
  forms: {
    ...plain.list,
    name: 'list_forms',
    summary: 'List forms',
    input: { query: withProperties(plain.list.input.query!, listed) },
    run: (ctx: Context, { query }: Input) => list(ctx, query, 'form'),
  } satisfies Operation,
  create: {
    ...plain.create,
    input: { body: withStructure(plain.create.input.body!) },
    async run(ctx: Context, { body }: Input) {
      const { form_structure, status = 'draft', ...given } = body as Body
      checkEnd(ctx, given)
      const pages = pagesOf(form_structure ?? [])
      const made = await insert(ctx, Survey, given as Draft<typeof Survey>, {
        set: { form_structure: JSON.stringify({ pages, version: 1 }), field_count: count(pages) },
        along: (id) => keepVersion(ctx, id, 1, pages),
      })
      return written(status === 'draft' ? made : await moveSurvey(ctx, made.id, status as Status))
    },
  } satisfies Operation,
  update: {
    ...plain.update,
    input: { ...plain.update.input, body: withStructure(plain.update.input.body!) },
    run: async (ctx: Context, { params, body, ifMatch }: Input) =>
      written(await updateSurvey(ctx, params.id, body, ifMatch)),
  } satisfies Operation,
  propagate: {
    ...plain.update,
    name: 'update_survey_with_propagation',
    summary: 'Change a survey, and perhaps the open form tasks without answers too',
    input: {
      params: byId,
      // whatever else a survey has may come along, and is then checked as everywhere
      body: withProperties(withStructure(plain.update.input.body!), {
        propagate_to_tasks: { type: 'boolean' },
      }),
    },
    async run(ctx: Context, { params, body, ifMatch }: Input) {
      const { propagate_to_tasks, ...given } = body as Body
      const after = await updateSurvey(ctx, params.id, given, ifMatch)
      if (propagate_to_tasks) await propagate(ctx, params.id, after)
      return written(after)
    },
  } satisfies Operation,
  remove: {
    ...plain.remove,
    run: (ctx: Context, { params, ifMatch }: Input) => remove(ctx, Survey, params.id, ifMatch),
  } satisfies Operation,
  restore: {
    ...plain.restore,
    run: async (ctx: Context, { params }: Input) => written(await restore(ctx, Survey, params.id)),
  } satisfies Operation,
  publish: move('publish_survey', 'Publish a survey, or open it again', 'published'),
  close: move('close_survey', 'Close a survey', 'closed'),
  duplicate: copy('duplicate_survey', 'Copy a survey as a draft'),
  saveAsTemplate: copy('save_survey_as_template', 'Save a survey as a template', 'survey_template'),
  bulkDelete: {
    name: 'bulk_delete_surveys',
    summary: 'Delete several surveys',
    can: { module: 'surveys', action: 'delete' },
    writes: true,
    input: {
      body: {
        type: 'object',
        properties: {
          survey_ids: {
            type: 'array',
            items: { type: 'string', minLength: 1, maxLength: 25 },
            minItems: 1,
            maxItems: 500,
          },
        },
        required: ['survey_ids'],
      },
    },
    output: {
      type: 'object',
      properties: {
        deleted: { type: 'integer' },
        failed: { type: 'array', items: { type: 'object' } },
      },
      required: ['deleted', 'failed'],
    },
    async run(ctx: Context, { body }: Input) {
      const failed: { id: string; error: string }[] = []
      let deleted = 0
      for (const id of new Set(body.survey_ids as string[])) {
        try {
          await remove(ctx, Survey, id)
          deleted++
        } catch (error) {
          if (!(error instanceof Failure) || error.status >= 500) throw error
          failed.push({ id, error: error.message })
        }
      }
      return { deleted, failed }
    },
  } satisfies Operation,
  counts: {
    name: 'count_surveys',
    summary: 'How many surveys there are, by status and type',
    can: { module: 'surveys', action: 'read' },
    writes: false,
    input: {},
    output: {
      type: 'object',
      properties: {
        total: { type: 'integer' },
        by_status: { type: 'object', additionalProperties: { type: 'integer' } },
        by_item_type: { type: 'object', additionalProperties: { type: 'integer' } },
      },
      required: ['total', 'by_status', 'by_item_type'],
    },
    async run(ctx: Context) {
      const rows = await ctx.all<{ status: string; item_type: string; n: number }>(sql`
        select t.status, t.item_type, count(*)::int as n from surveys t
        where ${scope(ctx, Survey, 'read')} group by 1, 2`)
      const sum = (key: 'status' | 'item_type', words: string[]) =>
        Object.fromEntries(
          words.map((word) => [
            word,
            rows.filter((row) => row[key] === word).reduce((all, { n }) => all + n, 0),
          ]),
        )
      return {
        total: rows.reduce((all, { n }) => all + n, 0),
        by_status: sum('status', statuses),
        by_item_type: sum('item_type', ['survey', 'survey_template', 'form']),
      }
    },
  } satisfies Operation,
  usageCount: {
    ...plain.read,
    name: 'count_survey_usage',
    summary: 'A survey with how many tasks and projects use it',
    async run(ctx: Context, { params }: Input) {
      const survey = await readRow(ctx, params.id)
      const used = await ctx.one<Body>(sql`
        select count(*)::int as tasks, count(distinct t.project_id)::int as projects,
          (select count(*)::int from templates x where x.organization_id = ${ctx.organization.id}
            and x.deleted_at is null and x.template_config::text like ${`%"${params.id}"%`}) as templates
        from tasks t where ${mine(ctx)} and t.form_id = ${params.id} and t.deleted_at is null`)
      return { ...survey, usage_count: used!.tasks + used!.templates, ...used }
    },
  } satisfies Operation,
  limitStatus: {
    ...plain.read,
    name: 'read_survey_limits',
    summary: 'Whether a survey takes answers, and how many more',
    output: {
      type: 'object',
      properties: {
        accepting_responses: { type: 'boolean' },
        reason: { type: ['string', 'null'] },
        response_limit: { type: ['integer', 'null'] },
        response_count: { type: 'integer' },
        remaining: { type: ['integer', 'null'] },
        end_date: { type: ['string', 'null'] },
      },
      required: ['accepting_responses', 'reason', 'response_limit', 'response_count', 'remaining'],
    },
    run: async (ctx: Context, { params }: Input) => limitsOf(ctx, await readRow(ctx, params.id)),
  } satisfies Operation,
  fill: {
    ...plain.read,
    name: 'read_survey_to_fill',
    summary: 'A survey as it is filled in',
    async run(ctx: Context, { params }: Input) {
      const survey = await readRow(ctx, params.id)
      return { ...survey, ...limitsOf(ctx, survey) }
    },
  } satisfies Operation,
  submit: {
    name: 'submit_survey',
    summary: 'Answer a survey, wholly or in part',
    can: { module: 'surveys', action: 'read' },
    writes: true,
    input: { params: byId, body: submissionSchema },
    output: responseSchema,
    async run(ctx: Context, { params, body }: Input) {
      await checkReadable(ctx, Survey, params.id)
      const response = await submitResponse(ctx, params.id, body)
      return new Answer(response, { id: response.response_id })
    },
  } satisfies Operation,
  insights: {
    ...plain.read,
    name: 'read_survey_insights',
    summary: 'What the answers to a survey say',
    async run(ctx: Context, { params }: Input) {
      const survey = await readRow(ctx, params.id)
      return { ...survey, insights: await insightsOf(ctx, survey) }
    },
  } satisfies Operation,
}

async function list(ctx: Context, query: Body, item_type?: string) {
  const { account_id, page_size, page_number, sort_order, sort_key, status, ...common } = query
  if (account_id) await checkReadable(ctx, Account, account_id)
  const page = {
    ...common,
    page: common.page ?? page_number,
    items_per_page: common.items_per_page ?? page_size,
    sort: common.sort ?? sort_key ?? (sort_order ? 'creation_time' : undefined),
    reverse: common.reverse ?? (sort_order ? sort_order === 'desc' : undefined),
  }
  const conditions = [
    ...(account_id ? [sql`t.account_id = ${account_id}`] : []),
    ...(status ? [sql`t.status = ${status}`] : []),
    ...(item_type ? [sql`t.item_type = ${item_type}`] : []),
  ]
  const only = conditions.length ? sql`${sql.join(conditions, sql` and `)}` : undefined
  return listPage(ctx, Survey, page, only)
}

async function updateSurvey(
  ctx: Context,
  id: string,
  given: Body,
  ifMatch?: number[],
): Promise<Written> {
  const { form_structure, status, survey_id: _, ...fields } = given
  const { row } = await lock(ctx, Survey, id, 'update', ifMatch)
  checkEnd(ctx, fields, row)
  const set: Body = {}
  if (form_structure) {
    const pages = pagesOf(form_structure)
    const old = row.form_structure as { pages: Page[]; version: number }
    if (!equal(pages, old.pages)) {
      await checkAnswered(ctx, id, old.pages, pages)
      const version = old.version + 1
      set.form_structure = JSON.stringify({ pages, version })
      set.field_count = count(pages)
      await keepVersion(ctx, id, version, pages)
    }
  }
  const next = {
    ...row,
    ...fields,
    ...(form_structure ? { form_structure: { pages: pagesOf(form_structure) } } : {}),
  }
  const moved = status ? moveTo(ctx, next, status as Status) : {}
  // whoever fills it in has its pages before them
  if (set.form_structure && row.status === 'published') checkAsks(next)
  const after = await update(ctx, Survey, id, fields, { set: { ...set, ...moved } })
  if (moved.status) await announceMove(ctx, id, row, after, moved.status)
  return after
}

/** Gives the structure to the open tasks of the form that nobody has begun to answer. */
async function propagate(ctx: Context, id: string, after: Written) {
  const { form_structure } = JSON.parse(await after.json()) as Body
  const tasks = await ctx.all<{ id: string }>(sql`
    update tasks t set form_structure = ${JSON.stringify(form_structure)}::jsonb,
      version = version + 1, last_update_time = ${ctx.now().toISOString()}
    where ${mine(ctx)} and t.form_id = ${id} and not t.is_completed and t.deleted_at is null
      and coalesce(t.form_responses, '{}') = '{}'
      and t.form_structure is distinct from ${JSON.stringify(form_structure)}::jsonb
    returning t.id`)
  const ids = tasks.map((task) => task.id)
  await announceAll(ctx, Task, 'updated', ids, [
    { field: 'form_structure', from: null, to: form_structure },
  ])
}

/** A question that has been answered keeps its kind: another one needs another id. */
async function checkAnswered(ctx: Context, id: string, old: Page[], next: Page[]) {
  const before = new Map(questionsOf(old).map((field) => [field.id, field.type]))
  const changed = questionsOf(next).filter(
    (field) => before.has(field.id) && before.get(field.id) !== field.type,
  )
  for (const field of changed) {
    const answered = await ctx.one(sql`select t.id from survey_responses t
      where ${mine(ctx)} and t.survey_id = ${id} and t.answers ? ${field.id}::text limit 1`)
    if (answered) {
      throw badField('form_structure', `${field.id} has answers: give the new question a new id`)
    }
  }
}

async function keepVersion(ctx: Context, survey_id: string, version: number, pages: Page[]) {
  await ctx.run(sql`insert into survey_versions (organization_id, survey_id, version, pages)
    values (${ctx.organization.id}, ${survey_id}, ${version}, ${JSON.stringify(pages)}::jsonb)`)
}

async function readRow(ctx: Context, id: string): Promise<Body> {
  const { body } = await readOne(ctx, Survey, id)
  return JSON.parse((body as Json).text) as Body
}

function move(operation: string, summary: string, to: Status): Operation {
  return {
    name: operation,
    summary,
    can: { module: 'surveys', action: 'update' },
    writes: true,
    input: { params: byId },
    output: shape,
    run: async (ctx: Context, { params }: Input) => written(await moveSurvey(ctx, params.id, to)),
  }
}

const copied = [
  'account_id',
  'item_type',
  'description',
  'form_style',
  'form_container_style',
  'background_color',
  'background_url',
  'field_border',
  'action_color',
  'response_limit',
  'one_per_email',
  'closing_text',
  'tags',
]

function copy(operation: string, summary: string, item_type?: string): Operation {
  return {
    ...plain.create,
    name: operation,
    summary,
    input: { params: byId, body: { type: 'object', properties: { name } } },
    async run(ctx: Context, { params, body }: Input) {
      const source = await readRow(ctx, params.id)
      const { pages } = source.form_structure as { pages: Page[] }
      const fields = Object.fromEntries(copied.map((field) => [field, source[field]]))
      const type =
        item_type ?? (source.item_type === 'survey_template' ? 'survey' : source.item_type)
      const title = body.name ?? `${source.name} (copy)`.slice(0, 255)
      const made = await insert(
        ctx,
        Survey,
        { ...fields, name: title, item_type: type },
        {
          set: { form_structure: JSON.stringify({ pages, version: 1 }), field_count: count(pages) },
          along: (id) => keepVersion(ctx, id, 1, pages),
        },
      )
      return written(made)
    },
  }
}

function count(pages: Page[]): number {
  return questionsOf(pages).length
}

/** The end is in the future, but for one that is sent back as it is. */
function checkEnd(ctx: Context, { end_date }: Body, before: Body = {}) {
  const end = end_date && parseInstant(end_date, ctx.organization.timezone)
  if (end && end !== before.end_date && new Date(end) <= ctx.now()) {
    throw badField('end_date', 'must be in the future')
  }
}

function withStructure(schema: JSONSchema): JSONSchema {
  return withProperties(schema, {
    form_structure: structureSchema,
    status: { type: 'string', enum: statuses },
  })
}

function withProperties(schema: JSONSchema, more: { [name: string]: JSONSchema }): JSONSchema {
  return { ...schema, properties: { ...(schema.properties as object), ...more } }
}
