import { useQuery } from '@tanstack/react-query'
import { request } from '../api/request.ts'
import { keys } from '../data/keys.ts'
import { useMay } from '../data/session.ts'
import { Banner } from '../ui/banner.tsx'
import styles from './settings.module.css'
import { t } from '../locales/text.ts'

/** Says above read-only settings who may change them. */
export function WhoCan({ what = 'this' }: { what?: keyof typeof readable }) {
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
        {`${readable[what]} ${what === 'this' ? changeIt(data) : changeThem(data)}`}
      </Banner>
    </div>
  )
}

const readable = {
  this: t('You can read this.'),
  fields: t('You can read these fields.'),
  options: t('You can read these options.'),
  pipelines: t('You can read the pipelines.'),
  statuses: t('You can read the statuses.'),
}

function changeIt(admins: string[]): string {
  return admins.length
    ? t('Only admins can change it: {names}.', { names: admins.join(', ') })
    : t('Only admins can change it.')
}

function changeThem(admins: string[]): string {
  return admins.length
    ? t('Only admins can change them: {names}.', { names: admins.join(', ') })
    : t('Only admins can change them.')
}
