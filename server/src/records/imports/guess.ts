import type { Context } from '../../kit/ground/context.ts'
import { definitions } from '../../kit/record/custom.ts'
import { isWritable } from '../../kit/record/record.ts'
import type { Profile } from '../../model/sheets/column.ts'
import type { Named } from '../../model/sheets/header.ts'
import { folded, letters, targetsByHeader } from '../../model/sheets/header.ts'
import { isCurrency } from '../../model/sheets/numbers.ts'
import { shorterForms } from './header-forms.ts'
import type { Importable } from './importable.ts'
import { fieldOf } from './importable.ts'
import type { Mapping } from './mapping.ts'
import { mayRepeat, nameOf, targetOf } from './mapping.ts'

type Guess = { column: string; at: number; target: string; score: number }

/** How much more the name of a field itself says than a word of the lists, of which the first say most. */
const own = 10_000
/** How much less a column without values says than one with some. */
const empty = -5000
/** How much less a header says that is known only without its prefix or its number. */
const shortened = 1000

/**
 * The target of each column, or null, guessed from its header and its values: names and labels of fields and
 * custom fields, names in exports, and names that other programs use in seven languages. Of several columns for one
 * target the best one has it, unless the target takes several.
 */
export async function guessMapping(
  ctx: Context,
  importable: Importable,
  columns: string[],
  profiles: Profile[],
): Promise<{ mapping: Mapping; warnings: string[] }> {
  const known = await guesses(ctx, importable)
  const all: Guess[] = []
  for (const [at, column] of columns.entries()) {
    const profile = profiles[at]
    if (isIdBesideName(columns, column)) continue
    const worth = profile?.filled === 0 ? empty : 0
    const exact = await targetOf(ctx, importable, column)
    const name = exact && nameOf(importable, exact)
    const others = namedBy(importable, known, column).filter(({ target }) =>
      hasFitting(importable, target, profile),
    )
    const isOther = name && others.length > 0 && !hasFitting(importable, name, profile)
    const found = name && !isOther ? [{ target: name, rank: -own }] : others
    for (const { target, rank } of found) {
      all.push({ column, at, target, score: worth - rank })
    }
  }
  all.push(...currencies(importable, all, columns, profiles))
  const named = withNameParts(withoutLonely(importable, all))
  const mapping: Mapping = Object.fromEntries(columns.map((column) => [column, null]))
  const warnings: string[] = []
  const used = new Map<string, string>()
  const second = new Map<string, string>()
  for (const { column, target } of named.sort((a, b) => b.score - a.score || a.at - b.at)) {
    if (mapping[column]) continue
    const first = used.get(target)
    if (first !== undefined) {
      const found = await targetOf(ctx, importable, target)
      if (!found || !mayRepeat(importable, found)) {
        second.set(column, target)
        continue
      }
      const rest = importable.several?.[target]
      if (rest) warnings.push(repeated(column, target, rest))
    } else used.set(target, column)
    mapping[column] = target
  }
  for (const column of columns) {
    if (mapping[column]) continue
    const target = second.get(column)
    if (target) {
      warnings.push(`The column ${column} would be ${target} a second time; it is left out`)
    } else if (!isExported(importable, column)) {
      warnings.push(`The column ${column} is not known and is left out; map it to import it`)
    }
  }
  return { mapping, warnings }
}

function repeated(column: string, target: string, rest: string): string {
  const then = {
    first: 'is left out otherwise',
    join: 'is added to it otherwise',
  }[rest]
  const kept = then ?? `is kept as the custom field ${rest}_2, ${rest}_3 and so on otherwise`
  return `The column ${column} is ${target} where that is empty, and ${kept}`
}

/** How many of these headers name a field. */
export async function headerCounter(
  ctx: Context,
  importable: Importable,
): Promise<(cells: string[]) => number> {
  const known = await guesses(ctx, importable)
  const names = new Set([...known.values()].flat().map(({ target }) => target))
  names.add(importable.record.key)
  return (cells) =>
    cells.filter(
      (cell) =>
        names.has(cell) ||
        namedBy(importable, known, cell).length > 0 ||
        cell.startsWith('custom_fields.'),
    ).length
}

/** How far back in the list of a target a column's header is, for columns that share it. */
export function rankOf(importable: Importable, target: string, column: string): number {
  const known = targetsByHeader({ [target]: importable.headers[target] ?? '' })
  return namedBy(importable, known, column)[0]?.rank ?? 0
}

/**
 * The targets that a header names: as it is, in a shorter form (`Deal - Title`), or without a number in it (`E-mail 2 Address`), which only means something of which there are several.
 */
