import { api } from '../api/client.ts'
import { notifyRefusal } from './change.ts'
import { keys } from './keys.ts'
import type { Field, Module } from './modules.ts'
import { fieldsAt, withPath } from './modules.ts'
import { notify } from './notices.ts'
import { queryClient } from './query-client.ts'
import { changePreferences } from './session.ts'
import { t } from '../locales/text.ts'

type Layout = NonNullable<Module['layout']>

/** Where everybody's pages show a field. */
export type FieldPlace = 'strip' | 'rail' | 'hidden'

const words: { [place in FieldPlace]: (label: string) => string } = {
  strip: (label) => t('{label} is shown in the head', { label }),
  rail: (label) => t('{label} is shown at the right', { label }),
  hidden: (label) => t('{label} is shown among all fields alone', { label }),
}

/** Puts a field last at a place of everybody's pages; the notice takes it back. Throws the `Problem`. */
export async function placeField(module: Module, field: Field, place: FieldPlace): Promise<void> {
  const others = (names: string[]) => names.filter((name) => name !== field.name)
  const now = (at: 'strip' | 'rail') => others(fieldsAt(module, at).map(({ name }) => name))
  const layout = {
    strip: now('strip'),
    rail: now('rail'),
    hidden: others(module.layout?.hidden ?? []),
  }
  layout[place].push(field.name)
  await put(module.module, layout)
  notify({
    message: words[place](field.label),
    undo: () => put(module.module, module.layout).catch(notifyRefusal),
  })
}

/** Shows all fields where they were declared; the notice takes it back. Throws the `Problem`. */
export async function resetPlaces(module: Module): Promise<void> {
  await put(module.module, null)
  notify({
    message: t('Fields are where they were at first'),
    undo: () => put(module.module, module.layout).catch(notifyRefusal),
  })
}

async function put(module: string, layout: Layout | null): Promise<void> {
  const { data } = await api.put('/api/modules/{module}/layout/', {
    path: { module },
    body: layout ?? { strip: null, rail: null, hidden: null },
  })
  queryClient.setQueryData<Module>(keys.module(module), withPath(data))
}

/** The fields that a person has pinned beside the work, for themselves alone. */
export function pinsOf(preferences: { [name: string]: unknown }, module: string): string[] {
  const pins = preferences[`pins.${module}`]
  const names: unknown[] = Array.isArray(pins) ? pins : []
  return names.filter((name) => typeof name === 'string')
}

/** Pins fields of a module for the person alone. Throws the `Problem`. */
export async function pinFields(
  module: string,
  names: string[],
  before: string[],
  message: string,
): Promise<void> {
  const set = (all: string[]) => changePreferences({ [`pins.${module}`]: all.length ? all : null })
  await set(names)
  notify({ message, undo: () => set(before).catch(notifyRefusal) })
}
