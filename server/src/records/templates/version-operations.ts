import { Type } from 'typebox'
import { byId } from '../../kit/crud.ts'
import type { Context } from '../../kit/ground/context.ts'
import { badFields, notFound } from '../../kit/ground/errors.ts'
import { orNull } from '../../kit/ground/json-schema.ts'
import { unknownKeys } from '../../kit/ground/nearest.ts'
import { Answer, operation } from '../../kit/ground/operation.ts'
import { sql } from '../../kit/ground/sql.ts'
import { scope } from '../../kit/record/scope.ts'
import { update } from '../../kit/write/write.ts'
import type { TemplateConfig, TemplateRole } from '../../model/templates/config.ts'
import { completed, configSchema, roleSchema } from '../../model/templates/config.ts'
import { Template } from '../../model/templates/template.ts'
import { checkPlan, checkRoles } from './check-plan.ts'
import { lockOwn } from './own.ts'
import {
  draftOf,
  dropDraft,
  isOtherPlan,
  planOfVersion,
  publishDraft,
  storeDraft,
  versionsOf,
} from './versions.ts'

const roles = Type.Array(roleSchema, { maxItems: 100 })

const draftSchema = Type.Object(
  {
    template_id: Type.String(),
    is_draft: Type.Boolean({ description: 'false: there is none, and this is what is published' }),
    template_config: configSchema,
    roles,
    published_version: Type.Integer(),
    version: Type.Integer({ description: 'of the template, for `If-Match`' }),
  },
  { title: 'TemplateDraft', additionalProperties: false },
)

const versionSchema = Type.Object(
  {
    number: Type.Integer({ description: 'from 1 on, each time it is published' }),
    note: orNull(Type.String({ description: 'what changed' })),
    is_current: Type.Boolean({ description: 'whether it is the one that is used now' }),
    milestones: Type.Integer(),
    tasks: Type.Integer(),
    working_days: Type.Integer({ description: 'from the first to the last day' }),
    created_by: orNull(
      Type.Object(
        { user_id: Type.String(), full_name: Type.String() },
        { title: 'TemplateVersionAuthor', additionalProperties: false },
      ),
    ),
    creation_time: orNull(Type.String({ format: 'date-time' })),
  },
  { title: 'TemplateVersion', additionalProperties: false },
)

/** The draft of a template. */
export const readDraft = operation({
  name: 'read_template_draft',
  summary: 'Retrieve the draft of a template',
  description: 'Its next version, which nothing uses until it is published.',
  can: { module: 'templates', action: 'read' },
  writes: false,
  input: { params: byId },
  output: draftSchema,
  run: (ctx, { params }) => shownDraft(ctx, params.id),
})

/** Stores the draft of a template. */
export const changeDraft = operation({
  name: 'update_template_draft',
  summary: 'Store the draft of a template',
  can: { module: 'templates', action: 'update' },
  writes: true,
  isVersioned: true,
  input: {
    params: byId,
    body: Type.Object({ template_config: configSchema, roles: Type.Optional(roles) }),
  },
  output: draftSchema,
  async run(ctx, { params: { id }, body, ifMatch }) {
    // what was read may be sent back
    const errors = unknownKeys(body, Object.keys(draftSchema.properties), '')
    if (errors.length) throw badFields(errors)
    const locked = await lockOwn(ctx, id, 'update', ifMatch)
    const before = (await draftOf(ctx, id)) ?? locked.row
    await checkPlan(ctx, body.template_config, before.template_config)
    await checkRoles(ctx, body.roles)
    const plan = {
      template_config: completed(body.template_config),
      roles: body.roles ?? before.roles,
    }
    if (isOtherPlan(before, plan)) await storeDraft(ctx, locked, plan)
    return shownDraft(ctx, id)
  },
})

/** Discards the draft of a template. */
export const removeDraft = operation({
  name: 'delete_template_draft',
  summary: 'Discard the draft of a template',
  can: { module: 'templates', action: 'update' },
  writes: true,
  isVersioned: true,
  input: { params: byId },
  output: draftSchema,
  async run(ctx, { params: { id }, ifMatch }) {
    const locked = await lockOwn(ctx, id, 'update', ifMatch)
    await dropDraft(ctx, id)
    await update(ctx, locked, {}, { set: { draft_version: null } })
    return shownDraft(ctx, id)
  },
})

/** Publishes the draft of a template as its next version. */
export const publishTemplate = operation({
  name: 'publish_template',
  summary: 'Publish the draft of a template',
  description:
    'The draft becomes the next version. Projects keep the version from which they were made.',
  can: { module: 'templates', action: 'update' },
  writes: true,
  input: {
    params: byId,
    body: Type.Object(
      { note: Type.String({ pattern: '\\S', maxLength: 500, description: 'what changed' }) },
      { additionalProperties: false },
    ),
  },
  output: Type.Object(
    {
      template_id: Type.String(),
      published_version: Type.Integer(),
      note: Type.String({ description: 'what changed' }),
      version: Type.Integer({ description: 'of the template, for `If-Match`' }),
    },
    { title: 'PublishedTemplate', additionalProperties: false },
  ),
  async run(ctx, { params: { id }, body }) {
    const locked = await lockOwn(ctx, id, 'update')
    const note = body.note.trim()
    const { version } = await publishDraft(ctx, locked, note)
    const { published_version } = await foundTemplate(ctx, id)
    return { template_id: id, published_version, note, version }
  },
})

/** The versions of a template. */
export const listVersions = operation({
  name: 'list_template_versions',
  summary: 'List the versions of a template',
  description: 'The newest first.',
  can: { module: 'templates', action: 'read' },
  writes: false,
  input: { params: byId },
  output: Type.Array(versionSchema),
  run: (ctx, { params }) => versionsOf(ctx, params.id),
})

/** The plan of one version of a template. */
export const readVersion = operation({
  name: 'read_template_version',
  summary: 'Retrieve the plan of a version of a template',
  can: { module: 'templates', action: 'read' },
  writes: false,
  input: {
    params: Type.Object({
      id: Type.String({ description: 'the id of the template' }),
      number: Type.String({ description: 'the number of the version' }),
    }),
  },
  output: Type.Object(
    {
      number: Type.Integer({ description: 'of the version' }),
      template_config: configSchema,
      roles,
    },
    { title: 'TemplateVersionPlan', additionalProperties: false },
  ),
  async run(ctx, { params: { id, number: text } }) {
    const template = await foundTemplate(ctx, id)
    const number = /^\d{1,9}$/.test(text) ? Number(text) : 0
    if (!number) throw notFound('Version')
    const plan =
      number === template.published_version ? template : await planOfVersion(ctx, id, number)
    if (!plan) throw notFound('Version')
    return { number, template_config: plan.template_config, roles: plan.roles }
  },
})

type Found = {
  template_config: TemplateConfig
  roles: TemplateRole[]
  published_version: number
  version: number
}

async function foundTemplate(ctx: Context, id: string): Promise<Found> {
  const found = await ctx.one<Found>(sql`
    select t.template_config, t.roles, t.published_version, t.version from templates t
    where ${scope(ctx, Template, 'read')} and t.id = ${id}`)
  if (!found) throw notFound('Template')
  return found
}

async function shownDraft(ctx: Context, id: string) {
  const { published_version, version, ...published } = await foundTemplate(ctx, id)
  const draft = await draftOf(ctx, id)
  const { template_config, roles: its } = draft ?? published
  const shown = {
    template_id: id,
    is_draft: draft !== undefined,
    template_config,
    roles: its,
    published_version,
    version,
  }
  return new Answer(shown, { version })
}
