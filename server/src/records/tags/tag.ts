import { crud } from '../../kit/crud.ts'
import type { Input, Operation } from '../../kit/ground/operation.ts'
import { moduleNumber } from '../../kit/record/modules.ts'
import { badField } from '../../kit/ground/errors.ts'
import type { Context } from '../../kit/ground/context.ts'
import {
  boolean,
  integer,
  key,
  optional,
  readOnly,
  record,
  required,
  text,
  timestamp,
} from '../../kit/record/record.ts'
import { person } from '../users/person.ts'

/** A word that people put on records (specification 2.3). */
export const Tag = record(
  {
    module: 'tags',
    word: 'tag',
    title: 'tag_name',
    searchable: true,
    aliases: { name: 'tag_name' },
    owners: ['created_by', 'tag_owner'],
  },
  {
    tag_id: key(),
    tag_name: required(text(100)),
    description: optional(text()),
    tag_type: optional(integer()),
    tag_owner: optional(person()),
    is_predefined: readOnly(boolean()),
    creation_time: readOnly(timestamp()),
    last_update_time: readOnly(timestamp()),
  },
)

const plain = crud(Tag)

export const tags = {
  ...plain,
  create: wordType(plain.create),
  update: wordType(plain.update),
}

/** `tag_type` is a module: a word on create, an integer on read. */
function wordType(operation: Operation): Operation {
  const { body } = operation.input
  const properties = {
    ...(body!.properties as object),
    tag_type: { type: ['string', 'integer', 'null'], description: 'a module, such as tasks' },
  }
  return {
    ...operation,
    input: { ...operation.input, body: { ...body, properties } },
    run: (ctx: Context, input: Input) =>
      operation.run(ctx, { ...input, body: withNumber(input.body) }),
  }
}

function withNumber(body: { tag_type?: unknown }) {
  if (body.tag_type === undefined || body.tag_type === null) return body
  const tag_type = moduleNumber(body.tag_type)
  if (tag_type === undefined)
    throw badField('tag_type', 'must be a module, such as tasks, or its number')
  return { ...body, tag_type }
}
