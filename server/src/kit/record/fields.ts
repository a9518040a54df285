import { rankOf } from './rank.ts'
import type { JSONSchema } from '../ground/json-schema.ts'
import type { TProperties, Static, TObject, TSchema } from 'typebox'
import { Type } from 'typebox'
import { openRowsOf } from './readable.ts'
import type { Field, FieldLook, Reference, SharedRows, Shown, Values, Access } from './record.ts'
import { namesOf, wordKeys } from './record.ts'

const base = { access: 'optional', nullable: false, filterable: true } as const

/** Text of at most `max` characters; `extra` adds JSON Schema keywords such as `format`. */
export function text(max = 10_000, extra: JSONSchema = {}): Field<string> {
  return { ...base, kind: 'text', schema: { type: 'string', maxLength: max, ...extra } }
}

/** A web address (http or https), or the empty text. */
export function url(): Field<string> {
  return text(2048, { format: 'web-address' })
}

/** One of a closed set of words. */
export function oneOf<const W extends string>(...words: W[]): Field<W> {
  return { ...base, kind: 'text', schema: { type: 'string', enum: words } }
}

/** The same field whose schema is a component of the API document by this name: `DocumentStatus`. */
export function titled<F extends Field>(title: string, field: F): F {
  return { ...field, schema: { title, ...field.schema } }
}

/** A 32-bit whole number. */
export function integer(extra: JSONSchema = {}): Field<number> {
  const schema = { type: 'integer', minimum: -2147483648, maximum: 2147483647, ...extra }
  return { ...base, kind: 'integer', schema }
}

/**
 * A number; money is in currency units. Up to 10^15, as totals of it must fit too: two of 10^308
 * would break every list and widget that adds them up.
 */
export function number(extra: JSONSchema = {}): Field<number> {
  const schema = { type: 'number', minimum: -1e15, maximum: 1e15, ...extra }
  return { ...base, kind: 'number', schema }
}

/** True or false. */
export function boolean(): Field<boolean> {
  return { ...base, kind: 'boolean', schema: { type: 'boolean' } }
}

/** An instant: ISO 8601 UTC with milliseconds on reading. */
export function timestamp(): Field<string> {
  return { ...base, kind: 'timestamp', schema: { type: 'string', format: 'date-time' } }
}

/** A day without a time: `YYYY-MM-DD`. */
export function date(): Field<string> {
  return { ...base, kind: 'date', schema: { type: 'string', format: 'date' } }
}

/** An open object whose members are the user's own. Updates merge it one level deep. */
export function object(schema: JSONSchema = {}): Field<{ [key: string]: unknown }> {
  const open = { type: 'object', additionalProperties: true, ...schema }
  return { ...base, kind: 'json', schema: open, filterable: false }
}

/** An object with these members (TypeBox schemas); `title` makes it a component of the document. */
export function objectOf<P extends TProperties>(
  properties: P,
  title?: string,
): Field<Static<TObject<P>>> {
  const schema = Type.Object(properties, title ? { title } : {}) as unknown as JSONSchema
  return { ...base, kind: 'json', schema, filterable: false }
}

/** An array of values of a schema. Updates replace it. */
export function list<S extends TSchema = TSchema>(
  items: S = { type: 'string', maxLength: 255 } as unknown as S,
): Field<Static<S>[]> {
  return { ...base, kind: 'list', schema: { type: 'array', items, maxItems: 500 } }
}

/** A list of tags by their names; bodies bring each once, and none that is blank (`distinctTags`). */
export function tagList(): Field<string[]> {
  return list(Type.String({ maxLength: 255, format: 'tag' }))
}

/** An array of objects with these members (TypeBox schemas); `title` names one of them. */
export function listOf<P extends TProperties>(
  properties: P,
  title?: string,
): Field<Static<TObject<P>>[]> {
  return list(Type.Object(properties, title ? { title } : {}))
}

type ReadLink<L extends Reference> = L['shows'] extends Shown
  ? {
      -readonly [K in keyof L['shows']]: L['shows'][K] extends { isNullable: false }
        ? Values[L['shows'][K]['kind']]
        : Values[L['shows'][K]['kind']] | null
    }
  : string

/**
 * A link to another record by its id; see `Reference`. Bodies may name it by one of its keys too, as
 * `{email}` or, where such a key is a word, by the word alone.
 */
