import type { Context } from '../ground/context.ts'
import { foldedText } from '../ground/fold.ts'
import { mine, sql } from '../ground/sql.ts'
import type { Option } from './field-types.ts'
import type { Field } from './record.ts'

/** An option as it is stored; an archived one stays on records, but is no longer offered. */
export type SetOption = Option & { is_archived: boolean }

type Sets<O> = { [set: string]: O[] }

/** The organization's option sets of a module, by name, each in its order, with archived options. */
export function allOptions(ctx: Context, module: string): Promise<Sets<SetOption>> {
  return ctx.cached(`option sets ${module}`, async (committed) => {
    const rows = await committed.all<SetOption & { set_name: string }>(sql`
      select set_name, value, label, color, icon, position, is_default, is_archived
      from option_sets t where ${mine(ctx)} and module = ${module}
      order by set_name, position, value`)
    const sets: Sets<SetOption> = {}
    for (const { set_name, ...option } of rows) (sets[set_name] ??= []).push(option)
    return sets
  })
}

/** The same without what is archived: what forms offer. */
export async function optionSets(ctx: Context, module: string): Promise<Sets<Option>> {
  const sets = Object.entries(await allOptions(ctx, module))
  return Object.fromEntries(
    sets.map(([name, options]): [string, Option[]] => [
      name,
      options
        .filter(({ is_archived }) => !is_archived)
        .map(({ is_archived: _archived, ...option }) => option),
    ]),
  )
}

/** The options of a field, archived ones too; empty for a field without a set. */
export async function choosable(
  ctx: Context,
  { optionSet }: Pick<Field, 'optionSet'>,
): Promise<SetOption[]> {
  if (!optionSet) return []
  return (await allOptions(ctx, optionSet.module))[optionSet.name] ?? []
}

/** A body's value as it is stored: the value of an option that it names, any other as it is. */
export async function storedChoice(ctx: Context, field: Field, value: unknown): Promise<unknown> {
  // a code, such as that of a currency, is written as its pattern says
  if (!field.optionSet || field.optionSet.isOpen) return value
  if (field.schema.pattern || typeof value !== 'string') return value
  return optionNamed(await choosable(ctx, field), value) ?? value
}

/**
 * The value of the option that a text names, by its value or else by its label, in any case and with any
 * sign for a dash (`11–50` is `11-50`); undefined where there is none.
 */
export function optionNamed<V extends string | number>(
  options: Named<V>[],
  text: string,
): V | undefined {
  if (text.length > longest || !options.length) return undefined
  const { exact, words } = namesOf(options)
  return exact.get(text) ?? words.get(foldedText(text))
}

type Named<V> = { value: V; label?: string; is_archived?: boolean }
type Names<V> = { exact: Map<string, V>; words: Map<string, V> }

/** Longer than any option, and than a text that is folded to be compared with them. */
const longest = 1000

const known = new WeakMap<object, Names<unknown>>()

/** By which words options are known; the lists are cached, so this is done once for each. */
function namesOf<V extends string | number>(options: Named<V>[]): Names<V> {
  const cached = known.get(options) as Names<V> | undefined
  if (cached) return cached
  const words = new Map<string, V>()
  const add = (word: string, value: V) => {
    const fold = foldedText(word)
    if (fold && !words.has(fold)) words.set(fold, value)
  }
  // a word means what is still offered rather than what is archived, and a value rather than a label
  const inOrder = options.toSorted((a, b) => Number(!!a.is_archived) - Number(!!b.is_archived))
  for (const { value } of inOrder) add(String(value), value)
  for (const { value, label = '' } of inOrder) add(label, value)
  const exact = new Map(options.map(({ value }) => [String(value), value]))
  const names = { exact, words }
  known.set(options, names)
  return names
}
