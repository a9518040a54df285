import type { Context } from '../../kit/ground/context.ts'
import { crud } from '../../kit/crud.ts'
import { without } from '../../kit/ground/json-schema.ts'
import { badField, conflict, forbidden } from '../../kit/ground/errors.ts'
import { newId } from '../../kit/ground/ids.ts'
import type { Action, Can, Input, Operation } from '../../kit/ground/operation.ts'
import {
  boolean,
  computed,
  defaulted,
  integer,
  key,
  list,
  optional,
  readOnly,
  record,
  required,
  text,
  timestamp,
  unlisted,
} from '../../kit/record/record.ts'
import { levelOf } from '../../kit/record/scope.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { equal } from '../../kit/write/changes.ts'
import { insert, lock, remove, restore, update, written } from '../../kit/write/write.ts'
import { clearDefault } from '../default-mark.ts'
import { valueOf } from '../organizations/option-sets.ts'
import type { Stage } from './pipeline.ts'
import type { JSONSchema } from '../../kit/ground/json-schema.ts'
import type { Change } from '../../kit/ground/event.ts'

const most = { stages: 100 }

/** The way of a sale: its stages in their order. Whoever may change every deal may change it. */
export const Pipeline = record(
  {
    module: 'pipelines',
    word: 'pipeline',
    title: 'pipeline_name',
    aliases: { name: 'pipeline_name' },
    follows: ['deals'],
    links: [
      { table: 'projects', column: 'pipeline_id' },
      {
        table: 'stages',
        column: 'pipeline_id',
        part: {
          namedBy: [
            { table: 'projects', column: 'stage_id' },
            { table: 'stage_changes', column: 'stage_id' },
          ],
        },
      },
    ],
    rights({ actor }, action) {
      const level = levelOf(actor, 'deals', action === 'read' ? 'read' : 'update')
      return level === 'all' || (action === 'read' && level !== 'none') ? sql`true` : sql`false`
    },
  },
  {
    pipeline_id: key(),
    pipeline_name: required(text(255)),
    description: optional(text()),
    is_default: defaulted(boolean(), false),
    position: defaulted(integer(), 0),
    stages: computed(
      unlisted(list({ type: 'object' })),
      `(select coalesce(jsonb_agg(jsonb_build_object('stage_id', s.id, 'stage_key', s.stage_key,
          'stage_name', s.stage_name, 'category', s.category, 'probability', s.probability,
          'color', s.color, 'icon', s.icon, 'position', s.position, 'is_archived', s.is_archived)
          order by s.position, s.id), '[]')
        from stages s where s.organization_id = t.organization_id and s.pipeline_id = t.id)`,
    ),
    creation_time: readOnly(timestamp()),
    last_update_time: readOnly(timestamp()),
  },
)

const plain = crud(Pipeline)
const may = (action: Action): Can => ({ module: 'deals', action })

/** How a body gives stages: they merge by id or key, and follow its order where it names them all. */
const stagesSchema: JSONSchema = {
  type: 'array',
  maxItems: most.stages,
  items: {
    type: 'object',
    properties: {
      stage_id: { type: 'string', minLength: 1, maxLength: 25 },
      stage_key: { type: 'string', pattern: '^[a-z0-9_]{1,100}$' },
      stage_name: { type: 'string', pattern: '\\S', maxLength: 255 },
      name: { type: 'string', pattern: '\\S', maxLength: 255 },
      category: { type: 'string', enum: ['open', 'won', 'lost'] },
      probability: { type: 'integer', minimum: 0, maximum: 100, description: 'per cent' },
      color: { type: ['string', 'null'], maxLength: 40 },
      icon: { type: ['string', 'null'], maxLength: 100 },
      is_archived: { type: 'boolean', description: 'deals cannot enter it any more' },
    },
  },
}

/** Pipelines and their stages, as data of the organization. */
export const pipelines = {
  list: {
    ...plain.list,
    can: may('read'),
    input: { query: without(plain.list.input.query!, 'filter', 'filter_id') },
  } satisfies Operation,
  read: { ...plain.read, can: may('read') } satisfies Operation,
  create: {
    ...plain.create,
    can: may('update'),
    input: { body: withStages(plain.create.input.body!) },
    async run(ctx: Context, { body: { stages, ...body } }: Input) {
      mayEdit(ctx)
      await freeName(ctx, body.pipeline_name)
      if (body.is_default) await clearDefault(ctx, Pipeline, sql`true`)
      const made = await insert(ctx, Pipeline, body, {
        along: (id) => setStages(ctx, id, stages ?? freshStages),
      })
      ctx.forget()
      return written(made)
    },
  } satisfies Operation,
  update: {
    ...plain.update,
    can: may('update'),
    input: { ...plain.update.input, body: withStages(plain.update.input.body!) },
    async run(ctx: Context, { params, body: { stages, ...body }, ifMatch }: Input) {
      const { row } = await lock(ctx, Pipeline, params.id, 'update', ifMatch)
      if (body.pipeline_name) await freeName(ctx, body.pipeline_name, params.id)
      if (row.is_default && body.is_default === false) {
        throw badField('is_default', 'make another pipeline the default instead')
      }
      if (body.is_default && !row.is_default) await clearDefault(ctx, Pipeline, sql`true`)
      const changes = stages ? await setStages(ctx, params.id, stages) : []
      ctx.forget()
      return written(await update(ctx, Pipeline, params.id, body, { also: changes }))
    },
  } satisfies Operation,
  remove: {
    ...plain.remove,
    can: may('update'),
    async run(ctx: Context, { params, ifMatch }: Input) {
      const { row } = await lock(ctx, Pipeline, params.id, 'delete', ifMatch)
      if (row.is_default) throw conflict('The default pipeline cannot be deleted')
      await mustBeEmpty(ctx, sql`t.pipeline_id = ${params.id}`, 'This pipeline')
      ctx.forget()
      return remove(ctx, Pipeline, params.id)
    },
  } satisfies Operation,
  restore: {
    ...plain.restore,
    can: may('update'),
    async run(ctx: Context, { params }: Input) {
      ctx.forget()
      return written(await restore(ctx, Pipeline, params.id))
    },
  } satisfies Operation,
}

