import type { FieldError } from '../../kit/ground/errors.ts'
import { Failure, badRequest } from '../../kit/ground/errors.ts'
import { isId } from '../../kit/ground/ids.ts'
import { checkBody, checkStorable, trimmed } from '../../kit/record/validate.ts'
import { plainText } from '../../model/sheets/csv-text.ts'
import type { Body, Importable } from './importable.ts'
import { fieldOf } from './importable.ts'
import type { Amount, Foreign } from './currencies.ts'
import { isMoney, withoutForeign } from './currencies.ts'
import type { Options } from '../../model/imports/import.ts'
import type { Target } from './mapping.ts'
import { nameOf } from './mapping.ts'
import type { Cell, Line } from '../../model/sheets/cell.ts'
import { isEmpty, textOf } from '../../model/sheets/cell.ts'
import { addressOf, addressesOf, peopleIn } from '../../model/sheets/email.ts'
import { repeatsHeader } from '../../model/sheets/rows.ts'
import { isTotal } from '../../model/sheets/totals.ts'
import type { Decided, ValueColumn } from './value-columns.ts'
import type { Formats } from './values.ts'
import { Unreadable, customValue, partsOf, profileAddress, safeText, valueOf } from './values.ts'

/** The key by which a cell names another record, or any. */
export type Named = { key: string | null; text: string }

/** A cell that was left empty, and why. */
export type Fault = FieldError & { column: string; value: string }

/** A row as a body of the record, with all checks that do not need the database. */
export type Read = Line & {
  body: Body
  /** the records that it names, by field, in the order in which they are tried */
  links: { [field: string]: Named[] }
  /** the existing record that it names by id */
  id: string | null
  faults: Fault[]
  /** its amounts in another currency than the organization's */
  foreign: Foreign[]
  /** the row with members that its body does not have */
  raw: Body
}

/** A target, the column that it is read from, and the format of its numbers and dates. */
export type Place = {
  target: Target
  column: string
  formats: Formats
  /** the currency that the column names most often */
  usual?: string | undefined
  /** the values of which its cells are one, and what their texts become */
  values?: (ValueColumn & { decided(text: string): Decided }) | undefined
}

/** How the rows of an import are read. */
export type Reader = {
  importable: Importable
  places: Map<number, Place>
  options: Pick<Options, 'empty_cells' | 'currencies'>
  /** the organization's currency */
  currency: string
  columns: string[]
  timezone: string
}

/**
 * Reads one row by the mapping. An invalid cell is left empty and becomes one of the row's faults; 400 names
 * all of them if one of them is a key, or if the row is not a record.
 */
export function readRow(reader: Reader, { line, cells }: Line): Read {
  const { importable, places, options, columns } = reader
  checkShape(cells, columns)
  const body: Body = {}
  const links: Read['links'] = {}
  const faults: Fault[] = []
  const lost: Fault[] = []
  const amounts: Amount[] = []
  let id: string | null = null
  for (const [at, place] of places) {
    const { target, column, formats } = place
    const cell = cells[at]
    const value = cell === undefined || isEmpty(cell) ? null : chosenFor(place, cell)
    if (value === null || cell === undefined) {
      if (options.empty_cells === 'clear') clear(body, target)
      continue
    }
    try {
      if (target.kind === 'id') id = plainText(textOf(cell))
      else if (target.kind === 'link') {
        const { named, others } = namedIn(target, cell)
        const texts = named.map((text) => ({ key: target.key, text }))
        const its = value === undefined ? texts : [{ key: 'user_id', text: value }]
        ;(links[target.name] ??= []).push(...its)
        const field = nameOf(importable, target)
        if (others) faults.push({ field, message: others, ...shown(column, cell) })
      } else if (target.kind === 'field' && target.field.schema.format === 'email') {
        if (/^\/o=/i.test(textOf(cell))) throw new Unreadable('is an address inside Exchange', true)
        const { email, name, others } = emailOf(cell)
        add(importable, body, target, email)
        if (name) withName(reader, body, name)
        if (others) faults.push({ field: target.name, message: others, ...shown(column, cell) })
      } else {
        const [first, others] = firstOf(target, value ?? cell)
        put(reader, body, target, first, formats)
        if (isMoney(importable, target))
          amounts.push({ target, column, cell: first, usual: place.usual })
        const field = nameOf(importable, target)
        if (others) faults.push({ field, message: others, ...shown(column, cell) })
      }
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error
      const field = nameOf(importable, target)
      const fault = { field, message: error.message, ...shown(column, cell) }
      ;(isVital(importable, target) && !error.isHarmless ? lost : faults).push(fault)
    }
  }
  for (const [name, named] of Object.entries(links)) {
    if (body[name] === null) delete body[name]
    named.sort((a, b) => rank(importable, name, a) - rank(importable, name, b))
  }
  const foreign = withoutForeign(reader, body, amounts, faults)
  const read = { line, cells, body, links, id, faults, foreign, raw: body }
  return checked(reader, read, lost)
}

