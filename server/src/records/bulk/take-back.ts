import { Type } from 'typebox'
import type { Static } from 'typebox'
import type { Context } from '../../kit/ground/context.ts'
import { conflict, notFound } from '../../kit/ground/errors.ts'
import type { Change } from '../../kit/ground/event.ts'
import { orNull } from '../../kit/ground/json-schema.ts'
import { operation } from '../../kit/ground/operation.ts'
import { all, mine, sql } from '../../kit/ground/sql.ts'
import { lock } from '../../kit/write/write.ts'
import type { AnyRecord } from '../../kit/record/record.ts'
import { isWritable, ownField } from '../../kit/record/record.ts'
import { hasId } from '../activity/log.ts'
import { readEntries } from '../activity/entry.ts'
import { visibleEntries } from '../activity/visible.ts'
import type { BulkList } from './list.ts'
import { perform } from './list.ts'
import { pathOf } from './undo.ts'

const field = Type.String({ description: 'its name' })

const outcome = Type.Object(
  {
    returns: Type.Array(field, { description: 'the fields that are as before again' }),
    kept: Type.Array(
      Type.Object(
        {
          field,
          by: orNull(Type.String({ description: 'who changed it since, by name' })),
        },
        { title: 'KeptChange', additionalProperties: false },
      ),
      { description: 'fields that were changed since, which stay as they are' },
    ),
    cannot: Type.Array(field, { description: 'fields that follow from others, or are fixed' }),
  },
  { title: 'TakenBack', additionalProperties: false },
)

type Entry = {
  reference_id: string | null
  raw_description: { module?: unknown; action?: unknown }
  changes: Change[]
}

/** Takes back a change of a record: its fields are as before, by the ordinary change of one record. */
export function takeBackOf(lists: BulkList[]) {
  return operation({
    name: 'take_back_change',
    summary: 'Take back a change',
    description:
      'Gives the fields of a record back what they had before an entry of the log, by an ordinary change with its ' +
      'rights, log entry and events. What was changed since stays. `preview` says what would return. ' +
      '409 `cannot_be_taken_back` for other entries, and where nothing would return.',
    can: { module: 'activity', action: 'read' },
    topic: 'bulk',
    writes: true,
    input: {
      params: Type.Object({ id: Type.String({ description: 'the log_id of the entry' }) }),
      body: Type.Object({
        preview: Type.Optional(Type.Boolean({ description: 'only says what would return' })),
      }),
    },
    output: outcome,
    async run(ctx, { params, body }) {
      const { entries } = await readEntries(ctx, all(visibleEntries(ctx), hasId(params.id)))
      const [found] = entries
      if (!found) throw notFound('Log entry')
      const entry = JSON.parse(found.text) as Entry
      const kind = lists.find(({ record }) => isOf(record, entry.raw_description.module))
      const { reference_id } = entry
      if (!kind?.operations.update || !reference_id || entry.raw_description.action !== 'updated')
        throw refused('Only a change of a record is taken back')
      // nothing is changed between the look at what came later and the way back
      if (!body.preview) await lock(ctx, kind.record, reference_id, 'update')
      const taken = await comparedWith(ctx, kind.record, found.id, reference_id, entry.changes)
      if (body.preview) return namesOf(taken)
      if (!taken.returns.length) throw refused('Every field was changed since, or is fixed')
      const at = await pathOf(ctx, kind, reference_id)
      await perform(ctx, kind, 'update', { at, id: reference_id, body: bodyOf(taken.returns) })
      return namesOf(taken)
    },
  })
}

function refused(message: string) {
  return conflict(message, 'cannot_be_taken_back')
}

function isOf({ module, find }: AnyRecord, named: unknown): boolean {
  return [module, ...(find.filteredAs ?? [])].some((each) => each === named)
}

type Taken = Omit<Static<typeof outcome>, 'returns'> & { returns: Change[] }

/** The changes of an entry by what became of their fields since. */
async function comparedWith(
  ctx: Context,
  record: AnyRecord,
  entry: string,
  reference_id: string,
  changes: Change[],
): Promise<Taken> {
  const later = await ctx.all<{ field: string; by: string | null }>(sql`
    select distinct on (c.value ->> 'field') c.value ->> 'field' as field, e.actor_name as by
    from events e cross join json_array_elements(e.changes) c
    where ${mine(ctx, 'e')} and e.reference_id = ${reference_id} and e.id > ${entry}
      and e.module_id = (select o.module_id from events o where ${mine(ctx, 'o')} and o.id = ${entry})
      and json_typeof(e.changes) = 'array'
    order by c.value ->> 'field', e.id desc`)
  const since = new Map(later.map((each) => [each.field, each.by]))
  const taken: Taken = { returns: [], kept: [], cannot: [] }
  for (const change of changes) {
    const by = since.get(change.field)
    const own = ownField(record, change.field)
    if (by !== undefined) taken.kept.push({ field: change.field, by })
    else if (change.field.startsWith(custom) || (own && isWritable(own) && !own.isStated))
      taken.returns.push(change)
    else taken.cannot.push(change.field)
  }
  return taken
}

const custom = 'custom_fields.'

/** The body that gives fields their values of before. */
function bodyOf(changes: Change[]): { [field: string]: unknown } {
  const own: { [field: string]: unknown } = {}
  const custom_fields: { [key: string]: unknown } = {}
  for (const { field: name, from } of changes) {
    if (name.startsWith(custom)) custom_fields[name.slice(custom.length)] = from
    else own[name] = from
  }
  return Object.keys(custom_fields).length ? { ...own, custom_fields } : own
}

function namesOf({ returns, ...rest }: Taken): Static<typeof outcome> {
  return { returns: returns.map(({ field: name }) => name), ...rest }
}