type Given = Partial<Stage> & { name?: string; is_archived?: boolean }
type Kept = Omit<Stage, 'pipeline_id'> & { is_archived: boolean }

const freshStages: Given[] = [
  { stage_name: 'Open', category: 'open', probability: 50 },
  { stage_name: 'Closed won', category: 'won', probability: 100 },
  { stage_name: 'Closed lost', category: 'lost', probability: 0 },
]

/** Merges stages into a pipeline and gives what changed. None is removed but by `is_archived`. */
async function setStages(ctx: Context, pipeline: string, given: Given[]): Promise<Change[]> {
  const before = await ctx.all<Kept>(sql`
    select id as stage_id, stage_key, stage_name, category, probability, color, icon, position,
      is_archived
    from stages t where ${mine(ctx)} and t.pipeline_id = ${pipeline} order by position, id`)
  const after = merged(before, given)
  if (!after.some(({ category, is_archived }) => category === 'open' && !is_archived)) {
    throw badField('stages', 'must keep at least one open stage')
  }
  const changes: Change[] = []
  for (const stage of after) {
    const old = before.find(({ stage_id }) => stage_id === stage.stage_id)
    if (old && equal(old, stage)) continue
    if (old && (old.category !== stage.category || (!old.is_archived && stage.is_archived))) {
      // what the category says of them, such as when they were closed, would no longer be true
      await mustBeEmpty(ctx, sql`t.stage_id = ${old.stage_id}`, `The stage ${old.stage_name}`)
    }
    changes.push({ field: `stages.${stage.stage_key}`, from: old ?? null, to: stage })
  }
  const rows = changes.map(({ to }) => to as Kept)
  await ctx.run(sql`
    insert into stages (organization_id, id, pipeline_id, stage_key, stage_name, category,
      probability, color, icon, position, is_archived)
    select ${ctx.organization.id}, s.stage_id, ${pipeline}, s.stage_key, s.stage_name, s.category,
      s.probability, s.color, s.icon, s.position, s.is_archived
    from json_to_recordset(${JSON.stringify(rows)}) as s (stage_id text, stage_key text,
      stage_name text, category text, probability integer, color text, icon text, position integer,
      is_archived boolean)
    on conflict (organization_id, id) do update set stage_name = excluded.stage_name,
      category = excluded.category, probability = excluded.probability, color = excluded.color,
      icon = excluded.icon, position = excluded.position, is_archived = excluded.is_archived`)
  return changes
}

function merged(before: Kept[], given: Given[]): Kept[] {
  const after = new Map(before.map((stage) => [stage.stage_id, stage]))
  const order: string[] = []
  for (const [i, { name, stage_name = name, ...more }] of given.entries()) {
    const stage_key = more.stage_key ?? (stage_name ? valueOf(stage_name) || `stage_${i}` : '')
    const old = more.stage_id
      ? after.get(more.stage_id)
      : [...after.values()].find((stage) => stage.stage_key === stage_key)
    if (more.stage_id && !old) throw badField(`stages.${i}.stage_id`, 'no such stage')
    if (!old && !stage_name) throw badField(`stages.${i}.stage_name`, 'is required')
    const fresh = { stage_id: newId(), stage_key, stage_name: stage_name!, ...usual(more) }
    const { stage_id, stage_key: kept } = old ?? fresh
    if (order.includes(stage_id)) throw badField(`stages.${i}`, 'is given twice')
    order.push(stage_id)
    const named = stage_name ? { stage_name } : {}
    after.set(stage_id, { ...(old ?? fresh), ...more, ...named, stage_id, stage_key: kept })
  }
  if (after.size > most.stages) throw badField('stages', `at most ${most.stages} in a pipeline`)
  const left = before.map(({ stage_id }) => stage_id).filter((id) => !order.includes(id))
  // a body that names some of them leaves the others where they are
  const isWhole = left.every((id) => after.get(id)!.is_archived)
  const sequence = isWhole ? [...order, ...left] : [...after.keys()]
  return sequence.map((id, position) => ({ ...after.get(id)!, position }))
}

function usual({ category = 'open' }: Given) {
  const probability = { open: 50, won: 100, lost: 0 }[category]
  return { category, probability, color: null, icon: null, position: 0, is_archived: false }
}

async function mustBeEmpty(ctx: Context, condition: ReturnType<typeof mine>, what: string) {
  const held = await ctx.one(sql`select t.id from projects t
    where ${mine(ctx)} and ${condition} and t.deleted_at is null limit 1`)
  if (held) throw conflict(`${what} has deals: move them first`)
}

async function freeName(ctx: Context, name: string, except = '') {
  const taken = await ctx.one<{ id: string }>(sql`select t.id from pipelines t
    where ${mine(ctx)} and lower(t.pipeline_name) = lower(${name}::text) and t.deleted_at is null
      and t.id <> ${except}`)
  if (!taken) return
  throw conflict('A pipeline has this name', 'duplicate', { pipeline_id: taken.id })
}

function mayEdit({ actor }: Context) {
  if (levelOf(actor, 'deals', 'update') !== 'all') {
    throw forbidden('Your role may not change every deal, so not its pipelines')
  }
}

function withStages(schema: JSONSchema): JSONSchema {
  return {
    ...schema,
    properties: { ...(schema.properties as object), stages: stagesSchema },
  }
}
