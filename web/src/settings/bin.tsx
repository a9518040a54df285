import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { request } from '../api/request.ts'
import { changeMany } from '../data/bulk.ts'
import { notifyRefusal, restoreRecord } from '../data/change.ts'
import { keys } from '../data/keys.ts'
import type { ModuleSummary } from '../data/modules.ts'
import { modulesQuery } from '../data/modules.ts'
import { notify } from '../data/notices.ts'
import { queryClient } from '../data/query-client.ts'
import type { AnyRecord } from '../data/record.ts'
import { relative } from '../records/field/format.ts'
import { useFormat } from '../records/field/use-format.ts'
import { SectionPage } from '../records/sections/section-page.tsx'
import { Button } from '../ui/button.tsx'
import { capital } from '../ui/capital.ts'
import { Checkbox } from '../ui/checkbox.tsx'
import { Choice } from '../ui/choice.tsx'
import { Empty } from '../ui/empty.tsx'
import { ItemRow } from '../ui/setting.tsx'
import { Searched, pageSize, useSearch } from './searched.tsx'
import { t } from '../locales/text.ts'

/** The record types that can be deleted on screens and restored with what belongs to them. */
const shown = [
  'companies',
  'contacts',
  'accounts',
  'deals',
  'projects',
  'tasks',
  'documents',
  'calendar',
  'surveys',
  'tags',
]

/** What was deleted in the last 30 days, as far as the person may restore it. */
export default function Bin() {
  const format = useFormat()
  const { data: all } = useSuspenseQuery(modulesQuery)
  const modules = shown.flatMap((name) => {
    const found = all.find(({ module, can }) => module === name && can.delete !== 'none')
    return found?.path ? [{ ...found, path: found.path }] : []
  })
  const [chosen, setChosen] = useState<string | null>(null)
  const module = modules.find(({ module: name }) => name === chosen) ?? modules[0]
  const [selected, setSelected] = useState<string[]>([])
  const search = useSearch()
  const { q, page } = search
  const queryKey = [...keys.setting('bin'), module?.module]
  const read = useQuery({
    queryKey: [...queryKey, q, page],
    queryFn: () => (module ? deletedOf(module, q, page) : nothing),
    staleTime: 0,
  })
  const ids = selected.filter((id) => read.data?.rows.some((row) => row.id === id))
  const restored = async () => {
    setSelected([])
    await queryClient.invalidateQueries({ queryKey })
  }
  const restore = async ({ id, name }: Deleted) => {
    if (!module) return
    await restoreRecord(module, id)
    await restored()
    notify({ message: t('{name} is back', { name }) })
  }
  const restoreSelected = async () => {
    if (!module) return
    const [failure] = await changeMany(module, { ids }, { action: 'restore' }, (count) =>
      t('{count} restored', { count }),
    )
    await restored()
    if (failure) notify({ message: t('Not all could be restored'), detail: failure.error })
  }
  return (
    <SectionPage
      title={t('Bin')}
      about={t(
        'Deleted records stay here for 30 days and come back as they were, with what belongs to them.',
      )}
    >
      <Searched
        label={t('Search the bin')}
        fault={t('The bin could not be read')}
        search={search}
        read={read}
        tools={
          <>
            <Choice
              label={t('What was deleted')}
              value={module?.module ?? null}
              onChange={(next) => {
                setChosen(next)
                setSelected([])
                search.type('')
              }}
              options={modules.map(({ module: value, word }) => ({
                value,
                label: capital(word.many),
              }))}
            />
            {ids.length ? (
              <Button icon="undo" onClick={() => void restoreSelected().catch(notifyRefusal)}>
                {t('Restore {count} selected', { count: ids.length })}
              </Button>
            ) : null}
          </>
        }
        empty={
          <Empty
            small
            icon="trash"
            title={
              module
                ? t('No {many} in the bin', { many: module.word.many })
                : t('No records in the bin')
            }
          >
            {t('What somebody deletes can be restored from here.')}
          </Empty>
        }
        row={(row) => (
          <ItemRow
            key={row.id}
            lead={
              <Checkbox
                label={t('Select {name}', { name: row.name })}
                checked={ids.includes(row.id)}
                onChange={(isSelected) =>
                  setSelected(isSelected ? [...ids, row.id] : ids.filter((each) => each !== row.id))
                }
              />
            }
            name={row.name}
            actions={
              <Button
                size="small"
                icon="undo"
                onClick={() => void restore(row).catch(notifyRefusal)}
              >
                {t('Restore')}
              </Button>
            }
          >
            {row.by
              ? t('Deleted {relative} by {by}', { relative: relative(row.at, format), by: row.by })
              : t('Deleted {relative}', { relative: relative(row.at, format) })}
          </ItemRow>
        )}
      />
    </SectionPage>
  )
}

type Deleted = { id: string; name: string; by: string | null; at: string }

const nothing: { rows: Deleted[]; total: number } = { rows: [], total: 0 }

/** A page of what was deleted, the latest first. */
async function deletedOf(
  { module, key, title_field, path }: ModuleSummary & { path: string },
  q: string,
  page: number,
): Promise<{ rows: Deleted[]; total: number }> {
  const isProject = ['projects', 'deals'].includes(module)
  const { data, headers } = await request<AnyRecord[]>('GET', path, {
    query: {
      ...(isProject ? { project_type: module.slice(0, -1) } : {}),
      deleted: true,
      fields: title_field,
      q: q || undefined,
      page,
      items_per_page: pageSize,
      include_count: true,
    },
  })
  const rows = data.map((record) => {
    const { deleted_at, deleted_by } = record as {
      deleted_at: string
      deleted_by: { full_name: string } | null
    }
    return {
      id: String(record[key]),
      name: String(record[title_field] || t('Without a name')),
      by: deleted_by?.full_name ?? null,
      at: deleted_at,
    }
  })
  return { rows, total: Number(headers.get('x-total-count') ?? rows.length) }
}
