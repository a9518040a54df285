import { queryOptions } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import type { components } from '../api/schema.d.ts'
import { notifyRefusal } from '../data/change.ts'
import { keys } from '../data/keys.ts'
import { changeConfigured } from '../data/settings.ts'
import type { FieldDefinition } from './field-types.ts'
import { t } from '../locales/text.ts'

type FieldConfig = components['schemas']['FieldConfig']

/** The fields of every module that has custom ones. */
export const fieldsQuery = queryOptions({
  queryKey: keys.setting('fields'),
  queryFn: async () => (await api.get('/api/organization/settings/fields/')).data,
})

/** The changes of a field, by its key. */
export type FieldChange = Partial<FieldDefinition> & { key: string }

/** Changes fields of a module: shown at once; the notice can undo it. */
export async function changeFields(
  module: string,
  changes: FieldChange[],
  message: string,
  undo?: FieldChange[],
): Promise<void> {
  const byKey = new Map(changes.map((change) => [change.key, change]))
  await changeConfigured<FieldConfig[]>(
    fieldsQuery.queryKey,
    (all) =>
      all.map((config) =>
        config.module === module
          ? {
              ...config,
              fields: config.fields
                .map((field) => ({ ...field, ...byKey.get(field.key) }))
                .sort((one, other) => one.position - other.position),
            }
          : config,
      ),
    () =>
      api.put('/api/organization/settings/fields/{module}/', {
        path: { module },
        body: { fields: changes } as never,
      }),
    undo
      ? { message, undo: () => changeFields(module, undo, message).catch(notifyRefusal) }
      : { message },
  )
}

/** Deletes a custom field for which no record has a value. */
export async function deleteField(module: string, field: FieldDefinition): Promise<void> {
  await changeConfigured<FieldConfig[]>(
    fieldsQuery.queryKey,
    (all) => all,
    () =>
      api.delete('/api/organization/settings/fields/{module}/{key}/', {
        path: { module, key: field.key },
      }),
    { message: t('{label} deleted', { label: field.label }) },
  )
}
