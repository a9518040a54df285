import type { ChangedField, Problem } from '../api/problem.ts'
import { asProblem } from '../api/problem.ts'
import { request } from '../api/request.ts'
import { cachedRecord, cancelReads, changeCached, refreshModule, refreshRecord } from './cached.ts'
import { keys } from './keys.ts'
import type { Place } from './modules.ts'
import { notify } from './notices.ts'
import { queryClient } from './query-client.ts'
import type { AnyRecord } from './record.ts'
import { idOf, pathOf, valueOf, versionIn, withValues } from './record.ts'
import { isDeclined, withRequired } from './required.ts'
import { t } from '../locales/text.ts'

/** New values by field, in the API's form, and in the record's form if that differs. */
export type Values = { [field: string]: unknown }

/** Somebody else changed the record meanwhile: its current state, and who changed what. */
export type Conflict = {
  current: AnyRecord | null
  changed: ChangedField[]
}

/** Sends a write with its headers. */
type Send<T> = (headers: { [name: string]: string }) => Promise<T>

type Options = {
  /** the values in the record's form, such as a person for a user's id */
  shown?: Values
  /** the notice of success; none if undefined */
  message?: string
  /** the version that was shown when the edit began; by default that in the cache */
  version?: unknown
  /** overwrite what others changed meanwhile */
  regardless?: boolean
  /** whether it goes on when the page is left */
  keepalive?: boolean
}

/** The versions created by this tab, by which their echo in the stream is recognized. */
const ownVersions = new Set<string>()

/** Whether an announced change was made by this tab. */
export function isOwnChange(module: string, id: string, version: number): boolean {
  return ownVersions.delete(`${module} ${id} ${version}`)
}

/** Records that this tab has deleted, which must not be read again because of it. */
const ownDeletions = new Set<string>()

/** Whether this tab has deleted the record. */
export function isOwnDeletion(module: string, id: string): boolean {
  return ownDeletions.has(`${module} ${id}`)
}

/** Records that this tab created a version of a record. */
export function rememberOwnChange(module: string, id: string, version: unknown): void {
  if (typeof version !== 'number') return
  ownVersions.add(`${module} ${id} ${version}`)
  if (ownVersions.size > 500) ownVersions.delete(ownVersions.values().next().value ?? '')
}

/**
 * Changes fields of a record optimistically: shown at once everywhere, then sent with the version that was shown. A
 * refusal reverts everything and throws the `Problem`; 412, where others changed the same fields, is thrown with a
 * `Conflict` as its data. Returns the version that it made.
 */
export function changeRecord(
  module: Place,
  id: string,
  values: Values,
  options: Options = {},
): Promise<number | undefined> {
  return withRequired(module.module, id, (required) =>
    changeOnce(module, id, { ...values, ...required }, options),
  )
}

async function changeOnce(
  module: Place,
  id: string,
  values: Values,
  options: Options,
): Promise<number | undefined> {
  await cancelReads(module.module)
  const before = cachedRecord(module, id)
  const shown = { ...values, ...options.shown }
  const putBack = changeCached(module, id, (record) => withValues(record, shown))
  const version = options.regardless ? undefined : (options.version ?? before?.version)
  let stored: number | undefined
  try {
    const { headers, data } = await sendIfUnchanged(version, Object.keys(values), (ifMatch) =>
      request<AnyRecord | null>('PUT', pathOf(module, id), {
        body: bodyOf(values),
        headers: { prefer: 'return=representation', ...ifMatch },
        ...(options.keepalive ? { keepalive: true } : {}),
      }),
    )
    stored = settle(module, id, data, headers)
    if (options.message && before) {
      const undone = Object.fromEntries(
        Object.keys(values).map((name) => [name, asSent(valueOf(before, name))]),
      )
      const was = Object.fromEntries(
        Object.keys(shown).map((name) => [name, valueOf(before, name)]),
      )
      notify({
        message: options.message,
        // what others have changed since then is not undone
        undo: async () => {
          await changeRecord(module, id, undone, { shown: was, version: stored }).catch(
            notifyRefusal,
          )
        },
      })
    }
  } catch (error) {
    putBack()
    // what was put back may be older than what others have changed meanwhile
    void queryClient.invalidateQueries({ queryKey: keys.record(module.module, id) })
    throw error
  } finally {
    void refreshModule(module.module)
  }
  void queryClient.invalidateQueries({ queryKey: ['timeline'] })
  return stored
}

/**
 * Sends a write to fields of a record with the version that was shown; if others have changed only other fields
 * since then, with the current one.
 */
