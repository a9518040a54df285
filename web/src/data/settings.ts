import { queryOptions } from '@tanstack/react-query'
import type { AnswerOf, BodyOf, PathsOf } from '../api/client.ts'
import { api } from '../api/client.ts'
import { keys } from './keys.ts'
import { notify } from './notices.ts'
import { queryClient } from './query-client.ts'

/** The paths of settings that are read and changed as a whole: `GET` and `PUT` of the same path. */
export type SettingsPath = Extract<
  PathsOf<'get'> & PathsOf<'put'>,
  | '/api/organization/settings/'
  | '/api/organization/settings/health-weights/'
  | '/api/organization/settings/mail/'
  | '/api/organization/settings/sharing/'
  | '/api/organization/security/'
  | '/api/notifyhub/preferences/'
>

/** The settings of a path. */
export function settingsQuery<P extends SettingsPath>(path: P) {
  return queryOptions({
    queryKey: keys.setting(path),
    queryFn: async () => (await api.get(path)).data as AnswerOf<P, 'get'>,
    staleTime: 30_000,
  })
}

/** How a kind of settings is cached and sent. */
export type Stored<T> = {
  queryKey: readonly unknown[]
  send: (values: Partial<T>) => Promise<T | null>
}

/** The settings of a path as `changeSettings` takes them. */
export function storedAt<P extends SettingsPath>(path: P): Stored<AnswerOf<P, 'get'>> {
  return {
    queryKey: keys.setting(path),
    send: async (values) =>
      (await api.put(path, { body: values as unknown as BodyOf<P, 'put'> })).data as AnswerOf<
        P,
        'get'
      >,
  }
}

/**
 * Changes settings: shown at once, then sent; the notice has the undo. A refusal reverts them and throws
 * the `Problem`.
 */
export async function changeSettings<T extends object>(
  stored: Stored<T>,
  values: Partial<T>,
  message: string,
  isUndo = false,
): Promise<void> {
  const { queryKey, send } = stored
  await queryClient.cancelQueries({ queryKey })
  const before = queryClient.getQueryData<T>(queryKey)
  queryClient.setQueryData<T>(queryKey, (data) => (data ? { ...data, ...values } : data))
  try {
    const answer = await send(values)
    if (answer) queryClient.setQueryData<T>(queryKey, answer)
  } catch (error) {
    queryClient.setQueryData(queryKey, before)
    throw error
  }
  void queryClient.invalidateQueries({ queryKey: keys.session })
  if (isUndo || !before) return
  const was = Object.fromEntries(
    Object.keys(values).map((name) => [name, (before as { [name: string]: unknown })[name]]),
  ) as Partial<T>
  notify({ message, undo: () => changeSettings(stored, was, message, true) })
}

/**
 * Changes a cached list of settings: shown at once, then sent, then refetched, with the
 * descriptions of modules that depend on it. A refusal reverts it and throws the `Problem`.
 */
export async function changeConfigured<T>(
  queryKey: readonly unknown[],
  change: (data: T) => T,
  send: () => Promise<unknown>,
  notice?: { message: string; undo?: () => Promise<void> },
): Promise<void> {
  await queryClient.cancelQueries({ queryKey })
  const before = queryClient.getQueryData<T>(queryKey)
  if (before !== undefined) queryClient.setQueryData<T>(queryKey, change(before))
  try {
    await send()
  } catch (error) {
    queryClient.setQueryData(queryKey, before)
    throw error
  }
  await Promise.all([
    queryClient.invalidateQueries({ queryKey }),
    queryClient.invalidateQueries({ queryKey: keys.modules }),
  ])
  if (notice) notify(notice)
}