export function reference<const L extends Reference>(
  link: L,
  column?: string,
): Field<ReadLink<L>, string | { [key: string]: unknown }> {
  const named = { maxLength: 320, description: `an ${namesOf(link)}` }
  const bounds = wordKeys(link).length ? named : { maxLength: 25 }
  const schema: JSONSchema = { type: 'string', minLength: 1, ...bounds }
  const field: Field<ReadLink<L>, string | { [key: string]: unknown }> = {
    ...base,
    kind: 'text',
    schema,
    reference: link,
  }
  return column ? { ...field, column } : field
}

/** The record's identifier, made by the service. Stored as `id`. */
export function key(): Field<string, string, 'key'> {
  return { ...text(25), access: 'key', column: 'id' }
}

/** Must be set on create and can never be null or blank. */
export function required<R, W>(field: Field<R, W>): Field<R, W, 'required'> {
  const blank = field.kind === 'text' && !field.reference ? { pattern: '\\S' } : {}
  return { ...field, access: 'required', schema: { ...field.schema, ...blank } }
}

/** May be left out; null clears it. */
export function optional<R, W>(field: Field<R, W>): Field<R | null, W | null, 'optional'> {
  return { ...field, access: 'optional', nullable: true }
}

/** May be left out and then takes `value`; never null. */
export function defaulted<R, W>(field: Field<R, W>, value: NoInfer<W>): Field<R, W, 'optional'> {
  return { ...field, access: 'optional', default: value }
}

/** Set by the service; ignored in bodies. */
export function readOnly<R, W>(field: Field<R, W>): Field<R, W, 'readOnly'> {
  return { ...field, access: 'readOnly' }
}

/** Set by the service and perhaps null. */
export function readOnlyOrNull<R, W>(field: Field<R, W>): Field<R | null, W | null, 'readOnly'> {
  return { ...field, access: 'readOnly', nullable: true }
}

/** Derived at reading from SQL over the alias `t`, perhaps null; not stored under this name. */
export function computed<R, W>(
  field: Field<R, W>,
  expression: string | (() => string),
): Field<R | null, W | null, 'readOnly'> {
  return { ...field, access: 'readOnly', nullable: true, expression }
}

/**
 * The place of a record among others of its kind; see `rank.ts`. Beside a `position`, which sorts by
 * it.
 */
export function rank(): Field<string, string, 'readOnly'> {
  const description = 'sorts byte by byte: by `position`, and among records of the same one'
  return unshown(computedAlways(defined(text(), description), rankOf('t')))
}

/** The same field, by which lists are sorted as by another one. */
export function sortedAs<F extends Field>(field: F, name: string): F {
  return { ...field, sortedAs: name }
}

/** The same where the SQL never yields null, such as a count. */
export function computedAlways<R, W>(
  field: Field<R, W>,
  expression: string | (() => string),
): Field<R, W, 'readOnly'> {
  return { ...field, access: 'readOnly', expression }
}

/**
 * A read-only field that bodies could be thought to set: a value other than that of a read is 400 with
 * the reason `why`, such as `follows from …`, instead of being ignored. `initial` is a new record's.
 */
export function setElsewhere<R, W>(
  field: Field<R, W, 'readOnly'>,
  why: string,
  initial?: NoInfer<W>,
): Field<R, W, 'readOnly'> {
  const refusal = `cannot be set here: it ${why}`
  return { ...field, refusal, ...(initial === undefined ? {} : { default: initial }) }
}

/**
 * The same stored field as a read gives it by other SQL, of the type and schema of `shown`: ids as
 * objects, or a value computed where nothing is stored.
 */
export function readAs<R, W, A extends Access>(
  field: Field<unknown, W, A>,
  shown: Field<R>,
  read: string,
): Field<R, W, A> {
  return { ...field, read, readSchema: shown.schema } as Field<R, W, A>
}

/**
 * A field for the team and observers alone: customers and partners get neither its values nor its
 * changes, and do not know it in filters, sorts and `fields`.
 */
export function internal<F extends Field>(field: F): F {
  return { ...field, audience: 'internal' }
}

/**
 * A field of which customers and partners are shown what `read` yields, SQL over `t`, and which they can
 * neither filter nor sort by.
 */
export function sharedPart<F extends Field>(field: F, read: ReadPart): F {
  return { ...field, audience: { read } }
}

type ReadPart = string | ((record: { module: string }) => string)

