import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import type { Clause } from '../../data/list.ts'
import { moduleQuery } from '../../data/modules.ts'
import { idOf } from '../../data/record.ts'
import { changePreferences, useMay, useSession } from '../../data/session.ts'
import { Button } from '../../ui/button.tsx'
import { ReadFault } from '../read-fault.tsx'
import { capital } from '../../ui/capital.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import { Toolbar, ToolbarSpace } from '../../ui/toolbar.tsx'
import { useNarrow } from '../../ui/use-narrow.ts'
import { useShortcuts } from '../../shortcuts/keys.ts'
import { Filters } from '../filters/filters.tsx'
import { later } from '../later.tsx'
import type { Layout } from '../search.ts'
import { usePageTitle } from '../page-title.ts'
import { useSelection } from '../table/selection.ts'
import { useEditedRow } from '../table/edited-row.ts'
import type { Cell } from '../table/table.tsx'
import { Table } from '../table/table.tsx'
import { columnsOf, paramsOf, useListSearch, useRows, useScreens } from '../use-list.ts'
import { ListEmpty } from './list-empty.tsx'
import { RowsSkeleton } from './rows-skeleton.tsx'
import { SearchField } from './search-field.tsx'
import { usePeek } from './use-peek.ts'
import styles from './list-page.module.css'

const Board = later(() => import('../board/board.tsx'))
const BulkBar = later(() => import('../bulk/bulk-bar.tsx'))
const ColumnsMenu = later(() => import('./columns-menu.tsx'))
const FilterSheet = later(() => import('../filters/filter-sheet.tsx'))
const NewRecord = later(() => import('../form/new-record.tsx'))
// menus would be a third of a list's first load
const ListMenu = later(() => import('./list-menu.tsx'))
const Views = later(() => import('../views/views.tsx'))
const Pagination = later(async () => ({
  default: (await import('../../ui/pagination.tsx')).Pagination,
}))
const Panel = later(() => import('../panel/panel.tsx'))

