import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../api/client.ts'
import { request } from '../api/request.ts'
import { notifyRefusal, restoreRecord } from '../data/change.ts'
import { keys } from '../data/keys.ts'
import type { ModuleSummary } from '../data/modules.ts'
import { modulesQuery } from '../data/modules.ts'
import { notify } from '../data/notices.ts'
import { queryClient } from '../data/query-client.ts'
import type { Record } from '../data/record.ts'
import { relative } from '../records/field/format.ts'
import { useFormat } from '../records/field/use-format.ts'
import { ReadFault } from '../records/read-fault.tsx'
import { SectionPage } from '../records/sections/section-page.tsx'
import { Button } from '../ui/button.tsx'
import { capital } from '../ui/capital.ts'
import { Choice } from '../ui/choice.tsx'
import { Empty } from '../ui/empty.tsx'
import { ItemRow, SettingGroup } from '../ui/setting.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import styles from './settings.module.css'

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

/** What was deleted in the last 30 days, to be restored. */
export default function Bin() {
  const format = useFormat()
  const { data: all } = useSuspenseQuery(modulesQuery)
  const modules = shown.flatMap(
    (name) => all.find(({ module, can }) => module === name && can.delete !== 'none') ?? [],
  )
  const [chosen, setChosen] = useState<string | null>(null)
  const module = modules.find(({ module: name }) => name === chosen) ?? modules[0]
  const queryKey = [...keys.setting('bin'), module?.module]
  const { data, isPending, error, refetch } = useQuery({
    queryKey,
    queryFn: async () => (module ? deletedOf(module) : []),
    staleTime: 0,
  })
  const restore = async (id: string, name: string) => {
    if (!module?.path) return
    await restoreRecord({ ...module, path: module.path }, id)
    await queryClient.invalidateQueries({ queryKey })
    notify({ message: `${name} is back` })
  }
  return (
    <SectionPage
      title="Bin"
      about="Deleted records stay here for 30 days and come back as they were, with what belongs to them."
    >
      <div className={styles.tools}>
        <Choice
          label="What was deleted"
          value={module?.module ?? null}
          onChange={setChosen}
          options={modules.map(({ module: value, word }) => ({ value, label: capital(word.many) }))}
        />
      </div>
      <SettingGroup>
        {isPending ? <SkeletonRows count={4} /> : null}
        {error ? (
          <ReadFault small title="The bin could not be read" error={error} onRetry={refetch} />
        ) : null}
        {data?.map(({ id, name, by, at }) => (
          <ItemRow
            key={id}
            name={name}
            actions={
              <Button
                size="small"
                icon="undo"
                onClick={() => void restore(id, name).catch(notifyRefusal)}
              >
                Restore
              </Button>
            }
          >
            {`Deleted ${relative(at, format)}${by ? ` by ${by}` : ''}`}
          </ItemRow>
        ))}
        {data?.length === 0 ? (
          <Empty small icon="trash" title={`No ${module?.word.many ?? 'records'} in the bin`}>
            What somebody deletes can be restored from here.
          </Empty>
        ) : null}
      </SettingGroup>
    </SectionPage>
  )
}

type Deleted = { id: string; name: string; by: string | null; at: string }

const days = 30

/** From the log: the latest deletion of each record that has not been restored. */
async function deletedOf({ module, key, path }: ModuleSummary): Promise<Deleted[]> {
  // by the action: not every record has an event of its deletion
  const log = await api.get('/api/activity/log/', {
    query: { page: 1, items_per_page: 100, module_name: module, action: 'deleted' },
  })
  const since = new Date(Date.now() - days * 86_400_000).toISOString()
  const found = new Map<string, Deleted>()
  for (const entry of log.data) {
    const { reference_id: id, raw_description: words, created_by: by, creation_time: at } = entry
    if (!id || found.has(id) || at < since) continue
    const name = (words as { name?: string } | null)?.name ?? 'Without a name'
    found.set(id, { id, name, by: by?.full_name ?? null, at })
  }
  if (!found.size || !path) return []
  const { data: back } = await request<Record[]>('GET', path, {
    query: {
      page: 1,
      items_per_page: 100,
      fields: key,
      filter: JSON.stringify([{ field: key, operator: 'in', value: [...found.keys()] }]),
    },
  })
  for (const record of back) found.delete(String(record[key]))
  return [...found.values()]
}
