import { queryOptions } from '@tanstack/react-query'
import { request } from '../api/request.ts'
import { keys } from './keys.ts'
import type { Place } from './modules.ts'
import { t } from '../locales/text.ts'

/** A record of any module, from a list or its own address. */
export type AnyRecord = { [field: string]: unknown }

/** A record by its id, with its version for changes. */
export function recordQuery(module: Pick<Place, 'module' | 'path'>, id: string) {
  return queryOptions({
    queryKey: keys.record(module.module, id),
    queryFn: async ({ signal }) => {
      const { data, headers } = await request<AnyRecord>('GET', pathOf(module, id), { signal })
      return { ...data, version: data.version ?? versionIn(headers) }
    },
    staleTime: 10_000,
  })
}

/** The address of a record in the API. */
export function pathOf({ path }: Pick<Place, 'path'>, id: string): string {
  return `${path}${encodeURIComponent(id)}/`
}

/** The id of a record. */
export function idOf({ key }: Pick<Place, 'key'>, record: AnyRecord): string {
  return String(record[key] ?? record.id ?? '')
}

/** The title of a record. */
export function titleOf({ title_field }: Pick<Place, 'title_field'>, record: AnyRecord): string {
  const title = record[title_field]
  return typeof title === 'string' && title !== '' ? title : t('Untitled')
}

/** The value of a field, also of a custom one (`custom_fields.plan`). */
export function valueOf(record: AnyRecord, name: string): unknown {
  const [first = '', ...rest] = name.split('.')
  return rest.reduce<unknown>(
    (value, part) =>
      value !== null && typeof value === 'object' ? (value as AnyRecord)[part] : undefined,
    record[first],
  )
}

/** The record with another value of a field. */
export function withValue(record: AnyRecord, name: string, value: unknown): AnyRecord {
  const [first = '', ...rest] = name.split('.')
  if (!rest.length) return { ...record, [first]: value }
  const inner = (record[first] ?? {}) as AnyRecord
  return { ...record, [first]: withValue(inner, rest.join('.'), value) }
}

/** The record with other values, by field. */
export function withValues(record: AnyRecord, values: { [field: string]: unknown }): AnyRecord {
  return Object.entries(values).reduce(
    (next, [name, value]) => withValue(next, name, value),
    record,
  )
}

/** The version in an answer's `ETag`, for `If-Match`. */
export function versionIn(headers: Headers): number | undefined {
  const [, digits] = /^(?:W\/)?"(\d+)"$/.exec(headers.get('etag') ?? '') ?? []
  return digits === undefined ? undefined : Number(digits)
}