function namedBy(importable: Importable, known: Map<string, Named[]>, column: string): Named[] {
  const by = (text: string) => known.get(letters(text)) ?? known.get(folded(text))
  const exact = by(column)
  if (exact) return exact
  const forms = shorterForms(importable, column)
  for (const { text, cost } of forms) {
    const found = by(text)
    if (found) return found.map(({ target, rank }) => ({ target, rank: rank + shortened * cost }))
  }
  const number = /\d+/.exec(column)?.[0]
  if (!number) return []
  for (const { text } of [...forms, { text: column }]) {
    const plain = by(text.replaceAll(/\d+/g, ' '))
    if (!plain) continue
    return plain
      .filter(
        ({ target }) => Number(number) === 1 || Object.hasOwn(importable.several ?? {}, target),
      )
      .map(({ target, rank }) => ({ target, rank: rank + shortened * Number(number.slice(0, 2)) }))
  }
  return []
}

/** Whether a column has the ids of what another one names: `Contact Owner.id` beside `Contact Owner`. */
function isIdBesideName(columns: string[], column: string): boolean {
  return /\.id$/i.test(column) && columns.includes(column.slice(0, -3))
}

/**
 * The first column whose header speaks of a currency and whose values are all currencies, where records have one and no
 * header is known: without it amounts would be in another.
 */
function currencies(
  importable: Importable,
  found: Guess[],
  columns: string[],
  profiles: Profile[],
): Guess[] {
  const target = 'currency_unit'
  if (!fieldOf(importable, target)) return []
  if (found.some((each) => each.target === target && each.score > empty / 2)) return []
  const at = columns.findIndex((column, n) => {
    const values = Object.keys(profiles[n]?.values ?? {})
    const speaks = /curr|w(ä|ae)hr|devis|mone[dy]|monnai|divis|valut|moed|munt/i.test(column)
    return speaks && values.length > 0 && values.every(isCurrency)
  })
  const column = columns[at]
  return column === undefined ? [] : [{ column, at, target, score: own }]
}

/** Whether a target may hold what the column holds: a title such as `Mr.` is no job. */
function hasFitting(
  { fits = {} }: Importable,
  target: string,
  profile: Profile | undefined,
): boolean {
  const check = Object.hasOwn(fits, target) ? fits[target] : undefined
  const values = Object.keys(profile?.values ?? {})
  const some = values.length ? values : (profile?.examples ?? [])
  return !check || !some.length || check(some)
}

/** The guesses without targets that are only for files that have another column. */
function withoutLonely({ beside = {} }: Importable, found: Guess[]): Guess[] {
  return found.filter(({ target, score }) => {
    const other = Object.hasOwn(beside, target) ? beside[target] : undefined
    if (other === undefined || score >= own) return true
    const [field] = other.split('.')
    return found.some((each) => each.target === other || each.target === field)
  })
}

/**
 * Beside a first name, `Name`, `Nom` or `Naam` is the last one; beside a last name, `Nombre` or `Nome`
 * is the first one.
 */
function withNameParts(found: Guess[]): Guess[] {
  const has = (target: string) => found.some((each) => each.target === target)
  const [first, last] = [has('first_name'), has('last_name')]
  if (first === last) return found
  return found.map((each) => {
    if (each.target !== 'full_name' || !/^(name|nom|naam|nombre|nome)$/.test(folded(each.column)))
      return each
    return { ...each, target: first ? 'last_name' : 'first_name' }
  })
}

async function guesses(ctx: Context, importable: Importable): Promise<Map<string, Named[]>> {
  const { record, more, headers } = importable
  const known = targetsByHeader(headers)
  const offer = (word: string, target: string) => {
    for (const key of new Set([letters(word), folded(word)].filter(Boolean))) {
      const others = known.get(key)?.filter((each) => each.target !== target) ?? []
      known.set(key, [{ target, rank: -own / 2 }, ...others])
    }
  }
  for (const name of [...Object.keys(record.fields), ...Object.keys(more)]) {
    if (name === 'custom_fields' || !isTarget(importable, name)) continue
    // a column named `Address` contains a street, not a whole address as JSON
    const isObject = fieldOf(importable, name)?.kind === 'json'
    if (!isObject || !known.has(folded(name))) offer(name, name)
  }
  if (!record.open) return known
  for (const definition of (await definitions(ctx, record.module)).values()) {
    const { key, label, is_built_in, is_archived } = definition
    if (is_built_in && !isTarget(importable, key)) continue
    if (is_archived) continue
    const target = is_built_in ? key : `custom_fields.${key}`
    offer(label, target)
    offer(key, target)
  }
  return known
}

function isTarget(importable: Importable, name: string): boolean {
  const field = fieldOf(importable, name)
  return field !== undefined && isWritable(field) && !field.expression
}

/** Whether exports have a column of this name that imports ignore. */
function isExported({ record }: Importable, column: string): boolean {
  const [name = ''] = column.split('.')
  return Object.hasOwn(record.fields, name) || ['import_line', 'import_reason'].includes(column)
}
