import { Type } from 'typebox'
import type { Static, TSchema } from 'typebox'
import { enumeration, orNull, schema } from '../../kit/ground/json-schema.ts'
import { languages } from '../languages/codes.ts'
import type { Language } from '../languages/codes.ts'
import { contactParts } from './answer-parts.ts'

export const fieldTypes = [
  'short-text',
  'long-text',
  'email',
  'phone',
  'number',
  'url',
  'date',
  'time',
  'single-select',
  'multi-select',
  'dropdown',
  'ratings',
  'nps',
  'csat',
  'ces',
  'matrix',
  'ranking',
  'consent',
  'statement',
  'yes-no',
  'rating-matrix',
  'contact',
  'address',
  'signature',
  'file',
  'calculated',
] as const

/** The comparisons that a condition of a question can make with the answer to another one. */
export const conditionOperators = [
  'eq',
  'neq',
  'in',
  'not_in',
  'contains',
  'gt',
  'gte',
  'lt',
  'lte',
  'is_empty',
  'is_not_empty',
] as const

export const fieldType = enumeration(fieldTypes, { title: 'FormFieldType' })

export const option = Type.Object(
  {
    value: Type.String(),
    label: Type.String(),
    most: Type.Optional(
      orNull(
        Type.Integer({ description: 'finished answers that may have it; then it is not offered' }),
      ),
    ),
  },
  { title: 'FormOption' },
)
const options = (description: string) =>
  Type.Optional(schema<Option[] | null>({ type: ['array', 'null'], items: option, description }))

export const condition = Type.Object(
  {
    field_id: Type.String({ description: 'an earlier question' }),
    operator: Type.Optional(
      orNull(enumeration(conditionOperators, { title: 'FormConditionOperator' })),
    ),
    value: Type.Optional(Type.Unknown()),
  },
  { title: 'FormCondition' },
)

const group = Type.Object(
  { any: Type.Array(condition, { description: 'one of these is enough' }) },
  { title: 'FormConditionGroup' },
)
const rules = (description: string) =>
  Type.Optional(
    schema<Rule[]>({ type: 'array', items: { anyOf: [condition, group] }, description }),
  )

const wordsByValue = Type.Optional(
  schema<{ [value: string]: string }>({
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'the label of each, by its value',
  }),
)
const optionalText = Type.Optional(Type.String())
const fieldTranslation = Type.Object(
  {
    label: optionalText,
    description: optionalText,
    placeholder: optionalText,
    minLabel: Type.Optional(Type.String({ description: 'what the lowest step means' })),
    maxLabel: Type.Optional(Type.String({ description: 'what the highest step means' })),
    options: wordsByValue,
    rows: wordsByValue,
  },
  { title: 'FormFieldTranslation' },
)
const pageTranslation = Type.Object({ title: optionalText }, { title: 'FormPageTranslation' })

/** The texts of something in other languages; what a language lacks is shown as it is written first. */
export function byLanguage<T>(of: TSchema) {
  return schema<{ [language in Language]?: T }>({
    type: 'object',
    additionalProperties: of,
    propertyNames: { enum: languages },
    description: 'the texts in other languages; what one lacks is shown as it is written first',
  })
}

