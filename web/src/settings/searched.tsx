import { useDeferredValue, useState, type ReactNode } from 'react'
import { ReadFault } from '../records/read-fault.tsx'
import { Button } from '../ui/button.tsx'
import { Empty } from '../ui/empty.tsx'
import { Pagination } from '../ui/pagination.tsx'
import { SettingGroup } from '../ui/setting.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { TextField } from '../ui/text-field.tsx'
import styles from './settings.module.css'
import { t } from '../locales/text.ts'

/** The number of rows on a page of a list of settings. */
export const pageSize = 50

/** The search text of a list, and the open page; typing goes back to the first page. */
export function useSearch() {
  const [typed, setTyped] = useState('')
  const [page, setPage] = useState(1)
  const type = (text: string) => {
    setTyped(text)
    setPage(1)
  }
  return { typed, type, page, setPage, q: useDeferredValue(typed.trim()) }
}

type Props<R> = {
  /** of the field that searches: "Search people" */
  label: string
  /** what is said if nothing can be read */
  fault: string
  search: ReturnType<typeof useSearch>
  read: {
    data: { rows: R[]; total: number } | undefined
    isPending: boolean
    error: unknown
    refetch: () => unknown
  }
  row: (row: R) => ReactNode
  /** beside the search */
  tools?: ReactNode
  /** if nothing matches: a sentence beside "Clear search" */
  noMatch?: string
  /** if there is nothing at all */
  empty?: ReactNode
}

/** A list of settings with its search, its pages, and its loading and empty states. */
export function Searched<R>({ label, fault, search, read, row, tools, noMatch, empty }: Props<R>) {
  const { data, isPending, error, refetch } = read
  return (
    <>
      <div className={styles.tools}>
        <TextField
          type="search"
          icon="search"
          label={label}
          placeholder={label}
          value={search.typed}
          onChange={search.type}
        />
        {tools}
      </div>
      <SettingGroup>
        {isPending ? <SkeletonRows count={8} /> : null}
        {error ? <ReadFault small title={fault} error={error} onRetry={refetch} /> : null}
        {data?.rows.map(row)}
        {data?.rows.length === 0 ? (
          search.q || !empty ? (
            <Empty
              small
              icon="search"
              title={t('Nothing matches')}
              action={<Button onClick={() => search.type('')}>{t('Clear search')}</Button>}
            >
              {noMatch}
            </Empty>
          ) : (
            empty
          )
        ) : null}
      </SettingGroup>
      {data && data.total > pageSize ? (
        <Pagination page={search.page} size={pageSize} total={data.total} onPage={search.setPage} />
      ) : null}
    </>
  )
}
