import type { Context, Query } from '../ground/context.ts'
import type { AnyRecord } from '../record/record.ts'
import { forReader, isNameOf, readsWhole, scopesOf, template } from '../record/readable.ts'
import { levelOf } from '../record/scope.ts'
import { sql } from '../ground/sql.ts'
import type { Output } from './filter.ts'
import { visitFilter } from './filter.ts'
import { asCondition } from './filter-condition.ts'
import { FilterCost } from './filter-cost.ts'
import type { Group, Implied } from './filter-terms.ts'
import { asTerms } from './filter-terms.ts'
import { shownDefinitions, shownTo } from '../record/audience.ts'
import { withIds } from './named-values.ts'
import type { Linked } from './sort.ts'
import { sortsByLinks, sortsOf } from './sort.ts'

import { choosable } from '../record/option-sets.ts'
import type { Filterable, Registry } from './filter-fields.ts'
import { registryOf, customField } from './filter-fields.ts'

/**
 * What the caller may filter on: the record's fields, the custom fields as defined or as stored, and
 * one hop away only where the other module may be read, or a filter would reveal what a read would
 * not. Of a module outside an app's scopes it is the id and the name, as reads show them.
 */
export async function filterRegistry(ctx: Context, whole: AnyRecord): Promise<Registry> {
  const record = shownTo(ctx, whole)
  const isWhole = record === whole
  const closed = Object.entries(record.fields)
    .filter(
      ([, { reference }]) =>
        reference?.to &&
        (ctx.actor.is_confined || levelOf(ctx.actor, reference.to().module, 'read') !== 'all'),
    )
    .map(([name]) => `${name}.`)
  const outside = outsideScopes(ctx, record)
  // a few hundred entries: made once per organization and kind of caller, not per request
  return ctx.cached(
    `filters of ${record.word} ${isWhole} without ${closed} ${Object.keys(outside)}`,
    async () => {
      const open = [...registryOf(record)].filter(
        ([name]) => !closed.some((hop) => name.startsWith(hop)) && !Object.hasOwn(outside, name),
      )
      const known = record.open ? [...(await shownDefinitions(ctx, record.module)).values()] : []
      const custom = known.filter((definition) => !definition.is_built_in)
      const own = await withOptions(ctx, open)
      const registry: Registry = new Map([...own, ...custom.map(customField)])
      registry.open = record.open && isWhole
      registry.aliases = record.aliases
      registry.closed = outside
      return registry
    },
  )
}

/** Fields with the options that the organization has for them. */
async function withOptions(ctx: Context, fields: [name: string, field: Filterable][]) {
  const filled: typeof fields = []
  for (const [name, field] of fields) {
    const { chosen } = field
    const options = chosen?.choices?.() ?? (chosen ? await choosable(ctx, chosen) : undefined)
    filled.push([name, options ? { ...field, options } : field])
  }
  return filled
}

/**
 * What a list may be sorted by beside the record's own fields, as far as the caller may filter by it;
 * undefined where the sort names nothing of that kind.
 */
export async function linkedSorts(
  ctx: Context,
  record: AnyRecord,
  sort?: string,
): Promise<Linked | undefined> {
  return sortsByLinks(ctx, record, sort) ? allSorts(ctx, record) : undefined
}

/** The same whatever is sorted by: of lists of several modules, with the fields of all of these. */
export async function allSorts(ctx: Context, record: AnyRecord): Promise<Linked> {
  const linked: Linked = new Map(await filterRegistry(ctx, record))
  for (const module of record.find.filteredAs ?? []) {
    for (const definition of (await shownDefinitions(ctx, module)).values()) {
      if (!definition.is_built_in) linked.set(...customField(definition))
    }
  }
  return linked
}

/** The fields of linked records that the scopes of the app behind the caller do not open. */
function outsideScopes({ actor }: Context, record: AnyRecord): { [name: string]: string[] } {
  const outside: { [name: string]: string[] } = {}
  if (!actor.app) return outside
  for (const [name, { reference }] of Object.entries(record.fields)) {
    const target = reference?.to?.()
    if (!reference || !target) continue
    const scopes = scopesOf(target.table)
    if (scopes.some((scope) => actor.app?.scopes.includes(scope))) continue
    for (const key of registryOf(record).keys()) {
      const [hop, field] = [`${name}.`, key.slice(name.length + 1)]
      if (key.startsWith(hop) && !isNameOf(target, field, reference.shows)) outside[key] = scopes
    }
  }
  return outside
}

/** 400 for a filter or a sort that a list of the record would refuse, naming where it stands. */
export async function checkList(
  ctx: Context,
  record: AnyRecord,
  { conditions, sort }: { conditions: unknown; sort: string | null },
) {
  await compiled(ctx, record, conditions, 'conditions')
  const named = sort ?? ''
  sortsOf(ctx, record, named, false, await linkedSorts(ctx, record, named))
}

/**
 * A filter as a condition over `t`; `name` is the field that a refusal names. 400 where it costs more
 * than a request may, together with what `cost` holds already.
 */
export async function compiled(
  ctx: Context,
  record: AnyRecord,
  filter: unknown,
  name: string,
  cost = new FilterCost(),
): Promise<Query> {
  return (await compiledWithTerms(ctx, record, filter, name, cost)).condition
}

/** The same with the terms that it implies, by which an index finds records. */
export async function compiledWithTerms(
  ctx: Context,
  record: AnyRecord,
  filter: unknown,
  name: string,
  cost: FilterCost,
): Promise<{ condition: Query; groups: Group[] }> {
  const at = Object.assign((text: string) => forReader(ctx, text), {
    isWhole: (text: string) => readsWhole(ctx, template(text)),
  })
  const { timezone, week_start } = ctx.organization
  const clock = { now: ctx.now(), timezone, week_start }
  const registry = await filterRegistry(ctx, record)
  const named = await withIds(ctx, registry, filter, name)
  const found = visitFilter(registry, named, { ...clock, at }, conditionAndTerms, name, cost)
  cost.check(ctx.limits.filterCost, name)
  return found ?? { condition: sql`true`, groups: [] }
}

/** A filter as SQL and as the terms that it implies. */
export const conditionAndTerms: Output<{ condition: Query } & Implied> = {
  one: (...parts) => ({ condition: asCondition.one(...parts), ...asTerms.one(...parts) }),
  joined: (parts, joint) => ({
    condition: asCondition.joined(
      parts.map(({ condition }) => condition),
      joint,
    ),
    ...asTerms.joined(parts, joint),
  }),
  not: (part) => ({ condition: asCondition.not(part.condition), ...asTerms.not(part) }),
}
