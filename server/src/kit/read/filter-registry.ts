import type { Context } from '../ground/context.ts'
import type { AnyRecord } from '../record/record.ts'
import { levelOf } from '../record/scope.ts'
import { compileFilter } from './filter.ts'
import { definitions } from '../record/custom.ts'
import { sortsOf } from './sort.ts'

import type { Registry } from './filter-fields.ts'
import { registryOf, customField } from './filter-fields.ts'

/**
 * What the caller may filter on: the record's fields, the custom fields as defined or as stored, and
 * one hop away only where the other module may be read, or a filter would reveal what a read would not.
 */
export async function filterRegistry(ctx: Context, record: AnyRecord): Promise<Registry> {
  const closed = Object.entries(record.fields)
    .filter(
      ([, { reference }]) =>
        reference?.to &&
        (ctx.actor.is_confined || levelOf(ctx.actor, reference.to().module, 'read') !== 'all'),
    )
    .map(([name]) => `${name}.`)
  // a few hundred entries: made once per organization and kind of caller, not per request
  return ctx.cached(`filters of ${record.module} without ${closed}`, async () => {
    const open = [...registryOf(record)].filter(
      ([name]) => !closed.some((hop) => name.startsWith(hop)),
    )
    const known = record.open ? [...(await definitions(ctx, record.module)).values()] : []
    const custom = known.filter((definition) => !definition.is_built_in)
    const registry: Registry = new Map([...open, ...custom.map(customField)])
    registry.open = record.open
    registry.aliases = record.aliases
    return registry
  })
}

/** 400 for a filter or a sort that a list of the record would refuse, naming where it stands. */
export async function checkList(
  ctx: Context,
  record: AnyRecord,
  { conditions, sort }: { conditions: unknown; sort: string | null },
) {
  await compiled(ctx, record, conditions, 'conditions')
  sortsOf(record, sort ?? '')
}

/** A filter as a condition over `t`; `name` is the field that a refusal names. */
export async function compiled(ctx: Context, record: AnyRecord, filter: unknown, name: string) {
  const clock = { now: ctx.now(), timezone: ctx.organization.timezone }
  return compileFilter(await filterRegistry(ctx, record), filter, clock, name)
}
