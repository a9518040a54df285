/**
 * What every connector is made of: records with their fields, option lists and events, joined from the
 * catalogue and the API document by `build.ts`. Each platform has a copy of this file.
 */
export type Model = {
  records: RecordModel[]
  dropdowns: { [key: string]: Dropdown }
  triggers: Trigger[]
}

export type FieldType =
  | 'text'
  | 'long_text'
  | 'email'
  | 'phone'
  | 'url'
  | 'number'
  | 'boolean'
  | 'date'
  | 'datetime'
  | 'select'
  | 'multi_select'
  | 'list'
  | 'address'
  | 'json'

export type Option = { value: string; label: string }

/** One field of a form. `key` is the API's; that of a custom field has `customPrefix` before it. */
export type Field = {
  key: string
  label: string
  type: FieldType
  help: string
  /** in a form that creates */
  isRequired?: boolean
  /** where it can be written; both without it */
  only?: 'create' | 'update'
  /** the values of a closed set */
  options?: Option[]
  /** the values of a set that the installation answers: a key of `dropdowns` */
  dropdown?: string
}

/** What the key of a custom field begins with in forms. */
export const customPrefix = 'custom_fields__'

type Query = { [name: string]: string }

/** A list of values that the installation answers. */
export type Dropdown = {
  path: string
  query: Query
  /** the member of the answer that holds the list */
  at: string
  value: string
  label: string
  /** the field that must be filled first: part of the path, or `restricts` the list */
  after?: string
  restricts?: boolean
}

/** A parameter of the list by which a record is found. */
export type Finder = { key: string; label: string }

export type RecordModel = {
  word: string
  label: string
  plural: string
  /** the field with the id, and the one that names a record to people */
  id: string
  title: string
  list: { path: string; query: Query }
  /** `{id}` in the path, or a parameter of the list */
  read: { path: string; parameter?: string }
  /** what every create says beside its fields */
  create: { path: string; body: Query; isUpsert: boolean }
  update: { path: string }
  find: Finder[]
  fields: Field[]
  /** an example of what a create answers */
  sample: { [key: string]: unknown }
  /** where the custom fields are described */
  customFields?: { path: string; query: Query; at: string }
}

/** An event that a workflow can start with, with an example of its delivery. */
export type Trigger = {
  event: string
  label: string
  help: string
  example: { event_id: string; data: { [key: string]: unknown }; [key: string]: unknown }
}
