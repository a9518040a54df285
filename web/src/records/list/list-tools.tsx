import type { Clause, ListParams } from '../../data/list.ts'
import type { Module } from '../../data/modules.ts'
import { useIsExternal } from '../../data/session.ts'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import { Toolbar, ToolbarSpace } from '../../ui/toolbar.tsx'
import { useNarrow } from '../../ui/use-narrow.ts'
import type { Screens } from '../definition.ts'
import { Filters } from '../filters/filters.tsx'
import { later } from '../later.tsx'
import type { Layout, ListSearch } from '../search.ts'
import { SearchField } from './search-field.tsx'
import { t } from '../../locales/text.ts'

const ColumnsMenu = later(() => import('./columns-menu.tsx'))
const FilterSheet = later(() => import('../filters/filter-sheet.tsx'))

type Props = {
  module: Module
  screens: Screens
  columns: string[]
  layout: Layout
  search: ListSearch
  params: ListParams
  onChange: (change: Partial<ListSearch>, replace?: boolean) => void
}

/** The search, filters, layout and columns of a list. */
export function ListTools({ module, screens, columns, layout, search, params, onChange }: Props) {
  const isNarrow = useNarrow()
  const isExternal = useIsExternal()
  const filterBy = (f: Clause[]) => onChange({ f: f.length ? f : undefined, page: undefined })
  return (
    <Toolbar label={t('Search and filter {many}', { many: module.word.many })} wrap>
      <SearchField
        words={module.word.many}
        value={search.q ?? ''}
        onChange={(q) => onChange({ q: q || undefined, page: undefined }, true)}
      />
      {isNarrow ? (
        <FilterSheet
          module={module}
          filter={search.f ?? []}
          sort={params.sort}
          onChange={filterBy}
          onSort={(sort) => onChange({ sort, page: undefined })}
        />
      ) : (
        <Filters module={module} filter={search.f ?? []} onChange={filterBy} />
      )}
      <ToolbarSpace />
      {screens.board ? (
        <SegmentedControl
          label={t('Layout')}
          iconsOnly
          value={layout}
          onChange={(as) =>
            onChange({ as: as === (screens.as ?? 'table') ? undefined : as, page: undefined })
          }
          options={[
            { value: 'table', label: t('Table'), icon: 'table' },
            { value: 'board', label: t('Board'), icon: 'board' },
            ...(screens.layouts ?? []).flatMap(({ name, label, icon, isInternal }) =>
              isInternal && isExternal ? [] : { value: name, label, icon },
            ),
          ]}
        />
      ) : null}
      {layout !== 'table' || isNarrow ? null : (
        <ColumnsMenu
          module={module}
          columns={columns}
          onChange={(cols) => onChange({ cols: cols?.join(',') }, true)}
        />
      )}
    </Toolbar>
  )
}
