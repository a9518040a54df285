import type { TProperties, Static, TObject, TSchema } from 'typebox'
import { Type } from 'typebox'
import type { JSONSchema } from '../ground/json-schema.ts'
import { rankOf } from './rank.ts'
import type { Access, Field, Kind, Reference, Shown, Values } from './record.ts'
import { namesOf, wordKeys } from './record.ts'

/**
 * What a field is beside its type. Without `required`, `default`, `readOnly` and `expression`, bodies may leave it
 * out, and null clears it; with one of these it is never null, unless `nullable` says so.
 */
export type Facts<W = unknown> = Partial<
  Omit<Field, 'kind' | 'access' | 'schema' | 'readSchema' | 'reference' | '_read' | '_write'>
> & {
  /** a new record must have it, and it is never blank */
  required?: true
  /** the service sets it: bodies may not, see `refusal` */
  readOnly?: true
  default?: W
  /** further keywords of its JSON Schema, such as `minimum` */
  schema?: JSONSchema
  /** what the API document calls its schema, as a component: `DocumentStatus` */
  title?: string
  /** a field of the type that `read` yields, where that is not the stored one's */
  shown?: Field
}

/** Refuses facts that there are none of: an inferred type takes any. */
export type Known<F> = { [K in Exclude<keyof F, keyof Facts>]: never }

type AccessOf<F> = F extends { required: true }
  ? 'required'
  : F extends { readOnly: true } | { expression: NonNullable<unknown> }
    ? 'readOnly'
    : 'optional'
type Settled = { required: true } | { readOnly: true } | { expression: NonNullable<unknown> }
type OrNull<T, F> = F extends { nullable: infer N }
  ? N extends true
    ? T | null
    : T
  : F extends Settled | { default: unknown }
    ? T
    : T | null
type ReadOf<R, F> = F extends { shown: Field<infer S> } ? Exclude<S, null> : R
type Made<R, W, F> = Field<OrNull<ReadOf<R, F>, F>, OrNull<W, F>, AccessOf<F>>

function made<R, W, F extends Facts>(
  kind: Kind,
  type: JSONSchema,
  facts: F | undefined,
  reference?: Reference,
): Made<R, W, F> {
  const { required, readOnly, schema, title, shown, description, ...others } = facts ?? ({} as F)
  const { expression, shared } = others
  const access: Access = required ? 'required' : readOnly || expression ? 'readOnly' : 'optional'
  const isSettled = access !== 'optional' || Object.hasOwn(others, 'default')
  const alone = shared && `(select ${shared.value} from (${shared.rows}) ${shared.name})`
  const field: Field = {
    nullable: !isSettled,
    filterable: kind !== 'json' || others.word !== undefined,
    ...(alone && (access === 'readOnly' ? { expression: alone } : { read: alone })),
    ...(shown && { readSchema: shown.schema }),
    ...(reference && { reference }),
    ...(reference && description && { description }),
    ...others,
    kind,
    access,
    schema: {
      ...(title && { title }),
      ...type,
      ...schema,
      ...(description && !reference && { description }),
      ...(required && kind === 'text' && !reference && { pattern: '\\S' }),
    },
  }
  return field as Made<R, W, F>
}

/** Text of at most `max` characters. */
export function text<F extends Facts<string> = {}>(max = 10_000, facts?: F & Known<F>) {
  return made<string, string, F>('text', { type: 'string', maxLength: max }, facts)
}

/** A web address (http or https), or the empty text. */
export function url<F extends Facts<string> = {}>(facts?: F & Known<F>) {
  const schema = { type: 'string', maxLength: 2048, format: 'web-address' }
  return made<string, string, F>('text', schema, facts)
}

/** One of a closed set of words. */
export function oneOf<const W extends string, F extends Facts<NoInfer<W>> = {}>(
  words: readonly W[],
  facts?: F & Known<F>,
) {
  return made<W, W, F>('text', { type: 'string', enum: words }, facts)
}

/** A 32-bit whole number. */
export function integer<F extends Facts<number> = {}>(facts?: F & Known<F>) {
  const schema = { type: 'integer', minimum: -2147483648, maximum: 2147483647 }
  return made<number, number, F>('integer', schema, facts)
}

/**
 * A number; money is in currency units. Up to 10^15, as totals of it must fit too: two of 10^308
 * would break every list and widget that adds them up.
 */
export function number<F extends Facts<number> = {}>(facts?: F & Known<F>) {
  const schema = { type: 'number', minimum: -1e15, maximum: 1e15 }
  return made<number, number, F>('number', schema, facts)
}

/** True or false. */
export function boolean<F extends Facts<boolean> = {}>(facts?: F & Known<F>) {
  return made<boolean, boolean, F>('boolean', { type: 'boolean' }, facts)
}

