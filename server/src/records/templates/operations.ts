import type { Context } from '../../kit/ground/context.ts'
import { crud } from '../../kit/crud.ts'
import { badField, forbidden } from '../../kit/ground/errors.ts'
import { envelopeOf, listEnvelope, listPage } from '../../kit/read/list.ts'
import type { Input, Operation } from '../../kit/ground/operation.ts'
import { readSchema } from '../../kit/record/schema.ts'
import { arrayOf, without } from '../../kit/ground/json-schema.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { insert, lock, readOne, remove, restore, update, written } from '../../kit/write/write.ts'
import { clearDefault } from '../default-mark.ts'
import type { TemplateConfig } from './config.ts'
import { configSchema } from './config.ts'
import { Template } from './template.ts'
import type { JSONSchema } from '../../kit/ground/json-schema.ts'

const plain = crud(Template)

const kind = {
  template_type: { type: 'string', enum: ['project', 'pipelines', 'deal_stages'] },
}

export const templates = {
  ...plain,
  list: {
    ...plain.list,
    input: { query: withProperties(plain.list.input.query!, kind) },
    run: (ctx: Context, { query }: Input) => listPage(ctx, Template, query, ofType(query)),
  } satisfies Operation,
  create: {
    ...plain.create,
    input: { body: withPlan(plain.create.input.body!) },
    async run(ctx: Context, { body }: Input) {
      checkPlan(body.template_config)
      const type = body.template_type ?? 'project'
      if (body.is_default) await clearDefault(ctx, Template, sql`t.template_type = ${type}`)
      return written(await insert(ctx, Template, body))
    },
  } satisfies Operation,
  update: {
    ...plain.update,
    input: { ...plain.update.input, body: withPlan(plain.update.input.body!) },
    async run(ctx: Context, { params, body, ifMatch }: Input) {
      const { row } = await lockOwn(ctx, params.id, 'update', ifMatch)
      checkPlan(body.template_config)
      const type = body.template_type ?? row.template_type
      if (body.is_default) {
        await clearDefault(ctx, Template, sql`t.template_type = ${type}`, params.id)
      }
      return written(await update(ctx, Template, params.id, body))
    },
  } satisfies Operation,
  remove: {
    ...plain.remove,
    async run(ctx: Context, { params, ifMatch }: Input) {
      await lockOwn(ctx, params.id, 'delete', ifMatch)
      return remove(ctx, Template, params.id)
    },
  } satisfies Operation,
  restore: {
    ...plain.restore,
    async run(ctx: Context, { params }: Input) {
      const found = await ctx.one<{ template_type: string }>(sql`
        select template_type from templates t
        where ${mine(ctx)} and t.id = ${params.id} and t.is_default`)
      if (found) {
        await clearDefault(ctx, Template, sql`t.template_type = ${found.template_type}`, params.id)
      }
      return written(await restore(ctx, Template, params.id))
    },
  } satisfies Operation,
  duplicate: {
    ...plain.create,
    name: 'duplicate_template',
    summary: 'Copy a template; the copy of a predefined one is yours to change',
    input: {
      params: plain.read.input.params!,
      body: {
        type: 'object',
        properties: { template_name: { type: 'string', pattern: '\\S', maxLength: 255 } },
      },
    },
    async run(ctx: Context, { params, body }: Input) {
      const { body: read } = await readOne(ctx, Template, params.id)
      const source = JSON.parse((read as { text: string }).text)
      const { description, template_type, template_config, options, tags } = source
      const template_name = body.template_name ?? `${source.template_name} (copy)`.slice(0, 255)
      const copy = { template_name, description, template_type, template_config, options, tags }
      return written(await insert(ctx, Template, copy))
    },
  } satisfies Operation,
  defaults: {
    name: 'list_default_templates',
    summary: 'The default template of each type',
    can: { module: 'templates', action: 'read' },
    writes: false,
    input: {},
    output: arrayOf(readSchema(Template)),
    run: (ctx: Context) => listPage(ctx, Template, { items_per_page: 500 }, sql`t.is_default`),
  } satisfies Operation,
  paginated: {
    name: 'page_templates',
    summary: 'List templates with their count and links',
    can: { module: 'templates', action: 'read' },
    writes: false,
    input: {
      query: withProperties(
        without(plain.list.input.query!, 'filter', 'filter_id', 'fields', 'q'),
        kind,
      ),
    },
    output: envelopeOf(readSchema(Template)),
    run: (ctx: Context, input: Input) =>
      listEnvelope(ctx, Template, input, { extra: ofType(input.query) }),
  } satisfies Operation,
}

function ofType({ template_type }: { template_type?: string }) {
  return template_type ? sql`t.template_type = ${template_type}` : undefined
}

/** 403 for the templates that the product ships. */
async function lockOwn(ctx: Context, id: string, action: 'update' | 'delete', ifMatch?: number[]) {
  const locked = await lock(ctx, Template, id, action, ifMatch)
  if (locked.row.is_predefined) {
    throw forbidden('This template comes with the product: duplicate it to change it', 'protected')
  }
  return locked
}

/** What a schema cannot say: at most 2,000 tasks, each named, waiting only for what the plan has. */
function checkPlan(config: TemplateConfig | undefined) {
  const seen = new Set<string>()
  let count = 0
  for (const [s, stage] of (config?.stages ?? []).entries()) {
    const holders = [
      { tasks: stage.tasks ?? [], path: `stages.${s}` },
      ...(stage.milestones ?? []).map(({ tasks = [] }, m) => ({
        tasks,
        path: `stages.${s}.milestones.${m}`,
      })),
    ]
    for (const { tasks, path } of holders) {
      for (const [t, task] of tasks.entries()) {
        const at = `template_config.${path}.tasks.${t}`
        const title = task.title ?? (task as { name?: string }).name
        if (!title) throw badField(`${at}.title`, 'is required')
        const missing = task.depends_on?.find((ref) => !seen.has(ref))
        if (missing) throw badField(`${at}.depends_on`, `no earlier task is called ${missing}`)
        for (const ref of [task.id, title]) if (ref) seen.add(ref)
        if (++count > 2000) throw badField('template_config', 'must have at most 2,000 tasks')
      }
    }
  }
}

function withPlan(schema: JSONSchema): JSONSchema {
  return withProperties(schema, { template_config: configSchema })
}

function withProperties(schema: JSONSchema, more: { [name: string]: JSONSchema }): JSONSchema {
  return { ...schema, properties: { ...(schema.properties as object), ...more } }
}
