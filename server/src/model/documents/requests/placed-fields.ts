import { Type } from 'typebox'
import type { Static } from 'typebox'
import { cut } from '../../../kit/ground/cut.ts'
import { badField } from '../../../kit/ground/errors.ts'
import type { FieldError } from '../../../kit/ground/errors.ts'
import { enumeration, orNull } from '../../../kit/ground/json-schema.ts'
import { areAsked, conditionErrors, operators } from './conditions.ts'

const kind = enumeration(
  [
    'signature',
    'initials',
    'date',
    'text',
    'checkbox',
    'name',
    'email',
    'company',
    'number',
    'choice',
    'attachment',
  ],
  {
    title: 'SignatureFieldKind',
    description:
      'date, name and email fill themselves in; a checkbox has the value `yes`, an attachment the name of its file',
  },
)
const options = Type.Optional(
  Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
    maxItems: 50,
    description: 'of a choice: what can be chosen',
  }),
)
const key = Type.Optional(
  Type.String({ minLength: 1, maxLength: 40, description: 'its own, for conditions of others' }),
)
const show_if = Type.Optional(
  Type.Object(
    {
      field: Type.String({
        maxLength: 40,
        description: 'the key of a field of the same recipient',
      }),
      operator: enumeration(operators, { title: 'FieldConditionOperator' }),
      value: Type.Optional(
        Type.String({ maxLength: 500, description: 'to compare with; a ticked box has `yes`' }),
      ),
    },
    {
      title: 'FieldCondition',
      additionalProperties: false,
      description: 'when it is asked for; otherwise it is left out, and has no value',
    },
  ),
)
const prefill = Type.Optional(
  Type.String({
    maxLength: 500,
    description:
      'of a text, company, number, choice or box (`yes`): what is filled in already, until the recipient changes it',
  }),
)
const part = (description: string) => Type.Number({ minimum: 0, maximum: 1, description })

const place = {
  kind,
  page: Type.Integer({ minimum: 1, maximum: 5000, description: 'counted from 1' }),
  x: part('of its left edge, as a part of the width of the page'),
  y: part('of its upper edge, as a part of the height of the page'),
}

/** A field that a recipient fills in on a page of the document, as a request places it. */
export const placedField = Type.Object(
  {
    ...place,
    width: Type.Optional(part('as a part of the width of the page (0.25)')),
    height: Type.Optional(part('as a part of the height of the page (0.04)')),
    label: Type.Optional(orNull(Type.String({ maxLength: 200 }))),
    required: Type.Optional(Type.Boolean({ description: 'of what is filled in by hand (true)' })),
    options,
    key,
    show_if,
    prefill,
  },
  { title: 'PlacedFieldAt' },
)

const anchor = Type.Optional(
  Type.Object(
    {
      text: Type.String({
        minLength: 1,
        maxLength: 200,
        pattern: '\\S',
        description: 'a text of the PDF, beside which the field stands',
        example: 'Signature:',
      }),
      at: Type.Optional(
        enumeration(['first', 'all'], {
          title: 'AnchorPlaces',
          description: 'at the first place, or at each one (first)',
        }),
      ),
      dx: Type.Optional(Type.Number({ minimum: -1, maximum: 1, description: 'further right' })),
      dy: Type.Optional(Type.Number({ minimum: -1, maximum: 1, description: 'further down' })),
    },
    {
      title: 'FieldAnchor',
      additionalProperties: false,
      description: 'in place of page, x and y; moved by parts of the page',
    },
  ),
)

/** A field as a request may also place it: at a text of the PDF. */
export const anchoredField = Type.Object(
  {
    ...placedField.properties,
    page: Type.Optional(placedField.properties.page),
    x: Type.Optional(placedField.properties.x),
    y: Type.Optional(placedField.properties.y),
    anchor,
  },
  { title: 'PlacedField' },
)

const attachedFile = Type.Object(
  {
    id: Type.String({ description: 'to download it' }),
    name: Type.String(),
    type: Type.String({ description: 'its media type' }),
    size: Type.Integer({ description: 'How many bytes the file has.' }),
    hash: Type.String({ description: 'SHA-256 in hex' }),
  },
  { title: 'AttachedFile' },
)
/** A file that a recipient attached at a field. */
export type AttachedFile = Static<typeof attachedFile>

/** The same as stored and read, with its value once the recipient has signed. */
export const storedField = Type.Object(
  {
    ...place,
    width: Type.Number(),
    height: Type.Number(),
    label: orNull(Type.String()),
    required: Type.Boolean(),
    options,
    key,
    show_if,
    prefill,
    value: orNull(Type.String()),
    file: Type.Optional(attachedFile),
  },
  { title: 'SignatureField' },
)
export type StoredField = Static<typeof storedField>

/** The maximum number of recipients of a request. */
export const mostRecipients = 50

/** The maximum number of fields per recipient. */
export const mostFields = 100