/** What the cell of a column with several values becomes; undefined if it is read as any other. */
function chosenFor({ values, target }: Place, cell: Cell): string | null | undefined {
  if (!values) return undefined
  const becomes = (each: string) => values.decided(each).becomes
  const text = plainText(textOf(cell))
  if (values.isPerson) return becomes(peopleIn(text)[0] ?? text)
  if (target.kind !== 'custom' || target.definition?.type !== 'multi_select') return becomes(text)
  const parts = partsOf(text).map((part) => becomes(part) ?? part)
  return parts.length ? parts.join('; ') : null
}

/** The field errors of a failure, or its message if it names no field. */
export function errorsOf(failure: Failure): FieldError[] {
  return failure.errors ?? [{ field: 'row', message: failure.message }]
}

/**
 * The row without the cells that these errors are about, which become its faults; undefined if one
 * of the errors is about no cell, or about a key.
 */
export function withoutWrong(
  { importable, places }: Reader,
  read: Read,
  errors: FieldError[],
): Read | undefined {
  const faults: Fault[] = []
  const body: Body = { ...read.body }
  const links = { ...read.links }
  for (const { field, message } of errors) {
    const found = [...places].filter(
      ([at, { target }]) => !isEmpty(read.cells[at]) && isAbout(nameOf(importable, target), field),
    )
    // if several columns name a record, the one in the message
    const last = found.find(([at]) => message.endsWith(textOf(read.cells[at]))) ?? found.at(-1)
    if (!last) return undefined
    for (const [, { target }] of found) {
      if (isVital(importable, target)) return undefined
      drop(body, links, target)
    }
    const [at, { target, column }] = last
    faults.push({ field: nameOf(importable, target), message, ...shown(column, read.cells[at]) })
  }
  return { ...read, body, links, faults: [...read.faults, ...faults] }
}

/** The same errors with the column and the cell that each is about. */
export function located({ importable, places }: Reader, cells: Cell[], errors: FieldError[]) {
  return errors.map((error): FieldError => {
    const found = [...places].find(([, { target }]) =>
      isAbout(nameOf(importable, target), error.field),
    )
    if (!found || 'column' in error) return error
    const [at, { column }] = found
    return { ...error, ...shown(column, cells[at]) }
  })
}

/** 400 for rows that are not records: too long, a repeated header, or a line of totals. */
function checkShape(cells: Cell[], columns: string[]) {
  const wrong = (message: string) => badRequest(`row: ${message}`, [{ field: 'row', message }])
  if (cells.length > columns.length && cells.slice(columns.length).some((cell) => !isEmpty(cell))) {
    throw wrong(
      `has ${cells.length} cells and the header ${columns.length}: is there a quote missing?`,
    )
  }
  if (repeatsHeader(columns, cells)) {
    throw wrong('repeats the header')
  }
  if (isTotal(cells)) throw wrong('is a line of totals')
}

/**
 * The texts by which a cell names a record, the whole before its first part; and why the others of several people or
 * projects are not taken.
 */
function namedIn(
  { name, field }: Extract<Target, { kind: 'link' }>,
  cell: Cell,
): { named: string[]; others?: string } {
  const text = plainText(textOf(cell))
  const isPerson = Object.hasOwn(field.reference?.by ?? {}, 'email')
  // a task of several projects, as Asana writes them
  const isList = name === 'project_id' && /,\S/.test(text) && !/,\s/.test(text)
  const [first = text, ...rest] = isPerson ? peopleIn(text) : isList ? text.split(',') : [text]
  if (!rest.length) return { named: [first] }
  const others = `names several: the first one is taken, and not ${rest.join(', ')}`
  return { named: [text, first], others }
}

function put(
  { importable, timezone }: Reader,
  body: Body,
  target: Exclude<Target, { kind: 'id' | 'link' }>,
  cell: Cell,
  formats: Formats,
) {
  const how = { ...formats, timezone }
  if (target.kind === 'field') {
    add(importable, body, target, valueOf(target.field, profileAddress(target.name, cell), how))
    return
  }
  const [name, key] = memberOf(target)
  const value = target.kind === 'part' ? safeText(cell) : customValue(target, cell, how)
  const members = (body[name] ?? {}) as Body
  const isJoined = Object.hasOwn(importable.several ?? {}, nameOf(importable, target))
  const before = isJoined ? members[key] : undefined
  body[name] = { ...members, [key]: before ? `${String(before)}\n\n${String(value)}` : value }
}

/** Adds a value to those of the columns before that have the same target. */
function add(
  { several = {} }: Importable,
  body: Body,
  { name, field }: Extract<Target, { kind: 'field' }>,
  value: unknown,
) {
  const before = body[name]
  const rest = several[name]
  if (before === undefined || before === null) body[name] = value
  else if (field.kind === 'list' && Array.isArray(before) && Array.isArray(value)) {
    body[name] = [...new Set([...(before as unknown[]), ...(value as unknown[])])]
  } else if (rest === 'join') body[name] = `${String(before)}\n\n${String(value)}`
  else if (rest === undefined) body[name] = merged(before, value)
  else if (rest !== 'first' && before !== value) {
    const custom = (body.custom_fields ?? {}) as Body
    if (Object.values(custom).includes(value)) return
    let n = 2
    while (Object.hasOwn(custom, `${rest}_${n}`)) n++
    body.custom_fields = { ...custom, [`${rest}_${n}`]: value }
  }
}

