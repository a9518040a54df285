import type { components } from '../api/schema.d.ts'

type Schemas = components['schemas']

/** What the API answers for a record of each module that has screens. */
export type RecordTypes = {
  companies: Schemas['Company']
  contacts: Schemas['Contact']
  accounts: Schemas['Account']
  deals: Schemas['Project']
  projects: Schemas['Project']
  tasks: Schemas['Task']
  documents: Schemas['Document']
  calendar: Schemas['Meeting']
  surveys: Schemas['Survey']
  tags: Schemas['Tag']
}

/** A module that has screens. */
export type ModuleName = keyof RecordTypes
/** A built-in field of a module's records. */
export type FieldName<M extends ModuleName> = keyof RecordTypes[M] & string
