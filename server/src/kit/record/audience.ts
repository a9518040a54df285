import type { Actor, Context } from '../ground/context.ts'
import { definitions } from './custom.ts'
import type { Definition } from './field-types.ts'
import type { AnyRecord, Field, Reference, Shown } from './record.ts'
import { registered } from './registry.ts'
import { levelOf } from './scope.ts'

// The record as customers and partners know it, without internal fields. It is created once, and
// everything that is derived from a record (columns, sort keys, filters, events) then omits those
// fields by itself. Everybody else gets the record as it is declared.

/**
 * Whether the caller reads internal fields: everybody of the team and observers; a customer or partner
 * whose role may read records that are internal as a whole.
 */
export function readsInternal(actor: Actor): boolean {
  if (!actor.is_external) return true
  const internal = registered().filter(({ rights }) => rights.isInternal)
  return internal.some(({ module }) => levelOf(actor, module, 'read') !== 'none')
}

/** The record as the caller knows it: without its internal fields for customers and partners. */
export function shownTo<R extends AnyRecord>({ actor }: Pick<Context, 'actor'>, record: R): R {
  return readsInternal(actor) ? record : (externalOf(record) as R)
}

/** The definitions of a module's fields whose values the caller is shown, by key. */
export async function shownDefinitions(
  ctx: Context,
  module: string,
): Promise<Map<string, Definition>> {
  const known = await definitions(ctx, module)
  if (readsInternal(ctx.actor)) return known
  return new Map([...known].filter(([, each]) => each.is_built_in || each.is_shared))
}

/** Which of these fields, by their names in changes, the caller is shown. */
export async function isShownField(
  ctx: Context,
  record: AnyRecord,
): Promise<(name: string) => boolean> {
  const {
    fields,
    events: { loggedIds },
    module,
  } = shownTo(ctx, record)
  const custom = await shownDefinitions(ctx, module)
  return (name) => {
    if (name.startsWith(customPrefix)) {
      return custom.get(name.slice(customPrefix.length))?.is_shared ?? false
    }
    return Object.hasOwn(fields, name) || loggedIds.includes(name)
  }
}

const customPrefix = 'custom_fields.'
const external = new WeakMap<AnyRecord, AnyRecord>()

function externalOf(record: AnyRecord): AnyRecord {
  let made = external.get(record)
  if (!made) external.set(record, (made = withoutInternal(record)))
  return made
}

function withoutInternal(record: AnyRecord): AnyRecord {
  const fields = Object.entries(record.fields).flatMap(([name, field]) => {
    if (field.audience === 'internal') return []
    return [[name, shownOf(record, field)] as const]
  })
  const known = Object.fromEntries(fields)
  return {
    ...record,
    fields: known,
    find: {
      ...record.find,
      search: record.find.search.filter((name) => Object.hasOwn(known, name)),
      searchAlso: shownSearch(record.find.searchAlso, known),
    },
  }
}

function shownSearch(
  { number, phones, links }: SearchAlso,
  known: { [name: string]: Field },
): SearchAlso {
  const isShown = (name: string) => Object.hasOwn(known, name)
  return {
    ...(number && isShown(number) ? { number } : {}),
    phones: phones?.filter(isShown) ?? [],
    links: links?.filter(isShown) ?? [],
  }
}

type SearchAlso = AnyRecord['find']['searchAlso']

function shownOf(record: AnyRecord, field: Field): Field {
  const { audience, reference } = field
  if (audience && audience !== 'internal') {
    const { read } = audience
    const shown = typeof read === 'function' ? read(record) : read
    // what is stored is more than what is shown, so that no condition may look at it
    return { ...field, read: shown, filterable: false }
  }
  return reference ? { ...field, reference: withoutInternalShown(reference) } : field
}

/** A link without those members that are internal fields of the record it leads to. */
function withoutInternalShown(reference: Reference): Reference {
  const { to, shows } = reference
  if (!to || !shows) return reference
  const hidden = Object.entries(to().fields).flatMap(([name, { audience, column = name }]) =>
    audience ? [column] : [],
  )
  const left = Object.entries(shows).filter(([, { column }]) => !hidden.includes(column))
  return { ...reference, shows: Object.fromEntries(left) as Shown }
}
