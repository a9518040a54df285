import { queryOptions, useQuery } from '@tanstack/react-query'
import { request } from '../../api/request.ts'
import type { AnyRecord } from '../../data/record.ts'
import { t } from '../../locales/text.ts'

/** A record or person of which only the id is known; loaded for its name. */
export function nameQuery(path: string | null | undefined, id: string) {
  return queryOptions({
    queryKey: ['name', path, id],
    queryFn: async () =>
      (await request<AnyRecord>('GET', `${path}${encodeURIComponent(id)}/`)).data,
    enabled: Boolean(path) && /^[0-9a-z]{25}$/.test(id),
    staleTime: 300_000,
  })
}

type Props = { path: string | null | undefined; title: string | undefined; id: string }

/**
 * The name of a record or person of which only the id is known; looked up once. An ellipsis until it is
 * loaded, and a word if it was deleted or may not be read.
 */
export function useNameOf({ path, title = 'name', id }: Props): string {
  const { data, isError } = useQuery(nameQuery(path, id))
  const name = data?.[title]
  return typeof name === 'string' ? name : isError ? t('Unavailable') : '…'
}

/** Only the name, for use within other text. */
export function NameOf(props: Props) {
  return useNameOf(props)
}

/** A person of whom only the id is known. */
export const personById = (id: string): Props => ({
  path: '/api/users/profile/',
  title: 'full_name',
  id,
})