/** The list of a record type: as a table or a board, with search, filters, views and the side panel. */
export default function ListPage() {
  const screens = useScreens()
  const { data: module } = useSuspenseQuery(moduleQuery(screens.module))
  const [search, setSearch] = useListSearch()
  const columns = useMemo(
    () => columnsOf(module, screens, search.cols),
    [module, screens, search.cols],
  )
  const params = useMemo(
    () => paramsOf(module, screens, search, [...columns, ...(screens.tick ? [screens.tick] : [])]),
    [module, screens, search, columns],
  )
  const layout: Layout = search.as ?? screens.as ?? 'table'
  const isBoard = layout === 'board'
  const { data, error, isPlaceholderData, isPending, refetch } = useRows(module, params)
  const rows = data?.rows ?? []
  const [editing, setEditing] = useState<Cell>()
  const shown = useEditedRow(module, rows, editing)
  const order = rows.map((record) => idOf(module, record))
  const selection = useSelection(order)
  const mayCreate = useMay(screens.module, 'create') && !screens.isMadeElsewhere
  const [widths, setWidth] = useWidths(screens.module)
  const { clear } = selection
  useEffect(() => clear(), [params]) // eslint-disable-line react-hooks/exhaustive-deps
  // if rows were deleted or the address is old, show the last page instead of one beyond it
  const last = Math.max(1, Math.ceil((data?.total ?? 0) / (search.size ?? 50)))
  const isBeyond = data !== undefined && !isPlaceholderData && (search.page ?? 1) > last
  useEffect(() => {
    if (isBeyond) setSearch({ page: last === 1 ? undefined : last }, true)
  }, [isBeyond]) // eslint-disable-line react-hooks/exhaustive-deps
  const peek = usePeek()
  useShortcuts([
    ...(mayCreate
      ? [
          {
            keys: 'c',
            label: `New ${module.word.one}`,
            group: 'List',
            run: () => setSearch({ new: true }),
          },
        ]
      : []),
    {
      keys: '/',
      label: 'Search the list',
      group: 'List',
      run: () => document.querySelector<HTMLElement>('[data-list-search] input')?.focus(),
    },
    {
      keys: 'Escape',
      label: 'Close the panel',
      group: 'List',
      run: () => (search.peek ? peek(undefined) : undefined),
    },
  ])
  usePageTitle(capital(module.word.many))
  const isNarrow = useNarrow()
  const filterBy = (f: Clause[]) => setSearch({ f: f.length ? f : undefined, page: undefined })
  const clearFilters = () =>
    setSearch({ q: undefined, f: undefined, view: undefined, page: undefined })
  const isFiltered = Boolean(search.q ?? search.f ?? search.view)
  return (
    <div className={styles.page}>
      <PageHeader
        title={capital(module.word.many)}
        count={data?.total ?? null}
        actions={
          <>
            <ListMenu module={module} params={params} />
            {mayCreate ? (
              <Button variant="primary" icon="plus" onClick={() => setSearch({ new: true })}>
                {`New ${module.word.one}`}
              </Button>
            ) : null}
          </>
        }
      />
      <div className={styles.views}>
        <Views module={module} screens={screens} search={search} onChange={setSearch} />
      </div>
      <Toolbar label={`Search and filter ${module.word.many}`} wrap>
        <SearchField
          words={module.word.many}
          value={search.q ?? ''}
          onChange={(q) => setSearch({ q: q || undefined, page: undefined }, true)}
        />
        {isNarrow ? (
          <FilterSheet
            module={module}
            filter={search.f ?? []}
            sort={params.sort}
            onChange={filterBy}
            onSort={(sort) => setSearch({ sort, page: undefined })}
          />
        ) : (
          <Filters module={module} filter={search.f ?? []} onChange={filterBy} />
        )}
        <ToolbarSpace />
        {screens.board ? (
          <SegmentedControl
            label="Layout"
            iconsOnly
            value={layout}
            onChange={(as) =>
              setSearch({ as: as === (screens.as ?? 'table') ? undefined : as, page: undefined })
            }
            options={[
              { value: 'table', label: 'Table', icon: 'table' },
              { value: 'board', label: 'Board', icon: 'board' },
            ]}
          />
        ) : null}
        {isBoard || isNarrow ? null : (
          <ColumnsMenu
            module={module}
            columns={columns}
            onChange={(cols) => setSearch({ cols: cols?.join(',') }, true)}
          />
        )}
      </Toolbar>
      <div className={styles.body}>
        <div className={styles.content}>
          {error && !data ? (
            <ReadFault
              title="The list could not be read"
              error={error}
              onRetry={refetch}
              action={isFiltered ? <Button onClick={clearFilters}>Clear filters</Button> : null}
            />
          ) : isBoard ? (
            <Board
              module={module}
              screens={screens}
              params={params}
              {...(search.peek ? { peek: search.peek } : {})}
              onPeek={peek}
            />
          ) : shown.length ? (
            <Table
              {...{ module, screens, columns, widths, selection, editing }}
              rows={shown}
              {...(params.sort ? { sort: params.sort } : {})}
              {...(search.peek ? { peek: search.peek } : {})}
              isStale={isPlaceholderData}
              onEdit={setEditing}
              onSort={(sort) => setSearch({ sort, page: undefined })}
              onWidth={setWidth}
              onPeek={peek}
            />
          ) : isPending || isBeyond ? (
            <RowsSkeleton columns={columns.length} />
          ) : (
            <ListEmpty
              screens={screens}
              words={module.word}
              isFiltered={isFiltered}
              onClear={clearFilters}
              onNew={mayCreate ? () => setSearch({ new: true }) : undefined}
            />
          )}
          {isBoard || (!rows.length && (search.page ?? 1) === 1) ? null : (
            <div className={styles.foot}>
              <Pagination
                page={search.page ?? 1}
                size={search.size ?? 50}
                total={data?.total ?? null}
                onPage={(page) => setSearch({ page: page === 1 ? undefined : page })}
                onSize={(size) =>
                  setSearch({ size: size === 50 ? undefined : size, page: undefined })
                }
              />
            </div>
          )}
          {selection.ids.size ? (
            <BulkBar
              module={module}
              selection={selection}
              rows={rows}
              params={params}
              total={data?.total ?? null}
            />
          ) : null}
        </div>
        {search.peek ? (
          <Panel
            key={search.peek}
            module={module}
            screens={screens}
            id={search.peek}
            onClose={() => peek(undefined)}
          />
        ) : null}
      </div>
      {search.new ? (
        <NewRecord
          module={module}
          screens={screens}
          onClose={() => setSearch({ new: undefined }, true)}
          onCreated={(id) => setSearch({ new: undefined, peek: id }, true)}
        />
      ) : null}
    </div>
  )
}

/** The person's column widths; stored a moment after the last change. */
function useWidths(
  module: string,
): [{ [column: string]: number }, (column: string, width: number) => void] {
  const { preferences } = useSession()
  const name = `widths.${module}`
  const [widths, setWidths] = useState((preferences[name] ?? {}) as { [column: string]: number })
  const client = useQueryClient()
  useEffect(() => {
    if (widths === preferences[name] || !Object.keys(widths).length) return
    const timer = setTimeout(() => void changePreferences({ [name]: widths }).catch(() => {}), 800)
    return () => clearTimeout(timer)
  }, [widths, name, preferences, client])
  return [widths, (column, width) => setWidths((before) => ({ ...before, [column]: width }))]
}
