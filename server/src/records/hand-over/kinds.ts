import type { HandOver } from '../../kit/record/record.ts'
import type { AnyRecord } from '../../kit/record/record.ts'
import { fieldNamed, isWritable, linkedTable, wordOf } from '../../kit/record/record.ts'
import { records, serviceTables } from '../../model/all.ts'
import type { Link } from '../links/links.ts'
import { linksTo } from '../links/links.ts'

/** One kind of things that one user can take over from another, in everyday terms. */
export type Kind = { kind: string; links: Belonging[] }

/** A column by which rows belong to a user, and the SQL over `t` for the title of a row. */
export type Belonging = Pick<HandOver, 'where' | 'isList'> & { link: Link; title: string }

/** The kinds as they are shown; others come after them. */
const order = [
  'companies',
  'contacts',
  'accounts',
  'deals',
  'projects',
  'milestones',
  'tasks',
  'series',
  'documents',
  'meetings',
  'tags',
  'reports',
  'templates',
  'surveys',
  'automations',
  'scheduled_mailings',
  'signature_requests',
  'saved_views',
  'dashboards',
  'connections',
]

/** Every kind, in the order in which they are shown: what records and other tables declare (`HandOver`). */
export const kinds: readonly Kind[] = allKinds()

function allKinds(): Kind[] {
  const links = [
    ...records.flatMap((record) =>
      ofRecord(record).map(({ kind = wordOf(record), ...each }) => ({
        kind,
        belonging: belonging(record.table, record, { title: titleOf(record), ...each }),
      })),
    ),
    ...serviceTables.flatMap(({ table, handOver }) =>
      handOver.map(({ kind = table, ...each }) => ({
        kind,
        belonging: belonging(table, undefined, { title: 't.id', ...each }),
      })),
    ),
  ]
  const place = (kind: string) => order.indexOf(kind) >>> 0
  return [...Map.groupBy(links, ({ kind }) => kind)]
    .map(([kind, its]) => ({ kind, links: its.map(({ belonging: each }) => each) }))
    .toSorted((one, other) => place(one.kind) - place(other.kind))
}

/** What is declared, and the fields with people that bodies may set; custom fields go with what is the record itself. */
function ofRecord(record: AnyRecord): HandOver[] {
  const {
    life: { handOver },
    fields,
    open,
  } = record
  if (!handOver) return []
  const named = handOver.map(({ column }) => column)
  const people = Object.entries(fields)
    .filter(([, field]) => isWritable(field) && !field.expression)
    .filter(([, { reference }]) => reference && linkedTable(reference) === 'users')
    .map(([name, { column = name }]) => ({ column }))
    .filter(({ column }) => !named.includes(column))
  const all: HandOver[] = [...people, ...handOver]
  const isOwned = all.some(({ kind }) => kind === undefined)
  return isOwned && open ? [...all, { column: 'custom_fields' }] : all
}

function titleOf(record: AnyRecord): string {
  return `t.${fieldNamed(record, record.title).column ?? record.title}`
}

function belonging(
  table: string,
  record: AnyRecord | undefined,
  { column, ...more }: HandOver & { title: string },
): Belonging {
  const link = (linksTo.users ?? []).find(
    (each) => each.table === table && each.column === column && each.record === record,
  )
  if (!link) throw new Error(`${table}.${column} names no user`)
  return { link, ...more }
}
