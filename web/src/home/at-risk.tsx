import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { request } from '../api/request.ts'
import { inputWords } from '../data/health-words.ts'
import type { Health } from '../data/health.ts'
import { keys } from '../data/keys.ts'
import type { AnyRecord } from '../data/record.ts'
import { Score } from '../ui/score.tsx'
import styles from './home.module.css'
import { Section } from './section.tsx'

type Input = Health['inputs'][number]
type Account = {
  account_id: string
  account_name: string
  health_score: number
  insight: { health?: { inputs?: Input[] } } | null
}

const filter = [{ field: 'health_score', operator: 'lt', value: 60 }]

/** The accounts with low health, with what lowers it most. */
export function AtRisk() {
  const read = useQuery({
    queryKey: keys.list('accounts', { home: 'at risk' }),
    queryFn: async () => {
      const { data: rows, headers } = await request<(Account & AnyRecord)[]>(
        'GET',
        '/api/account/info/',
        {
          query: {
            page: 1,
            items_per_page: 5,
            sort: 'health_score',
            filter: JSON.stringify(filter),
            fields: 'account_id,account_name,health_score,insight',
            include_count: true,
          },
        },
      )
      return { rows, total: Number(headers.get('x-total-count')) }
    },
  })
  const { data } = read
  return (
    <Section
      title="Accounts at risk"
      to="/accounts"
      search={{ f: filter, sort: 'health_score' }}
      count={data?.total ?? null}
      read={read}
    >
      {data?.rows.length ? (
        <ul>
          {data.rows.map((account) => (
            <li key={account.account_id} className={styles.line}>
              <Score value={account.health_score} />
              <span className={styles.words}>
                <Link to="/accounts/$id/{-$tab}" params={{ id: account.account_id }}>
                  {account.account_name}
                </Link>
                <small>{reasonsOf(account)}</small>
              </span>
            </li>
          ))}
        </ul>
      ) : (
        <p className={styles.none}>Every account is in good health.</p>
      )}
    </Section>
  )
}

/** What lowers the score most, in words. */
function reasonsOf({ insight }: Account): string {
  const inputs = (insight?.health?.inputs ?? []).filter(({ points }) => points > 0)
  return inputs
    .toSorted((a, b) => b.points - a.points)
    .slice(0, 2)
    .map(inputWords)
    .join(' · ')
}