/** The organization's own fields: customers and partners are shown those whose definition is shared. */
export function customFields(moduleIn?: string) {
  const field = defaulted(unlisted(object()), {})
  return sharedPart(
    field,
    ({ module }) => `(select coalesce(jsonb_object_agg(c.key, c.value), '{}')
    from jsonb_each(t.custom_fields) c where c.key in (${sharedKeys(moduleIn ?? `'${module}'`)}))`,
  )
}

/** The keys of the fields of a module that are shared; `module` is SQL. */
export function sharedKeys(module: string): string {
  return `select f.key from field_definitions f where f.organization_id = $organization
    and f.module = ${module} and f.is_shared and not f.is_built_in`
}

/** Tags by their names: customers and partners are shown the shared ones. */
export function tagged<F extends Field>(field: F): F {
  const shown = `(select coalesce(jsonb_agg(x.tag order by x.n), '[]')
    from jsonb_array_elements(case when jsonb_typeof(t.tags) = 'array' then t.tags else '[]' end)
      with ordinality x (tag, n)
    where exists (select from ${openRowsOf('tags')} g where g.organization_id = $organization
      and lower(g.tag_name) = lower(x.tag #>> '{}') and g.is_shared and g.deleted_at is null))`
  return looks('tags', sharedPart(field, shown))
}

/**
 * A field whose value at reading is SQL over `t` and over rows that others of the record use too. One
 * that bodies set stays stored under its own name.
 */
export function shares<F extends Field>(field: F, shared: SharedRows, value: string): F {
  const alone = `(select ${value} from (${shared.rows}) ${shared.name})`
  const by = field.access === 'readOnly' ? { expression: alone } : { read: alone }
  return { ...field, ...by, shared: { ...shared, value } }
}

/** The same field with a sentence that defines it, for the API document. */
export function defined<F extends Field>(field: F, description: string): F {
  return field.reference
    ? { ...field, description }
    : { ...field, schema: { ...field.schema, description } }
}

/** A field that holds ids, which conditions may name by words too. */
export function namedBy<F extends Field>(
  field: F,
  idsOf: NonNullable<Field['idsOf']>,
  namesOf: NonNullable<Field['namesOf']>,
): F {
  return { ...field, idsOf, namesOf }
}

/** An object of which filters know these parts, each by a name of its own. */
export function filteredAs<F extends Field>(field: F, filters: NonNullable<Field['filters']>): F {
  return { ...field, filters }
}

/**
 * Only for programs: keys, copies of other fields, pictures. Pages do not show it among a record's
 * facts.
 */
export function unshown<F extends Field>(field: F): F {
  return { ...field, isUnshown: true }
}

/**
 * A fact about something else, such as the size of a file: bodies may state it where nothing better is known, but
 * pages show it and offer no change of it.
 */
export function stated<F extends Field>(field: F): F {
  return { ...field, isStated: true }
}

/** Keeps the field out of the filter and sort registry. */
export function unlisted<F extends Field>(field: F): F {
  return { ...field, filterable: false }
}

/** An object that filters know by one word of it. */
export function filteredBy<F extends Field>(field: F, word: string): F {
  return { ...field, word, filterable: true }
}

/**
 * A field whose values an option set of the organization offers. A body or a condition may name an option
 * by its label; other words are stored as they are.
 */
export function chosenFrom<F extends Field>(field: F, module: string, name: string): F {
  return { ...field, optionSet: { module, name } }
}

/** A text for which an option set makes suggestions: it is stored and compared as it is. */
export function suggestedFrom<F extends Field>(field: F, module: string, name: string): F {
  return { ...field, optionSet: { module, name, isOpen: true } }
}

/** A field whose values have words of ours, such as the numbers of modules; see `chosenFrom` for others. */
export function worded<F extends Field>(field: F, choices: NonNullable<Field['choices']>): F {
  return { ...field, choices }
}

/** An amount in the currency of the record, or of the organization: see `isMoney`. */
export function amount<F extends Field>(field: F): F {
  return { ...field, isMoney: true }
}

/** A field that screens show in a way that its type does not say. */
export function looks<F extends Field>(look: FieldLook, field: F): F {
  return { ...field, look }
}

/** A field that a copy of the record begins without; see `copyOf`. */
export function notCopied<F extends Field>(field: F): F {
  return { ...field, isNotCopied: true }
}

/** Text with a stored, case-folded twin column that an index serves. */
export function folded<F extends Field>(field: F, column: string): F {
  return { ...field, folded: `t.${column}` }
}