/** The first one of several values in a cell that holds one, which some programs separate by `:::`. */
function firstOf(target: Target, cell: Cell): [first: Cell, others?: string] {
  if (typeof cell === 'number' || !cell.includes(' ::: ')) return [cell]
  if (target.kind !== 'field' || target.field.kind === 'list') return [cell]
  const [first = '', ...rest] = cell.split(' ::: ')
  return [first, `holds several values: the first one is taken, and not ${rest.join(', ')}`]
}

/** The first one of several addresses. */
function emailOf(cell: Cell): { email: string; name?: string; others?: string } {
  const [first = '', ...rest] = addressesOf(plainText(textOf(cell)))
  const others = `holds several addresses: the first one is taken, and not ${rest.join(', ')}`
  return { ...addressOf(first), ...(rest.length ? { others } : {}) }
}

/** Uses the name next to an address as the record's name if the row has no column for it. */
function withName({ importable, places }: Reader, body: Body, name: string) {
  const { title } = importable.record
  const names = [title, 'first_name', 'last_name']
  const hasName = [...places.values()].some(
    ({ target }) => target.kind === 'field' && names.includes(target.name),
  )
  if (!hasName && title === 'full_name') body[title] = name
}

/** A cell as shown in an error. */
function shown(column: string, cell: Cell | undefined): Pick<Fault, 'column' | 'value'> {
  return { column, value: textOf(cell).slice(0, 200) }
}

/** The row checked against the schema; cells that do not match it are also left out. */
function checked(reader: Reader, read: Read, lost: Fault[]): Read {
  const { importable } = reader
  const problems: FieldError[] = [...lost]
  let row = read
  for (let left = 20; ; left--) {
    try {
      const body = prepared(reader, row.body)
      if (problems.length) break
      return { ...row, body, raw: row.body }
    } catch (error) {
      if (!(error instanceof Failure) || !error.errors) throw error
      const wrong = error.errors
      const without = left && !problems.length ? withoutWrong(reader, row, wrong) : undefined
      if (!without) {
        problems.push(...located(reader, read.cells, wrong))
        break
      }
      row = without
    }
  }
  // whoever corrects a lost row needs to know everything that is wrong with it
  const all = [...problems, ...row.faults.filter((fault) => !problems.includes(fault))]
  const named = all.filter(({ field }, at) => all.findIndex((each) => each.field === field) === at)
  const message = named.map(({ field, message: why }) => `${field}: ${why}`).join('; ')
  throw badRequest(message || `${importable.record.word}: cannot be read`, named)
}

function prepared({ importable, timezone }: Reader, raw: Body): Body {
  checkStorable(raw)
  const body = importable.prepare(trimmed(importable.schema, raw, timezone) as Body)
  checkBody(importable.schema, body)
  return body
}

/** Whether a row cannot be imported without the cell: it is required, identifies the record, or says where it belongs. */
function isVital({ keys, record }: Importable, target: Target): boolean {
  if (target.kind === 'id') return true
  if (target.kind === 'custom') {
    return Boolean(target.definition?.unique || target.definition?.required)
  }
  const { name } = target
  return keys.includes(name) || record.fields[name]?.access === 'required'
}

/** Whether an error of this field concerns that target: the field itself, or a member of it. */
function isAbout(name: string, field: string): boolean {
  const [head = ''] = name.split('.')
  return (
    field === name || field.startsWith(`${name}.`) || (field === head && head !== 'custom_fields')
  )
}

function drop(body: Body, links: Read['links'], target: Target) {
  if (target.kind === 'link') delete links[target.name]
  if (target.kind === 'link' || target.kind === 'field') {
    delete body[target.name]
  } else if (target.kind !== 'id') {
    const [name, key] = memberOf(target)
    const { [key]: _dropped, ...rest } = (body[name] ?? {}) as Body
    body[name] = rest
  }
}

/** The object of a body of which a target is a member, and the key. */
function memberOf(target: Extract<Target, { kind: 'part' | 'custom' }>): [string, string] {
  return target.kind === 'part' ? [target.name, target.part] : ['custom_fields', target.key]
}

/** Combines a column for a whole object with columns for its members. */
function merged(before: unknown, value: unknown): unknown {
  const isObject = (each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
  return isObject(before) && isObject(value) ? { ...(before as Body), ...(value as Body) } : value
}

function clear(body: Body, target: Target) {
  if (target.kind === 'link' || target.kind === 'field') {
    if (target.field.nullable) body[target.name] ??= null
  } else if (target.kind !== 'id') {
    const [name, key] = memberOf(target)
    body[name] = { ...(body[name] as Body | undefined), [key]: null }
  }
}

/** Ids are the most reliable, names the least: the order in which the link lists its keys. */
function rank(importable: Importable, name: string, { key, text }: Named): number {
  if (key === null && isId(text)) return 0
  const keys = Object.keys(fieldOf(importable, name)?.reference?.by ?? {})
  return key === null ? keys.length : keys.indexOf(key)
}