export const field = Type.Object(
  {
    id: Type.String(),
    type: fieldType,
    label: Type.String(),
    required: Type.Optional(Type.Boolean()),
    description: Type.Optional(orNull(Type.String({ description: 'stands below the label' }))),
    placeholder: Type.Optional(orNull(Type.String())),
    options: options('the choices; of a matrix, its columns'),
    rows: options('the rows of a matrix'),
    minLabel: Type.Optional(
      orNull(Type.String({ description: 'what the lowest step of a scale means' })),
    ),
    maxLabel: Type.Optional(
      orNull(Type.String({ description: 'what the highest step of a scale means' })),
    ),
    maxRating: Type.Optional(Type.Integer({ description: 'the highest rating (5)' })),
    min: Type.Optional(
      Type.Unknown({ description: 'the least number accepted; of several choices, how many' }),
    ),
    max: Type.Optional(
      Type.Unknown({
        description:
          'the greatest number accepted; of texts, characters; of choices and files, how many',
      }),
    ),
    show_if: rules('the question is shown where all of these hold'),
    parts: Type.Optional(
      schema<ContactPart[] | null>({
        type: ['array', 'null'],
        items: enumeration(contactParts, { title: 'FormContactPart' }),
        description: 'what a contact question asks for (first and last name, email, phone)',
      }),
    ),
    adds_contact: Type.Optional(
      Type.Boolean({
        description: 'whoever is not known by the address of a contact question becomes a contact',
      }),
    ),
    formula: Type.Optional(
      orNull(
        Type.String({
          description:
            'of a calculated value: numbers, `{id}` of earlier questions, + - * / and parentheses',
        }),
      ),
    ),
    random_options: Type.Optional(
      Type.Boolean({ description: 'the choices stand in another order for each respondent' }),
    ),
    translations: Type.Optional(byLanguage<FieldTranslation>(fieldTranslation)),
  },
  { title: 'FormField', additionalProperties: true },
)

export const page = Type.Object(
  {
    id: Type.String(),
    title: Type.String(),
    fields: Type.Array(field),
    show_if: rules('the page is shown where all of these hold'),
    random_order: Type.Optional(
      Type.Boolean({
        description: 'it changes places with those next to it that have this, for each respondent',
      }),
    ),
    translations: Type.Optional(byLanguage<PageTranslation>(pageTranslation)),
  },
  { title: 'FormPage', additionalProperties: true },
)

const endingTranslation = Type.Object(
  {
    title: optionalText,
    text: Type.Optional(Type.String({ description: 'below the heading' })),
    button: Type.Optional(Type.String({ description: 'words of the link' })),
  },
  { title: 'FormEndingTranslation' },
)

/** What is shown after the last page where its conditions hold. */
export const ending = Type.Object(
  {
    id: Type.String(),
    title: Type.String({ description: 'the heading; without one, that of the last ending' }),
    text: Type.String({ description: 'below the heading' }),
    button: Type.Optional(
      orNull(Type.String({ description: 'words of the link to its `url` (“Continue”)' })),
    ),
    url: Type.Optional(orNull(Type.String({ description: 'where it leads on to' }))),
    show_if: rules('it is shown where all of these hold, and no ending before it is shown'),
    translations: Type.Optional(byLanguage<EndingTranslation>(endingTranslation)),
  },
  { title: 'FormEnding', additionalProperties: true },
)

/** The members of a form's structure in reads; `version` increases with every edit. */
export const formStructure = {
  pages: Type.Array(page),
  endings: Type.Optional(
    Type.Array(ending, {
      description:
        'what is shown after the last page: the first whose conditions hold, else the closing text of the survey',
    }),
  ),
  version: Type.Integer(),
}

/** An object of a body, before it is checked. */
export type Open = { [key: string]: unknown }
export type Option = Static<typeof option>
export type Condition = Static<typeof condition>
/** A comparison, or several of which one is enough. */
export type Rule = Condition | { any: Condition[] }
export type ContactPart = (typeof contactParts)[number]
export type FieldTranslation = Static<typeof fieldTranslation>
export type PageTranslation = Static<typeof pageTranslation>
export type FormField = Static<typeof field> & Open
export type Page = Omit<Static<typeof page>, 'fields'> & { fields: FormField[] } & Open
export type EndingTranslation = Static<typeof endingTranslation>
export type Ending = Static<typeof ending> & Open
/** What a form asks, and how it ends. */
export type Structure = { pages: Page[]; endings?: Ending[] | undefined }
export type Answers = { [field_id: string]: unknown }

/** All comparisons of a question, a page or an ending. */
export function conditionsOf({ show_if = [] }: { show_if?: Rule[] | undefined }): Condition[] {
  return show_if.flatMap((rule) => ('any' in rule ? rule.any : [rule]))
}
