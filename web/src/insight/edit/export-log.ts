import { api } from '../../api/client.ts'
import type { ActivityEntry, ActivityFilters } from '../../data/activity.ts'
import { capital } from '../../ui/capital.ts'
import { saveCsv } from '../report/files.ts'
import { t } from '../../locales/text.ts'

/** More entries are another file: choose a shorter time. */
const most = 5000

/** Saves the log as it is filtered as CSV: a line for each changed field, the newest first. Whether there was more. */
export async function exportLog(filters: ActivityFilters): Promise<boolean> {
  const entries: ActivityEntry[] = []
  let cursor: string | undefined
  do {
    const query = { ...filters, limit: 100, ...(cursor ? { cursor } : {}) }
    const { data } = await api.get('/api/activity/feed/', { query })
    entries.push(...data.results)
    cursor = data.next_cursor ?? undefined
  } while (cursor && entries.length < most)
  const head = [
    t('Time [clock]'),
    t('Who'),
    t('Came by'),
    t('What'),
    t('Field'),
    t('Before [change]'),
    t('After [change]'),
  ]
  const lines = entries.slice(0, most).flatMap((entry) => {
    const said = [entry.at, entry.actor.full_name ?? '', entry.source, entry.text]
    if (!entry.changes.length) return [[...said, '', '', '']]
    return entry.changes.map(({ label, from, to }) => [
      ...said,
      capital(label),
      from ?? '',
      to ?? '',
    ])
  })
  saveCsv(t('Activity'), [head, ...lines])
  return Boolean(cursor)
}
