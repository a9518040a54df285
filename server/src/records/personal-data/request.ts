import { Type } from 'typebox'
import type { Static } from 'typebox'
import type { Context } from '../../kit/ground/context.ts'
import { notFound } from '../../kit/ground/errors.ts'
import { arrayOf, enumeration, orNull, schema } from '../../kit/ground/json-schema.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import type { Pattern } from './pattern.ts'
import { patternOf } from './pattern.ts'
import type { Person } from './person.ts'

const counts = (description: string) =>
  schema<{ [table: string]: number }>({
    type: 'object',
    additionalProperties: { type: 'integer' },
    description,
  })

/** What an erasure did and what it left; contains nothing that identifies the person. */
const receipt = Type.Object(
  {
    rows: Type.Optional(counts('rows that were changed or removed, by table')),
    files: Type.Optional(
      Type.Object({
        removed: Type.Integer(),
        rewritten: Type.Integer({ description: 'texts without the traces of the person' }),
        not_searched: Type.Integer({
          description:
            'other files whose formats have no plain text, such as PDF, and what others attached for signatures',
        }),
      }),
    ),
    mails: Type.Optional(
      Type.Integer({ description: 'mails removed, stored ones and waiting ones' }),
    ),
    kept: Type.Optional(
      Type.Array(
        Type.Object({
          what: Type.String(),
          why: Type.String(),
          document_ids: Type.Array(Type.String()),
        }),
        { description: 'what the law lets one keep' },
      ),
    ),
    beyond: Type.Optional(
      Type.Array(Type.String(), { description: 'what is outside of the service' }),
    ),
  },
  { title: 'ErasureReceipt' },
)
export type Receipt = Static<typeof receipt>

/** A request about somebody's personal data. */
export const requestSchema = Type.Object(
  {
    request_id: Type.String(),
    kind: enumeration(['export', 'erasure'], { title: 'PersonalDataRequestKind' }),
    status: enumeration(['waiting', 'running', 'completed', 'failed'], {
      title: 'PersonalDataRequestStatus',
    }),
    user_ids: arrayOf(Type.String()),
    contact_ids: arrayOf(Type.String()),
    receipt: receipt,
    error: orNull(Type.String()),
    file_size: orNull(Type.Integer({ description: 'bytes of the export' })),
    created_by: orNull(Type.String()),
    creation_time: Type.String({ format: 'date-time' }),
    finished_at: orNull(Type.String({ format: 'date-time' })),
  },
  { title: 'PersonalDataRequest' },
)
export type Request = Static<typeof requestSchema>

/** The columns of a request over `t`, as `requestSchema` names them. */
export const requestColumns = sql`t.id as request_id, t.kind, t.status, t.user_ids, t.contact_ids,
  t.receipt, t.error, t.file_size, t.created_by, t.creation_time, t.finished_at`

/** A request, with its progress. */
export type Working = {
  id: string
  status: Request['status']
  user_ids: string[]
  contact_ids: string[]
  sealed: Buffer | null
  step: number
  place: Place | null
  receipt: Receipt
  created_by: string | null
}

/** Where in a step the next transaction begins: the table, and the row after which it continues. */
export type Place = { table: string; after: string[] | null }

/** A request, locked; 404 if there is none. */
export async function lockRequest(ctx: Context, id: string): Promise<Working> {
  const found =
    await ctx.one<Working>(sql`select t.id, t.status, t.user_ids, t.contact_ids, t.sealed,
      t.step, t.place, t.receipt, t.created_by
    from personal_data_requests t where ${mine(ctx)} and t.id = ${id} for update`)
  if (!found) throw notFound('Request')
  return found
}

/** The person of a request. */
export function personOf(ctx: Pick<Context, 'secrets'>, { sealed }: Working): Person {
  if (!sealed) throw new Error('the request is finished')
  return JSON.parse(ctx.secrets.decrypt(sealed)) as Person
}

/** The pattern of the person, with the placeholders. */
export function tracesOf(request: Pick<Working, 'id'>, person: Person): Pattern {
  return patternOf(person, placeholdersOf(request))
}

/** The placeholder for the person's data, unique to this request. */
export function placeholdersOf({ id }: Pick<Working, 'id'>) {
  const mark = id.slice(-6)
  return {
    name: `Erased person ${mark}`,
    email: `erased-${mark}@erased.invalid`,
    other: 'erased',
  }
}

/** Stores the progress; with `rows`, how many more rows of a table were changed. */
export async function advance(
  ctx: Context,
  request: Working,
  to: { step?: number; place?: Place | null; receipt?: Receipt },
): Promise<void> {
  const { step = request.step, place = null, receipt: made = request.receipt } = to
  Object.assign(request, { step, place, receipt: made })
  await ctx.run(sql`update personal_data_requests t set status = 'running', step = ${step},
      place = ${place && JSON.stringify(place)}::jsonb, receipt = ${JSON.stringify(made)}::jsonb
    where ${mine(ctx)} and t.id = ${request.id}`)
}

/** The receipt with more changed rows of a table. */
export function counted(to: Receipt, table: string, rows: number): Receipt {
  if (!rows) return to
  return { ...to, rows: { ...to.rows, [table]: (to.rows?.[table] ?? 0) + rows } }
}
