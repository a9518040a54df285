import { Type } from 'typebox'
import { crud } from '../../kit/crud.ts'
import { arrayOf, enumeration, extend, without } from '../../kit/ground/json-schema.ts'
import { operation } from '../../kit/ground/operation.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { envelopeOf, listEnvelope, listPage, listWhole } from '../../kit/read/list.ts'
import { nextCursorProperty } from '../../kit/read/page.ts'
import { readSchema } from '../../kit/record/schema.ts'
import { insert, remove, restore, update, written } from '../../kit/write/write.ts'
import { clearDefault } from '../../kit/write/default-mark.ts'
import { checkPlan, checkRoles } from './check-plan.ts'
import { completed } from '../../model/templates/config.ts'
import { duplicateTemplate } from './duplicate.ts'
import { lockOwn } from './own.ts'
import { isOtherPlan, nextVersion, storeCurrent } from './versions.ts'
import { Template, templateWords } from '../../model/templates/template.ts'

const plain = crud(Template)

const kind = { template_type: Type.Optional(enumeration(templateWords, { title: 'TemplateType' })) }

/** The operations of templates; those that come with the product cannot be changed. */
export const templates = {
  ...plain,
  list: operation({
    ...plain.list,
    input: { query: extend(plain.list.input.query, kind) },
    run: (ctx, { query }) => listPage(ctx, Template, query, ofType(query)),
  }),
  create: operation({
    ...plain.create,
    async run(ctx, { body }) {
      await checkPlan(ctx, body.template_config)
      await checkRoles(ctx, body.roles)
      const type = body.template_type ?? 'project'
      if (body.is_default) await clearDefault(ctx, Template, sql`t.template_type = ${type}`)
      const template_config = completed(body.template_config)
      return written(
        await insert(ctx, Template, { ...body, ...(template_config && { template_config }) }),
      )
    },
  }),
  update: operation({
    ...plain.update,
    async run(ctx, { params, body, ifMatch }) {
      const locked = await lockOwn(ctx, params.id, 'update', ifMatch)
      const { row } = locked
      await checkPlan(ctx, body.template_config, row.template_config)
      await checkRoles(ctx, body.roles)
      const type = body.template_type ?? row.template_type
      if (body.is_default) {
        await clearDefault(ctx, Template, sql`t.template_type = ${type}`, params.id)
      }
      const template_config = completed(body.template_config)
      const whole = { ...body, ...(template_config && { template_config }) }
      const plan = {
        template_config: { ...row.template_config, ...template_config },
        roles: body.roles ?? row.roles,
      }
      if (!isOtherPlan(row, plan)) return written(await update(ctx, locked, whole))
      const set = await nextVersion(ctx, params.id, row)
      const after = await update(ctx, locked, whole, { set })
      await storeCurrent(ctx, params.id, null)
      return written(after)
    },
  }),
  remove: operation({
    ...plain.remove,
    async run(ctx, { params, ifMatch }) {
      await lockOwn(ctx, params.id, 'delete', ifMatch)
      return remove(ctx, Template, params.id)
    },
  }),
  restore: operation({
    ...plain.restore,
    async run(ctx, { params }) {
      const found = await ctx.one<{ template_type: string }>(sql`
        select template_type from templates t
        where ${mine(ctx)} and t.id = ${params.id} and t.is_default`)
      if (found) {
        await clearDefault(ctx, Template, sql`t.template_type = ${found.template_type}`, params.id)
      }
      return written(await restore(ctx, Template, params.id))
    },
  }),
  duplicate: operation({
    ...plain.create,
    name: 'duplicate_template',
    summary: 'Duplicate a template',
    description: 'The copy of a predefined template can be changed.',
    input: {
      params: plain.read.input.params,
      body: Type.Object({
        template_name: Type.Optional(Type.String({ pattern: '\\S', maxLength: 255 })),
      }),
    },
    run: async (ctx, { params, body }) => written(await duplicateTemplate(ctx, params.id, body)),
  }),
  defaults: operation({
    name: 'list_default_templates',
    summary: 'List the default template of each type',
    can: { module: 'templates', action: 'read' },
    writes: false,
    input: {},
    output: arrayOf(readSchema(Template)),
    run: (ctx) => listWhole(ctx, Template, { items_per_page: 500 }, sql`t.is_default`),
  }),
  paginated: operation({
    name: 'page_templates',
    summary: 'List templates with their count and links to other pages',
    can: { module: 'templates', action: 'read' },
    writes: false,
    input: {
      query: extend(without(plain.list.input.query, 'filter', 'filter_id', 'fields', 'q'), {
        ...kind,
        next_cursor: nextCursorProperty,
      }),
    },
    output: envelopeOf(readSchema(Template)),
    run: (ctx, input) => listEnvelope(ctx, Template, input, restricted(input.query)),
  }),
}

/** What restricts a list to a type, and binds its cursors to it. */
function restricted(query: { template_type?: string }) {
  return { extra: ofType(query), words: query.template_type ?? '' }
}

function ofType({ template_type }: { template_type?: string }) {
  return template_type ? sql`t.template_type = ${template_type}` : undefined
}
