import { isDeepStrictEqual } from 'node:util'
import type { Context } from '../../kit/ground/context.ts'
import type { FieldError } from '../../kit/ground/errors.ts'
import { badField, badFields } from '../../kit/ground/errors.ts'
import type { Change } from '../../kit/ground/event.ts'
import type { Definition, Option } from '../../kit/record/field-types.ts'
import { asStored } from '../../kit/record/custom.ts'
import type { AnyRecord } from '../../kit/record/record.ts'
import { announce } from '../../kit/write/announce.ts'
import { labelOf } from './labels.ts'
import { fieldTypes } from '../../kit/record/field-types.ts'
import { isUnique, lockFields } from '../../kit/write/unique.ts'
import { shownOf } from './catalogue.ts'
import { checkChange } from './check.ts'
import { currentFields } from './field-config.ts'
import type { FieldInput, OptionInput } from './input.ts'
import { fieldInput } from './input.ts'
import { saveField, saveOptions } from './save.ts'
import { reindexUnique } from './unique.ts'

/** A limit, because every process caches the options, and every read of the fields returns all of them. */
const mostOptions = 10_000

/** Merges by key: new fields are added, attributes of known ones overwritten, options merged by value. */
export async function mergeFields(ctx: Context, record: AnyRecord, sent: FieldInput[]) {
  const input = sent.map((field, at) => settable(record, field, at))
  await lockFields(ctx, record.module)
  const before = new Map((await currentFields(ctx, record)).map((field) => [field.key, field]))
  checkKeys(record, before, input)
  let position = Math.max(0, ...[...before.values()].map((field) => field.position))
  const changes: Change[] = []
  const own = [...before.values()].filter(({ is_built_in }) => !is_built_in)
  let count = own.reduce((sum, { options }) => sum + options.length, 0)
  for (const [i, field] of input.entries()) {
    const at = `fields.${i}`
    const old = before.get(field.key)
    const next = mergeField(old, field, at, () => ++position, ctx.organization.timezone)
    if (isDeepStrictEqual(old, next)) continue
    const added = next.is_built_in ? 0 : next.options.length - (old?.options.length ?? 0)
    count += added
    if (added > 0 && count > mostOptions) {
      throw badField(`${at}.options`, `at most ${mostOptions} in all custom fields of a module`)
    }
    changes.push({ field: next.key, from: old ?? null, to: next })
    await checkChange(ctx, record, old, next, field, at)
    if (next.is_built_in) {
      const set = record.fields[next.key]?.optionSet
      if (set && field.options) await saveOptions(ctx, set, next.options)
    }
    await saveField(ctx, record, next)
    if (isUnique(next) !== (old !== undefined && isUnique(old))) {
      await reindexUnique(ctx, record, next)
    }
  }
  if (changes.length) await announceFields(ctx, record, changes)
}

/** The stored attributes of a field, without the computed ones of a catalogue. 400 for a type of built-in fields. */
function settable(record: AnyRecord, sent: FieldInput, at: number): FieldInput {
  const known = Object.keys(fieldInput.properties)
  const field = Object.fromEntries(
    Object.entries(sent).filter(([name]) => known.includes(name)),
  ) as FieldInput
  const shown = shownOf(record, field.key)
  if (field.type !== undefined && field.type === shown.type) delete field.type
  if (field.description !== undefined && field.description === shown.description) {
    delete field.description
  }
  if (field.type !== undefined && !fieldTypes.includes(field.type)) {
    throw badField(`fields.${at}.type`, `must be one of ${fieldTypes.join(', ')}`)
  }
  return field
}

/** Evicts a record's cached fields, and announces what changed. */
export async function announceFields(ctx: Context, record: AnyRecord, changes: Change[]) {
  ctx.forget()
  await announce(ctx, record, 'reconfigured', {
    id: null,
    title: `${labelOf(record.word)} fields changed`,
    action: 'field_config',
    changes,
    // the entry names fields instead of a record
    more: { name: undefined, keys: changes.map(({ field }) => field) },
  })
}

/** 400 for keys that are repeated or reserved, and for too many fields. */
function checkKeys(record: AnyRecord, before: Map<string, Definition>, input: FieldInput[]) {
  const errors: FieldError[] = []
  const seen = new Set<string>()
  input.forEach(({ key }, i) => {
    const field = `fields.${i}.key`
    if (seen.has(key)) errors.push({ field, message: `${key} is given twice` })
    seen.add(key)
    const isTaken = Object.hasOwn(record.fields, key) && !before.has(key)
    if (isTaken) errors.push({ field, message: `${key} is a field that the service itself sets` })
  })
  const custom = [...before.values()].filter((field) => !field.is_built_in).length
  const added = input.filter(({ key }) => !before.has(key)).length
  if (custom + added > 500) errors.push({ field: 'fields', message: 'at most 500 custom fields' })
  if (errors.length) {
    throw badFields(errors)
  }
}

function mergeField(
  old: Definition | undefined,
  input: FieldInput,
  at: string,
  nextPosition: () => number,
  timezone: string,
): Definition {
  const base: Definition = old ?? {
    key: input.key,
    label: labelOf(input.key),
    type: 'text',
    required: false,
    unique: false,
    description: null,
    options: [],
    default: null,
    position: input.position ?? nextPosition(),
    group: null,
    is_archived: false,
    is_shared: false,
    is_built_in: false,
  }
  const { is_built_in, key } = base
  const options = mergeOptions(base.options, input.options, `${at}.options`)
  const next = { ...base, ...input, key, is_built_in, options }
  return { ...next, default: asStored(next, next.default, timezone) }
}

function mergeOptions(old: Option[], input: OptionInput[] | undefined, at: string): Option[] {
  const merged = new Map(old.map((option) => [option.value, option]))
  const sent = new Set<string>()
  for (const [i, each] of (input ?? []).entries()) {
    const option = typeof each === 'string' ? { value: each } : each
    const value = option.value ?? option.label
    if (!value) throw badField(`${at}.${i}`, 'needs a value or a label')
    if (sent.has(value)) throw badField(`${at}.${i}.value`, `${value} is given twice`)
    sent.add(value)
    const known = merged.get(value)
    const fresh = {
      label: labelOf(value),
      color: null,
      icon: null,
      position: merged.size,
      is_default: false,
    }
    merged.set(value, { ...fresh, ...known, ...option, value })
  }
  return [...merged.values()].sort((a, b) => a.position - b.position)
}