export async function sendIfUnchanged<T>(
  version: unknown,
  fields: string[],
  send: Send<T>,
): Promise<T> {
  try {
    return await send(typeof version === 'number' ? { 'if-match': `"${version}"` } : {})
  } catch (error) {
    const conflict = conflictOf(asProblem(error))
    const current = conflict?.current?.version
    const isSame = conflict?.changed.some(({ field }) => fields.includes(field))
    if (typeof current !== 'number' || current === version || isSame) throw error
    return sendIfUnchanged(current, fields, send)
  }
}

/** Creates a record and returns its id; the same key never creates two. */
export async function createRecord(
  module: Place,
  values: Values,
  idempotencyKey: string,
): Promise<string> {
  const { headers, data } = await request<AnyRecord | null>('POST', module.path, {
    body: bodyOf(values),
    idempotencyKey,
  })
  await refreshModule(module.module)
  return headers.get('x-record-id') ?? String(data?.[module.key] ?? '')
}

/** Duplicates a record with what belongs to it, and returns the copy's id. */
export async function duplicateRecord(module: Place, id: string): Promise<string> {
  const { data } = await request<AnyRecord>('POST', `${pathOf(module, id)}duplicate/`, {
    body: {},
    idempotencyKey: crypto.randomUUID(),
  })
  await refreshModule(module.module)
  const copy = idOf(module, data)
  const { one } = module.word
  notify({
    message: t('{one} duplicated', { one: one.charAt(0).toUpperCase() + one.slice(1) }),
    undo: () => request('DELETE', pathOf(module, copy)).then(() => refreshModule(module.module)),
  })
  return copy
}

/** Deletes a record; the notice restores it. */
export async function deleteRecord(module: Place, id: string, title: string): Promise<void> {
  await cancelReads(module.module)
  ownDeletions.add(`${module.module} ${id}`)
  try {
    await request('DELETE', pathOf(module, id))
  } catch (error) {
    ownDeletions.delete(`${module.module} ${id}`)
    throw error
  }
  // components that still show it must not request it again
  void queryClient.invalidateQueries({
    queryKey: keys.record(module.module, id),
    refetchType: 'none',
  })
  void refreshModule(module.module)
  notify({
    message: t('Deleted {title}', { title }),
    undo: () => restoreRecord(module, id).catch(notifyRefusal),
  })
}

/** Restores a deleted record. */
export async function restoreRecord(module: Place, id: string): Promise<void> {
  await request('POST', `${pathOf(module, id)}restore/`)
  ownDeletions.delete(`${module.module} ${id}`)
  await refreshRecord(module.module, id)
}

/** The conflict of a 412; null for another problem. */
export function conflictOf(problem: Problem): Conflict | null {
  if (problem.status !== 412) return null
  return { current: (problem.data as AnyRecord | undefined) ?? null, changed: problem.changed }
}

/** Shows a refusal as a notice; of a conflict, who has changed the record. */
export function notifyRefusal(error: unknown): void {
  const problem = asProblem(error)
  if (isDeclined(problem)) return
  const conflict = conflictOf(problem)
  const detail = conflict
    ? t('{person} changed it meanwhile. You see it as it is now.', {
        person: nameOfOther(conflict),
      })
    : undefined
  notify({ message: problem.message, problem, ...(detail ? { detail } : {}) })
}

/** Who else changed the record. */
export function nameOfOther({ changed }: Conflict, field?: string): string {
  const found = changed.find((each) => each.field === field) ?? changed[0]
  return found?.by?.full_name ?? t('Somebody')
}

/** A record's value in the form of a body: linked records and people as their ids. */
export function asSent(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asSent)
  if (value === null || value === undefined) return null
  if (typeof value !== 'object') return value
  const entry = Object.entries(value).find(([name]) => name.endsWith('_id'))
  return entry ? entry[1] : value
}

/** `custom_fields.plan` becomes a member of `custom_fields`. */
export function bodyOf(values: Values): AnyRecord {
  return withValues({}, values)
}

/** Applies the server's answer to every cached copy, and returns its version. */
function settle(
  module: Place,
  id: string,
  data: AnyRecord | null,
  headers: Headers,
): number | undefined {
  const version = typeof data?.version === 'number' ? data.version : versionIn(headers)
  rememberOwnChange(module.module, id, version)
  changeCached(module, id, (record) => ({
    ...record,
    ...data,
    ...(version === undefined ? {} : { version }),
  }))
  return version
}
