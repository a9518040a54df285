import { useQueries, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Session } from '../../api/session.ts'
import type { AccountOf } from '../../data/customer.ts'
import { accountsOfQuery } from '../../data/customer.ts'
import { listQuery } from '../../data/list.ts'
import { queryClient } from '../../data/query-client.ts'
import type { AnyRecord } from '../../data/record.ts'
import { idOf } from '../../data/record.ts'
import { levelOf, sessionNow, useSession } from '../../data/session.ts'
import { hueOfOption } from '../../ui/hue.ts'
import { Icon } from '../../ui/icons.tsx'
import { Status } from '../../ui/status.tsx'
import look from '../../ui/table.module.css'
import type { Screens, SectionProps } from '../definition.ts'
import { addressIn } from '../definition.ts'
import { currencyOf } from '../field/show.tsx'
import { money, shortDay } from '../field/format.ts'
import { isObject } from '../field/linked.ts'
import { useFormat } from '../field/use-format.ts'
import { ReadFault } from '../read-fault.tsx'
import { useScreensOf } from '../screens.ts'
import styles from './open-work.module.css'
import { t } from '../../locales/text.ts'

/** Deals and projects are shown while they are open, the next ones first. */
const kinds = {
  deals: { type: 'deal', end: 'closed_at', day: 'forecasted_date' },
  projects: { type: 'project', end: 'completed_at', day: 'due_date' },
} as const
type Kind = keyof typeof kinds

const most = 3
const fields =
  'project_id,project_name,expected_deal_value,currency_unit,forecasted_date,due_date,status,current_stage'

/** The open deals and projects of a record, of those that its tabs list. */
export default function OpenWork({ module, record, screens }: SectionProps) {
  const session = useSession()
  const parts = partsOf(screens, session)
  const id = idOf(module, record)
  const hasAccounts = isCustomer(screens, session)
  const { data: accounts = [] } = useQuery({ ...accountsOfQuery(id), enabled: hasAccounts })
  const lists = useQueries({ queries: parts.map((part) => openQuery(part, id, accounts)) })
  const rows = lists.flatMap(({ data }, at) => {
    const kind = parts[at]?.kind
    return kind ? (data?.rows ?? []).map((row) => ({ kind, row })) : []
  })
  const failed = lists.find(({ error, data }) => error && !data)
  if (!rows.length && !failed) return null
  return (
    <section aria-label={t('Open work')}>
      {failed ? (
        <ReadFault
          small
          title={t('Not all open work could be read')}
          error={failed.error}
          onRetry={failed.refetch}
        />
      ) : null}
      <ul className={`${styles.list} ${look.lines}`}>
        {rows.map(({ kind, row }) => (
          <Row key={String(row.project_id)} kind={kind} row={row} />
        ))}
      </ul>
    </section>
  )
}

/** Reads the open work of a record while the record is read. */
export async function prefetch(id: string, screens: Screens): Promise<void> {
  const session = sessionNow()
  if (!session) return
  const accounts = isCustomer(screens, session)
    ? await queryClient.fetchQuery(accountsOfQuery(id)).catch(() => [])
    : []
  const parts = partsOf(screens, session)
  await Promise.all(parts.map((part) => queryClient.prefetchQuery(openQuery(part, id, accounts))))
}

function Row({ kind, row }: { kind: Kind; row: AnyRecord }) {
  const format = useFormat()
  const screens = useScreensOf(kind)
  const { day } = kinds[kind]
  const value = row.expected_deal_value
  const stage = isObject(row.current_stage) ? row.current_stage.stage_name : undefined
  const notes = [
    typeof value === 'number' ? money(value, currencyOf(row, format), format) : undefined,
    stage,
  ]
  const status = isObject(row.status) && kind === 'projects' ? row.status : undefined
  const end = row[day]
  return (
    <li>
      <Icon name={screens?.icon ?? 'folder'} />
      <Link to={addressIn(screens ?? { address: '' }, String(row.project_id))}>
        {String(row.project_name)}
      </Link>
      <span className={styles.note}>
        {kind === 'deals' ? notes.filter(Boolean).join(', ') : null}
        {status ? (
          <Status
            color={hueOfOption({
              value: String(status.status_key),
              kind: String(status.category),
              color: typeof status.color === 'string' ? status.color : null,
            })}
          >
            {String(status.status_name)}
          </Status>
        ) : null}
      </span>
      <span className={styles.day}>
        {typeof end === 'string' ? endWords(kind, shortDay(end, format)) : null}
      </span>
    </li>
  )
}

function endWords(kind: Kind, day: string): string {
  return kind === 'deals' ? t('closes {day}', { day }) : t('due {day}', { day })
}

type Part = { kind: Kind; by: string }

function partsOf({ tabs }: Screens, session: Session): Part[] {
  return tabs.flatMap((tab) =>
    tab.kind === 'related' &&
    (tab.module === 'deals' || tab.module === 'projects') &&
    levelOf(session, tab.module, 'read') !== 'none'
      ? { kind: tab.module, by: tab.by }
      : [],
  )
}

/** Whether the record may be an account too: then the work of both is one customer's. */
function isCustomer({ module }: Screens, session: Session): boolean {
  return module === 'companies' && levelOf(session, 'accounts', 'read') !== 'none'
}

function openQuery({ kind, by }: Part, id: string, accounts: AccountOf[]) {
  const own = { field: by, operator: 'eq', value: id }
  const ids = accounts.map(({ account_id }) => account_id)
  const { type, end, day } = kinds[kind]
  const query = listQuery(
    { module: kind, path: '/api/project/info/' },
    {
      filter: [
        ids.length ? { or: [own, { field: 'account_id', operator: 'in', value: ids }] } : own,
        { field: end, operator: 'is_empty' },
      ],
      sort: day,
      size: most,
      fields: fields.split(','),
      more: { project_type: type },
    },
  )
  // the work of another record is not that of this one, even for a moment
  return { ...query, placeholderData: undefined }
}