/** The fields of a body with defaults added. */
export function storedFields(fields: Static<typeof placedField>[]): StoredField[] {
  return fields.map(({ options: all, ...field }) => {
    const { width = 0.25, height = 0.04, label = null, required = true, ...rest } = field
    return {
      ...rest,
      width,
      height,
      label: label?.trim() || null,
      required,
      ...(field.kind === 'choice' ? { options: optionsOf(all) } : {}),
      value: null,
    }
  })
}

/** What is wrong with the keys and conditions of one recipient's fields, by the names of the fields in the body. */
export function fieldErrors(
  fields: Pick<StoredField, 'key' | 'kind' | 'show_if' | 'prefill' | 'options'>[],
  nameOf: (position: number) => string,
): FieldError[] {
  const keys = fields.map(({ key: its }) => its)
  const repeated = keys.flatMap((its, position) =>
    its !== undefined && keys.indexOf(its) !== position
      ? [{ field: `${nameOf(position)}.key`, message: 'is there twice' }]
      : [],
  )
  const wrong = conditionErrors(fields).map(({ position, message }) => ({
    field: `${nameOf(position)}.show_if`,
    message,
  }))
  const prefilled = fields.flatMap((each, position) => {
    const message = prefillError(each)
    return message ? [{ field: `${nameOf(position)}.prefill`, message }] : []
  })
  return [...repeated, ...wrong, ...prefilled]
}

/** Why a field cannot be filled in beforehand as it says; undefined if it can. */
function prefillError({
  kind: its,
  prefill: text,
  options: all,
}: Pick<StoredField, 'kind' | 'prefill' | 'options'>): string | undefined {
  if (text === undefined || text === '') return undefined
  if (!isAskedFor(its) || its === 'attachment')
    return 'must be left out: a field of this kind is not filled in beforehand'
  if (its === 'checkbox' && text !== 'yes') return 'must be yes, or left out'
  if (its === 'number' && !numberPattern.test(text.trim())) return notNumber
  if (its === 'choice' && !optionsOf(all).includes(text.trim())) return 'must be one of its options'
  return undefined
}

/** Whether a recipient fills in a kind by hand, apart from signatures and initials. */
function isAskedFor(its: StoredField['kind']): boolean {
  return !byThemselves.has(its) && its !== 'signature' && its !== 'initials'
}

function optionsOf(options: string[] = []): string[] {
  return [...new Set(options.map((each) => each.trim()).filter(Boolean))]
}

/** The kinds that fill themselves in. */
export const byThemselves: ReadonlySet<string> = new Set(['date', 'name', 'email'])

/** Whether something is asked for at a field that may be left out. */
export function isOptional({ kind: its, required }: Pick<StoredField, 'kind' | 'required'>) {
  return !required && isAskedFor(its)
}

/** What a recipient filled in, by the position of the field. */
export type FilledIn = { [position: string]: string }

/** The files that a recipient attached, by the position of the field. */
export type AttachedFiles = { [position: string]: AttachedFile }

/**
 * The fields with their values when somebody signs: the name as the signature, the day of signing, and
 * what they filled in and attached; none where the condition of a field does not hold. 400 naming `fields.<position>` for what is
 * required and empty, and for what its kind does not take.
 */
export function filledFields(
  fields: StoredField[],
  filled: FilledIn,
  { name, day, email, files }: { name: string; day: string; email: string; files: AttachedFiles },
): StoredField[] {
  const textAt = (position: number) => cut((filled[position] ?? '').trim(), 500)
  const asked = areAsked(fields, (position) =>
    fields[position]?.kind === 'checkbox' && textAt(position) ? 'yes' : textAt(position),
  )
  return fields.map((field, i) => {
    if (!asked[i]) return { ...field, value: null }
    const text = textAt(i)
    switch (field.kind) {
      case 'signature':
      case 'name':
        return { ...field, value: name }
      case 'email':
        return { ...field, value: email }
      case 'date':
        return { ...field, value: day }
      case 'initials':
        return { ...field, value: cut(text, 10) || initialsOf(name) }
      case 'attachment': {
        const file = files[i]
        const value = checkedValue(field, file?.name ?? '', `fields.${i}`)
        return { ...field, value, ...(file ? { file } : {}) }
      }
      default:
        return { ...field, value: checkedValue(field, text, `fields.${i}`) }
    }
  })
}

function checkedValue(field: StoredField, text: string, name: string): string | null {
  if (!text) {
    if (field.required) throw badField(name, 'is required')
    return null
  }
  if (field.kind === 'checkbox') return 'yes'
  if (field.kind === 'number' && !numberPattern.test(text)) throw badField(name, notNumber)
  if (field.kind === 'choice' && !field.options?.includes(text)) {
    throw badField(name, 'must be one of its options')
  }
  return text
}

/** A number as people write it, in groups or not. */
export const numberPattern = /^[+-]?\d[\d\s'’.,]*$/
export const notNumber = 'must be a number'

/** `Ada King Lovelace` → `AKL`. */
export function initialsOf(name: string): string {
  const letters = name.split(/\s+/).flatMap((word) => Array.from(word).slice(0, 1))
  return cut(letters.join('').toUpperCase(), 10)
}
