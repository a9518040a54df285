import { useQuery } from '@tanstack/react-query'
import { request } from '../api/request.ts'
import { keys } from '../data/keys.ts'
import { useMay } from '../data/session.ts'
import { Banner } from '../ui/banner.tsx'
import styles from './settings.module.css'

/** Says above read-only settings who may change them. */
export function WhoCan({ what = 'this' }: { what?: string }) {
  const mayRead = useMay('users', 'read')
  const { data = [] } = useQuery({
    queryKey: keys.list('users', { admins: true }),
    enabled: mayRead,
    queryFn: async () => {
      const { data: found } = await request<{ full_name: string; role: string }[]>(
        'GET',
        '/api/users/profile/',
        {
          query: {
            page: 1,
            items_per_page: 5,
            fields: 'full_name,role',
            filter: JSON.stringify([
              { field: 'role', operator: 'eq', value: 'admin' },
              { field: 'is_active', operator: 'eq', value: true },
            ]),
          },
        },
      )
      return found.map(({ full_name }) => full_name)
    },
    staleTime: 300_000,
  })
  return (
    <div className={styles.who}>
      <Banner icon="lock" boxed>
        {`You can read ${what}. Only admins can change ${what === 'this' ? 'it' : 'them'}${data.length ? `: ${data.join(', ')}` : ''}.`}
      </Banner>
    </div>
  )
}
