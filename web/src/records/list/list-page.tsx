import { useSuspenseQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useMemo, useState } from 'react'
import { rememberList } from '../../data/list-place.ts'
import { listQuery } from '../../data/list.ts'
import { moduleQuery } from '../../data/modules.ts'
import { idOf } from '../../data/record.ts'
import { useMay } from '../../data/session.ts'
import { Button } from '../../ui/button.tsx'
import { useWithoutRail } from '../../ui/use-narrow.ts'
import { ReadFault } from '../read-fault.tsx'
import { capital } from '../../ui/capital.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { useShortcuts } from '../../shortcuts/keys.ts'
import { Declared, later } from '../later.tsx'
import type { Layout } from '../search.ts'
import { usePageTitle } from '../page-title.ts'
import { useSelection } from '../table/selection.ts'
import { useEditedRow } from '../table/edited-row.ts'
import type { Cell } from '../table/active-cell.ts'
import { Table } from '../table/table.tsx'
import { columnsOf, paramsOf, useListSearch, useRows, useScreens } from '../use-list.ts'
import { ListEmpty } from './list-empty.tsx'
import { RowsSkeleton } from './rows-skeleton.tsx'
import { ListTools } from './list-tools.tsx'
import { usePeek } from './use-peek.ts'
import { useWidths } from './use-widths.ts'
import styles from './list-page.module.css'
import { t } from '../../locales/text.ts'

const Board = later(() => import('../board/board.tsx'), 'shown')
const BulkBar = later(() => import('../bulk/bulk-bar.tsx'))
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
  const list = useList()
  const { screens, module, search, setSearch, params, data, mayCreate, peek } = list
  const { columns, layout } = list
  useListKeys({
    word: module.word.one,
    onNew: mayCreate ? () => setSearch({ new: true }) : undefined,
    onClose: search.peek ? () => peek(undefined) : undefined,
  })
  usePageTitle(capital(module.word.many))
  const isSmall = useWithoutRail()
  const beside = screens.besideRows ? (
    <Declared
      load={screens.besideRows.load}
      props={{
        filter: search.f ?? [],
        onChange: (f) =>
          setSearch({ f: f.length ? f : undefined, view: undefined, page: undefined }),
      }}
    />
  ) : null
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
                {t('New {one}', { one: module.word.one })}
              </Button>
            ) : null}
          </>
        }
      />
      <div className={styles.views}>
        <Views module={module} screens={screens} search={search} onChange={setSearch} />
      </div>
      <ListTools {...{ module, screens, columns, layout, search, params }} onChange={setSearch} />
      {isSmall ? beside : null}
      <div className={styles.body}>
        {isSmall ? null : beside}
        <ListContent list={list} />
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
      {screens.besideList ? <Declared load={screens.besideList} props={{}} /> : null}
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

/** What a list shows, from its address, and what can be done there. */
function useList() {
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
  const { data, error, isPlaceholderData, isPending, refetch } = useRows(module, params)
  useEffect(() => {
    if (layout === 'table') rememberList(module.module, listQuery(module, params).queryKey)
  }, [layout, module, params])
  const rows = data?.rows ?? []
  const [editing, setEditing] = useState<Cell>()
  const shown = useEditedRow(module, rows, editing)
  const order = rows.map((record) => idOf(module, record))
  const selection = useSelection(order)
  const mayCreate = useMay(screens.module, 'create') && !screens.isMadeElsewhere
  const [widths, setWidth] = useWidths(screens.module)
  const { clear } = selection
  const onNewParams = useEffectEvent(clear)
  useEffect(() => onNewParams(), [params])
  // if rows were deleted or the address is old, show the last page instead of one beyond it
  const last = Math.max(1, Math.ceil((data?.total ?? 0) / (search.size ?? 50)))
  const isBeyond = data !== undefined && !isPlaceholderData && (search.page ?? 1) > last
  const goToLast = useEffectEvent(() => setSearch({ page: last === 1 ? undefined : last }, true))
  useEffect(() => {
    if (isBeyond) goToLast()
  }, [isBeyond])
  return {
    screens,
    module,
    search,
    setSearch,
    columns,
    params,
    layout,
    data,
    error,
    isPending,
    isBeyond,
    refetch,
    rows,
    shown,
    editing,
    setEditing,
    selection,
    mayCreate,
    widths,
    setWidth,
    isStale: isPlaceholderData,
    peek: usePeek(),
  }
}

/** The rows of a list as a table or a board, or why there are none. */
function ListContent({ list }: { list: ReturnType<typeof useList> }) {
  const { screens, module, search, setSearch, columns, params, data, error, rows, shown } = list
  const { selection, widths, editing, peek } = list
  const isBoard = list.layout === 'board'
  const own = screens.layouts?.find(({ name }) => name === list.layout)
  const clearFilters = () =>
    setSearch({ q: undefined, f: undefined, view: undefined, page: undefined })
  const isFiltered = Boolean(search.q ?? search.f ?? search.view)
  const empty = (
    <ListEmpty
      screens={screens}
      words={module.word}
      isFiltered={isFiltered}
      onClear={clearFilters}
      onNew={list.mayCreate ? () => setSearch({ new: true }) : undefined}
    />
  )
  return (
    <div className={styles.content}>
      {own ? (
        <Declared load={own.load} props={{ params, empty }} />
      ) : error && !data ? (
        <ReadFault
          title={t('The list could not be read')}
          error={error}
          onRetry={list.refetch}
          action={isFiltered ? <Button onClick={clearFilters}>{t('Clear filters')}</Button> : null}
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
          isStale={list.isStale}
          onEdit={list.setEditing}
          onSort={(sort) => setSearch({ sort, page: undefined })}
          onWidth={list.setWidth}
          onPeek={peek}
        />
      ) : list.isPending || list.isBeyond ? (
        <RowsSkeleton columns={columns.length} />
      ) : (
        empty
      )}
      {own || isBoard || (!rows.length && (search.page ?? 1) === 1) ? null : (
        <div className={styles.foot}>
          <Pagination
            page={search.page ?? 1}
            size={search.size ?? 50}
            total={data?.total ?? null}
            onPage={(page) => setSearch({ page: page === 1 ? undefined : page })}
            onSize={(size) => setSearch({ size: size === 50 ? undefined : size, page: undefined })}
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
  )
}

/** The keys of a list, in addition to those of its table or board. */
function useListKeys({
  word,
  onNew,
  onClose,
}: {
  word: string
  onNew: (() => void) | undefined
  onClose: (() => void) | undefined
}) {
  useShortcuts([
    ...(onNew
      ? [{ keys: 'c', label: t('New {one}', { one: word }), group: t('List'), run: onNew }]
      : []),
    {
      keys: '/',
      label: t('Search the list'),
      group: t('List'),
      run: () => document.querySelector<HTMLElement>('[data-list-search] input')?.focus(),
    },
    { keys: 'Escape', label: t('Close the panel'), group: t('List'), run: () => onClose?.() },
  ])
}
