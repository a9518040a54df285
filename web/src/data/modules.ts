import { queryOptions } from '@tanstack/react-query'
import type { components } from '../api/schema.d.ts'
import { api } from '../api/client.ts'
import { Problem } from '../api/problem.ts'
import { keys } from './keys.ts'
import { t } from '../locales/text.ts'

/** A module in short: its names, its path, and the person's permission levels. */
export type ModuleSummary = components['schemas']['Module']
type Described = components['schemas']['ModuleWithFields']
/** A module with its fields, in the order of the description. */
export type Module = Omit<Described, 'path'> & { path: string }
/** The address of a module's records in the API. */
export type Place = Pick<Module, 'module' | 'path' | 'key' | 'title_field' | 'word'>
/** The description of a field for screens: type, label, limits, options, and whether it can be sorted or filtered by. */
export type Field = Module['fields'][number]

/** Every module that the person may read. */
export const modulesQuery = queryOptions({
  queryKey: keys.modules,
  queryFn: async () => (await api.get('/api/modules/')).data,
  staleTime: 300_000,
})

/** A module's description. */
export function moduleQuery(module: string) {
  return queryOptions({
    queryKey: keys.module(module),
    queryFn: async (): Promise<Module> => {
      // a route's loader runs before anything reads the session; loaded here, since only browsers have one
      const { levelOf, sessionNow } = await import('./session.ts')
      const session = sessionNow()
      if (session && levelOf(session, module, 'read') === 'none') {
        throw new Problem(403, 'forbidden', t('Your role may not see {module}', { module }))
      }
      const { data } = await api.get('/api/modules/{module}/', { path: { module } })
      return withPath(data)
    },
    staleTime: 300_000,
  })
}

/** A module as the API describes it. */
export function withPath(described: Described): Module {
  return { ...described, path: described.path ?? '' }
}

/** The field that looks so, such as the owner; undefined where a module has none. */
export function fieldThatLooks(
  module: Module,
  look: NonNullable<Field['look']>,
): Field | undefined {
  return module.fields.find((field) => field.look === look)
}

/** The field of a name, also of a custom field (`custom_fields.plan`). */
export function fieldOf(module: Module, name: string): Field | undefined {
  return module.fields.find((field) => field.name === name)
}

/** The fields that a page shows in a place, in their order. */
export function fieldsAt(module: Module, place: Field['place']): Field[] {
  return module.fields
    .filter((field) => field.place === place)
    .toSorted((one, other) => one.place_position - other.place_position)
}
