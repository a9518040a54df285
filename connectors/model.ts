/**
 * The model of every connector: records with their fields, option lists and events, combined from the
 * catalogue and the API document by `build.ts`. Each platform has a copy of this file.
 */
export type Model = {
  records: RecordModel[]
  /** the list of changes, for triggers that ask */
  changes: { path: string }
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

/** One field of a form. `key` is the API's; for a custom field it begins with `customPrefix`. */
export type Field = {
  key: string
  label: string
  type: FieldType
  help: string
  /** whether it is required in a create */
  isRequired?: boolean
  /** where it can be written; by default in both */
  only?: 'create' | 'update'
  /** the values of an enumeration */
  options?: Option[]
  /** the list of values from the installation: a key of `dropdowns` */
  dropdown?: string
}

/** The prefix of a custom field's key in forms. */
export const customPrefix = 'custom_fields__'

type Query = { [name: string]: string }

/** A list of values that the installation returns. */
export type Dropdown = {
  path: string
  query: Query
  /** the member of the answer with the list */
  at: string
  value: string
  label: string
  /** the field that must be filled first: it is part of the path, or `restricts` the list */
  after?: string
  restricts?: boolean
}

/** A parameter of the list by which a record is found, with the values of an option list or of an enumeration. */
export type Finder = { key: string; label: string; dropdown?: string; options?: Option[] }

export type RecordModel = {
  word: string
  label: string
  plural: string
  /** the field with the id, and the one with the title */
  id: string
  title: string
  /** its module among the changes */
  module: string
  list: { path: string; query: Query }
  /** `{id}` in the path, or a parameter of the list */
  read: { path: string; parameter?: string }
  /** with further properties of every create; none where apps only read the records */
  create?: { path: string; body: Query; isUpsert: boolean }
  update?: { path: string }
  /** where up to 500 are created and updated at once */
  bulk?: { path: string }
  find: Finder[]
  fields: Field[]
  /** an example of a record */
  sample: { [key: string]: unknown }
  /** the path of the description of custom fields */
  customFields?: { path: string; query: Query; at: string }
}

/** An event that can start a workflow, with an example of its delivery. */
export type Trigger = {
  event: string
  label: string
  help: string
  example: { event_id: string; data: { [key: string]: unknown }; [key: string]: unknown }
}
