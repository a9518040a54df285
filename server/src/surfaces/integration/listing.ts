import { Type } from 'typebox'
import { cursorQuery } from '../../kit/crud.ts'
import { extend } from '../../kit/ground/json-schema.ts'
import type { Operation } from '../../kit/ground/operation.ts'
import { operation } from '../../kit/ground/operation.ts'
import { all, sql } from '../../kit/ground/sql.ts'
import type { CursorQuery } from '../../kit/read/cursor.ts'
import { listCursor } from '../../kit/read/cursor.ts'
import { catalogueOf } from '../../records/field-config/catalogue.ts'
import { equalityParameters, filteredBy } from './equalities.ts'
import type { Kind } from './kinds.ts'
import { openedBy } from './kinds.ts'
import { isTruthy } from './modes.ts'
import { cursorPage, fieldSwitch, listOrFields } from './shapes.ts'

const q = Type.Optional(
  Type.String({ maxLength: 200, description: 'text that the record’s name or keys contain' }),
)

/** The list of a kind by cursor, and the catalogue of its fields. */
export function listing(module: string, kind: Kind): Operation {
  const { record, scopes, own = {}, only, equals = {}, extras } = kind
  const query = extend(cursorQuery(), {
    q,
    ...equalityParameters(equals),
    ...own,
    field_config: fieldSwitch,
  })
  return operation({
    name: `page_${module}`,
    summary: `List ${module} by cursor`,
    description: 'Those that your rights and the scopes of the app allow.',
    can: { module: record.module, action: 'read' },
    ...openedBy(scopes),
    writes: false,
    input: { query },
    output: listOrFields(cursorPage(record)),
    async run(ctx, { query: sent }) {
      const { field_config, ...rest } = sent as CursorQuery & Sent
      if (isTruthy('field_config', field_config)) return catalogueOf(ctx, record, extras)
      const chosen = Object.fromEntries(Object.keys(own).map((name) => [name, rest[name]]))
      const condition = all(sql`true`, await only?.(ctx, chosen))
      // a cursor of another search is not valid for this one
      const words = JSON.stringify([rest.q, chosen])
      return listCursor(ctx, record, filteredBy(rest, equals), { condition, words })
    },
  })
}

type Sent = { field_config?: string; [own: string]: unknown }
