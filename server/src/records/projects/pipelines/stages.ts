import type { Static } from 'typebox'
import { Type } from 'typebox'
import { enumeration, orNull } from '../../../kit/ground/json-schema.ts'
import type { Context, Query } from '../../../kit/ground/context.ts'
import { badField, conflict } from '../../../kit/ground/errors.ts'
import type { Change } from '../../../kit/ground/event.ts'
import { newId } from '../../../kit/ground/ids.ts'
import { mine, sql } from '../../../kit/ground/sql.ts'
import { equal } from '../../../kit/ground/object.ts'
import { valueOf } from '../../../model/organizations/option-sets.ts'
import { checkRequired } from './requirements.ts'
import type { Stage } from '../../../model/projects/pipelines/cached.ts'

const stageName = (description: string) =>
  Type.Optional(Type.String({ pattern: '\\S', maxLength: 255, description }))

/** A stage in a body. */
export const stageInput = Type.Object({
  stage_id: Type.Optional(Type.String({ minLength: 1, maxLength: 25 })),
  stage_key: Type.Optional(Type.String({ pattern: '^[a-z0-9_]{1,100}$' })),
  stage_name: stageName('name of the stage, which a new one needs, here or as `name`'),
  name: stageName('the same as stage_name, and may be sent in its place'),
  category: Type.Optional(enumeration(['open', 'won', 'lost'], { title: 'StageCategory' })),
  probability: Type.Optional(Type.Integer({ minimum: 0, maximum: 100, description: 'per cent' })),
  color: Type.Optional(orNull(Type.String({ maxLength: 40, format: 'color' }))),
  icon: Type.Optional(orNull(Type.String({ maxLength: 100 }))),
  is_archived: Type.Optional(Type.Boolean({ description: 'deals can no longer enter it' })),
  required_fields: Type.Optional(
    Type.Array(Type.String({ maxLength: 255 }), {
      maxItems: 50,
      uniqueItems: true,
      description:
        'fields that a deal needs to go on to it, such as `contract_duration` or `custom_fields.sponsor`',
    }),
  ),
})

export type StageInput = Static<typeof stageInput>

export const mostStages = 100

/** The stages of a new pipeline whose body names none. */
export const defaultStages: StageInput[] = [
  { stage_name: 'Open', category: 'open', probability: 50 },
  { stage_name: 'Closed won', category: 'won', probability: 100 },
  { stage_name: 'Closed lost', category: 'lost', probability: 0 },
]

type StoredStage = Omit<Stage, 'pipeline_id'> & { is_archived: boolean }

/**
 * Merges stages into a pipeline and returns what changed. Stages are never removed, only archived. 400 without
 * an open stage, 409 if deals are in a stage whose category would change.
 */
export async function setStages(
  ctx: Context,
  pipeline: string,
  input: StageInput[],
): Promise<Change[]> {
  const before = await ctx.all<StoredStage>(sql`
    select id as stage_id, stage_key, stage_name, category, probability, color, icon, position,
      is_archived, required_fields
    from stages t where ${mine(ctx)} and t.pipeline_id = ${pipeline} order by position, id`)
  const after = merge(before, input)
  await checkRequired(ctx, input, before)
  if (!after.some(({ category, is_archived }) => category === 'open' && !is_archived)) {
    throw badField('stages', 'must keep at least one open stage')
  }
  const rows: StoredStage[] = []
  const changes: Change[] = []
  for (const stage of after) {
    const old = before.find(({ stage_id }) => stage_id === stage.stage_id)
    if (old && equal(old, stage)) continue
    if (old && (old.category !== stage.category || (!old.is_archived && stage.is_archived))) {
      // values that follow from the category, such as when deals were closed, would become wrong
      await mustBeEmpty(ctx, sql`t.stage_id = ${old.stage_id}`, `The stage ${old.stage_name}`)
    }
    rows.push(stage)
    changes.push({ field: `stages.${stage.stage_key}`, from: old ?? null, to: stage })
  }
  await ctx.run(sql`
    insert into stages (organization_id, id, pipeline_id, stage_key, stage_name, category,
      probability, color, icon, position, is_archived, required_fields)
    select ${ctx.organization.id}, s.stage_id, ${pipeline}, s.stage_key, s.stage_name, s.category,
      s.probability, s.color, s.icon, s.position, s.is_archived, s.required_fields
    from json_to_recordset(${JSON.stringify(rows)}) as s (stage_id text, stage_key text,
      stage_name text, category text, probability integer, color text, icon text, position integer,
      is_archived boolean, required_fields text[])
    on conflict (organization_id, id) do update set stage_name = excluded.stage_name,
      category = excluded.category, probability = excluded.probability, color = excluded.color,
      icon = excluded.icon, position = excluded.position, is_archived = excluded.is_archived,
      required_fields = excluded.required_fields`)
  return changes
}

/** 409 if a deal meets the condition over `t`. */
export async function mustBeEmpty(ctx: Context, condition: Query, what: string) {
  const found = await ctx.one(sql`select t.id from projects t
    where ${mine(ctx)} and ${condition} and t.deleted_at is null limit 1`)
  if (found) throw conflict(`${what} has deals: move them first`)
}

function merge(before: StoredStage[], input: StageInput[]): StoredStage[] {
  const after = new Map(before.map((stage) => [stage.stage_id, stage]))
  const order: string[] = []
  for (const [i, { name, stage_name = name, ...more }] of input.entries()) {
    const stage_key = more.stage_key ?? (stage_name ? valueOf(stage_name) || `stage_${i}` : '')
    const old = more.stage_id
      ? after.get(more.stage_id)
      : [...after.values()].find((stage) => stage.stage_key === stage_key)
    if (more.stage_id && !old) throw badField(`stages.${i}.stage_id`, 'no such stage')
    const stage = old ?? newStage(i, { ...more, stage_key, stage_name })
    const { stage_id } = stage
    if (order.includes(stage_id)) throw badField(`stages.${i}`, 'is given twice')
    order.push(stage_id)
    const named = stage_name ? { stage_name } : {}
    after.set(stage_id, { ...stage, ...more, ...named, stage_id, stage_key: stage.stage_key })
  }
  if (after.size > mostStages) throw badField('stages', `at most ${mostStages} in a pipeline`)
  const left = before.filter(({ stage_id }) => !order.includes(stage_id))
  // if a body names only some of them, the others keep their order
  const isWhole = left.every(({ stage_id }) => after.get(stage_id)?.is_archived)
  const sequence = isWhole ? [...order, ...left.map(({ stage_id }) => stage_id)] : after.keys()
  return [...sequence].flatMap((id, position) => {
    const stage = after.get(id)
    return stage ? [{ ...stage, position }] : []
  })
}

function newStage(
  i: number,
  { stage_key = '', stage_name, category = 'open' }: StageInput,
): StoredStage {
  if (!stage_name) throw badField(`stages.${i}.stage_name`, 'is required')
  return {
    stage_id: newId(),
    stage_key,
    stage_name,
    category,
    probability: { open: 50, won: 100, lost: 0 }[category],
    color: null,
    icon: null,
    position: 0,
    is_archived: false,
    required_fields: [],
  }
}
