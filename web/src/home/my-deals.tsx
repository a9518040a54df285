import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { request } from '../api/request.ts'
import { keys } from '../data/keys.ts'
import type { AnyRecord } from '../data/record.ts'
import { useSession } from '../data/session.ts'
import { day, money } from '../records/field/format.ts'
import { currencyOf } from '../records/field/show.tsx'
import { useFormat } from '../records/field/use-format.ts'
import { Status } from '../ui/status.tsx'
import styles from './home.module.css'
import { Section } from './section.tsx'

type Deal = AnyRecord & {
  project_id: string
  project_name: string
  expected_deal_value: number | null
  forecasted_date: string | null
  current_stage: { stage_name: string; color?: string | null } | null
}

/** The person's open deals, those that should close first at the top. */
export function MyDeals() {
  const { user } = useSession()
  const format = useFormat()
  const filter = [
    { field: 'project_owner', operator: 'eq', value: user.user_id },
    { field: 'closed_at', operator: 'is_empty' },
  ]
  const read = useQuery({
    queryKey: keys.list('deals', { home: user.user_id }),
    queryFn: async () => {
      const { data: rows, headers } = await request<Deal[]>('GET', '/api/project/info/', {
        query: {
          page: 1,
          items_per_page: 5,
          project_type: 'deal',
          sort: 'forecasted_date',
          filter: JSON.stringify(filter),
          fields:
            'project_id,project_name,expected_deal_value,currency_unit,forecasted_date,current_stage',
          include_count: true,
        },
      })
      return { rows, total: Number(headers.get('x-total-count')) }
    },
  })
  const { data } = read
  if (data && !data.rows.length) return null
  return (
    <Section
      title="My open deals"
      to="/deals"
      search={{ f: filter, as: 'table', sort: 'forecasted_date' }}
      count={data?.total ?? null}
      read={read}
    >
      <ul>
        {data?.rows.map((deal) => (
          <li key={deal.project_id} className={styles.line}>
            <span className={styles.words}>
              <Link to="/deals/$id/{-$tab}" params={{ id: deal.project_id }}>
                {deal.project_name}
              </Link>
              {deal.current_stage ? (
                <small>
                  <Status color={deal.current_stage.color ?? null}>
                    {deal.current_stage.stage_name}
                  </Status>
                </small>
              ) : null}
            </span>
            <span className={styles.amount}>
              {deal.expected_deal_value === null
                ? null
                : money(deal.expected_deal_value, currencyOf(deal, format), format)}
              {deal.forecasted_date ? (
                <time dateTime={deal.forecasted_date}>{day(deal.forecasted_date, format)}</time>
              ) : null}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}