/** An instant: ISO 8601 UTC with milliseconds on reading. */
export function timestamp<F extends Facts<string> = {}>(facts?: F & Known<F>) {
  return made<string, string, F>('timestamp', { type: 'string', format: 'date-time' }, facts)
}

/** An instant of the record itself, which the service sets: when it was created or last changed. */
export function stamp() {
  return timestamp({ readOnly: true, isSystem: true })
}

/** A day without a time: `YYYY-MM-DD`. */
export function date<F extends Facts<string> = {}>(facts?: F & Known<F>) {
  return made<string, string, F>('date', { type: 'string', format: 'date' }, facts)
}

type Open = { [key: string]: unknown }

/** An open object whose members are the user's own. Updates merge it one level deep. */
export function object<F extends Facts<Open> = {}>(facts?: F & Known<F>) {
  return made<Open, Open, F>('json', { type: 'object', additionalProperties: true }, facts)
}

/** An object with these members (TypeBox schemas). */
export function objectOf<P extends TProperties, F extends Facts<Static<TObject<P>>> = {}>(
  properties: P,
  facts?: F & Known<F>,
) {
  const { title, ...others } = facts ?? ({} as F)
  const schema = Type.Object(properties, title ? { title } : {})
  return valueOf<TObject<P>, F>(schema, others as F & Known<F>)
}

/** A value of this schema, mostly an object, where members alone do not say it. */
export function valueOf<S extends TSchema, F extends Facts<Static<S>> = {}>(
  of: S,
  facts?: F & Known<F>,
) {
  return made<Static<S>, Static<S>, F>('json', of as unknown as JSONSchema, facts)
}

/** An array of values of a schema. Updates replace it. */
export function list<S extends TSchema = TSchema, F extends Facts<Static<S>[]> = {}>(
  items: S = { type: 'string', maxLength: 255 } as unknown as S,
  facts?: F & Known<F>,
) {
  const schema = { type: 'array', items, maxItems: 500 }
  return made<Static<S>[], Static<S>[], F>('list', schema, facts)
}

/** A list of tags by their names; bodies bring each once, and none that is blank (`distinctTags`). */
export function tagList<F extends Facts<string[]> = {}>(facts?: F & Known<F>) {
  const schema = {
    type: 'array',
    items: Type.String({ maxLength: 255, format: 'tag' }),
    maxItems: 500,
  }
  return made<string[], string[], F>('list', schema, facts)
}

/** An array of objects with these members (TypeBox schemas), of which `title` names one. */
export function listOf<P extends TProperties, F extends Facts<Static<TObject<P>>[]> = {}>(
  properties: P,
  facts?: F & Known<F>,
) {
  const { title, ...others } = facts ?? ({} as F)
  const items = Type.Object(properties, title ? { title } : {})
  const schema = { type: 'array', items, maxItems: 500 }
  return made<Static<TObject<P>>[], Static<TObject<P>>[], F>('list', schema, others as F)
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
export function reference<const L extends Reference, F extends Facts<string> = {}>(
  link: L,
  facts?: F & Known<F>,
) {
  const named = { maxLength: 320, description: `an ${namesOf(link)}` }
  const bounds = wordKeys(link).length ? named : { maxLength: 25 }
  const schema: JSONSchema = { type: 'string', minLength: 1, ...bounds }
  return made<ReadLink<L>, string | Open, F>('text', schema, facts, link)
}

/** The record's identifier, made by the service. Stored as `id`. */
export function key(facts?: Pick<Facts, 'description'>): Field<string, string, 'key'> {
  return { ...text(25, { ...facts, nullable: false, column: 'id' }), access: 'key' }
}

/**
 * The place of a record among others of its kind; see `rank.ts`. Beside a `position`, which sorts by
 * it.
 */
export function rank(): Field<string, string, 'readOnly'> {
  return text(10_000, {
    description: 'sorts byte by byte: by `position`, and among records of the same one',
    expression: rankOf('t'),
    isUnshown: true,
  })
}

/** The organization's own fields: customers and partners are shown those whose definition is shared. */
export function customFields(moduleIn?: string) {
  return object({
    default: {},
    audience: {
      read: ({
        module,
      }: {
        module: string
      }) => `(select coalesce(jsonb_object_agg(c.key, c.value), '{}')
    from jsonb_each(t.custom_fields) c where c.key in (${sharedKeys(moduleIn ?? `'${module}'`)}))`,
    },
  })
}

/** The keys of the fields of a module that are shared; `module` is SQL. */
export function sharedKeys(module: string): string {
  return `select f.key from field_definitions f where f.organization_id = $organization
    and f.module = ${module} and f.is_shared and not f.is_built_in`
}
