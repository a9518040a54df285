import { Type } from 'typebox'
import type { Context } from '../../kit/ground/context.ts'
import type { FieldError } from '../../kit/ground/errors.ts'
import { Failure, badField, forbidden } from '../../kit/ground/errors.ts'
import { enumeration, orNull } from '../../kit/ground/json-schema.ts'
import { isObject } from '../../kit/ground/object.ts'
import type { Input, Operation } from '../../kit/ground/operation.ts'
import { Answer, operation } from '../../kit/ground/operation.ts'
import { underOneName } from '../../kit/record/names.ts'
import { may } from '../../kit/record/scope.ts'
import { checkBody, trimmed } from '../../kit/record/validate.ts'
import { inSavepoint } from '../../kit/write/savepoint.ts'
import { requireScope, scopeOf, sufficientScopes } from '../../records/apps/scopes.ts'

/** How many records one request may write. */
const most = 500

const outcome = Type.Object(
  {
    status: enumeration(['created', 'updated', 'failed'], { title: 'BulkStatus' }),
    id: orNull(
      Type.String({ description: 'of the record, or of the one that a duplicate would repeat' }),
    ),
    code: orNull(Type.String({ description: 'of the refusal, such as duplicate' })),
    message: orNull(Type.String({ description: 'why it failed' })),
    errors: Type.Array(
      Type.Object(
        { field: Type.String(), message: Type.String() },
        { title: 'WrongField', additionalProperties: false },
      ),
      { description: 'its fields that are wrong' },
    ),
  },
  { title: 'BulkAnswer', additionalProperties: false },
)
type Outcome = { status: 'created' | 'updated' | 'failed' } & {
  id: string | null
  code: string | null
  message: string | null
  errors: FieldError[]
}

type Body = { [name: string]: unknown }
type Writes = { things: string; key: string; create: Operation; update: Operation }

/**
 * Writes many records of a kind, each as its own create or update would: those that name an id are updated. A refused one
 * leaves the others as they are; all are one transaction.
 */
export function bulkOf({ things, key, create, update }: Writes): Operation {
  const scopes = sufficientScopes(update)
  return operation({
    name: `write_many_${things}`,
    summary: `Create and update many ${things}`,
    description: `Up to ${most}, each with the fields of a create, or with \`${key}\` and those of an update. Each has an answer at its place in \`results\`: what is wrong with one does not concern the others.`,
    can: update.can,
    ...(scopes.length > 1 ? { scope: null, scopes } : { scope: scopeOf(update) }),
    writes: true,
    input: {
      ...(create.input.query ? { query: create.input.query as never } : {}),
      body: Type.Object(
        {
          records: Type.Array(Type.Object({}, { additionalProperties: true }), {
            minItems: 1,
            maxItems: most,
          }),
        },
        { additionalProperties: false },
      ),
    },
    output: Type.Object({ results: Type.Array(outcome) }),
    async run(ctx, input) {
      requireScope(ctx.actor, ...scopes)
      const sent = input.body.records as Body[]
      const ids = sent.map((body) => body[key] ?? body.id)
      refuseTwice(key, ids)
      const results: Outcome[] = []
      // in the order of their ids, so that two writers of the same ones cannot deadlock; new ones follow
      for (const at of inOrder(ids)) {
        const { [key]: _, id: __, ...body } = sent[at] ?? {}
        const id = ids[at]
        results[at] = await one(ctx, { key, isCreate: id === undefined }, async () => {
          const write = id === undefined ? create : update
          if (!may(ctx.actor, write.can)) throw forbidden(`Your role may not create ${things}`)
          if (id !== undefined && (typeof id !== 'string' || !id)) {
            throw badField(key, 'must be the id of a record')
          }
          const made = checked(ctx, write, body)
          if (id === undefined) return write.run(ctx, { ...input, body: made })
          const [inPath = 'id'] = Object.keys(
            (write.input.params as { properties: object }).properties,
          )
          return write.run(ctx, {
            ...input,
            params: { [inPath]: id },
            query: {},
            body: made,
          } as Input)
        })
      }
      return { results }
    },
  }) as Operation
}

/** 400 if two name the same record: which of them came first would be left to chance. */
function refuseTwice(key: string, ids: unknown[]) {
  const seen = new Set<unknown>()
  for (const [at, id] of ids.entries()) {
    if (id === undefined) continue
    if (seen.has(id))
      throw badField(`records.${at}.${key}`, 'names a record that another one names')
    seen.add(id)
  }
}

function inOrder(ids: unknown[]): number[] {
  const keys = ids.map((id) => (typeof id === 'string' ? id : '~'))
  return [...ids.keys()].sort((a, b) => {
    const [one = '', other = ''] = [keys[a], keys[b]]
    return one < other ? -1 : one > other ? 1 : a - b
  })
}

/** A body as its operation takes it: 400 naming what is wrong. */
function checked({ organization }: Context, { input, aliases = {} }: Operation, body: Body): Body {
  const named = underOneName({ ...body }, aliases)
  if (!input.body) return named
  const made = trimmed(input.body, named, organization.timezone)
  checkBody(input.body, made)
  return isObject(made) ? made : {}
}

/** The outcome of one write, which is undone if it is refused. */
async function one(
  ctx: Context,
  { key, isCreate }: { key: string; isCreate: boolean },
  write: () => Promise<unknown>,
): Promise<Outcome> {
  try {
    const answer = await inSavepoint(ctx, write)
    const { id = null, created } = answer instanceof Answer ? answer.meta : {}
    const isNew = isCreate && created !== false
    return { status: isNew ? 'created' : 'updated', id, code: null, message: null, errors: [] }
  } catch (error) {
    if (!(error instanceof Failure) || error.status >= 500) throw error
    const { code, message, errors = [], data } = error
    const existing = isObject(data) ? data[key] : undefined
    const id = typeof existing === 'string' ? existing : null
    return { status: 'failed', id, code, message, errors }
  }
}
