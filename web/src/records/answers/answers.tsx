import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '../../api/client.ts'
import { keys } from '../../data/keys.ts'
import { idOf } from '../../data/record.ts'
import { levelOf, useSession } from '../../data/session.ts'
import type { SectionProps } from '../definition.ts'
import { instant, relative } from '../field/format.ts'
import { useFormat } from '../field/use-format.ts'
import { ReadFault } from '../read-fault.tsx'
import { Empty } from '../../ui/empty.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { t } from '../../locales/text.ts'
import styles from './answers.module.css'

const names: { [module: string]: 'account_id' | 'company_id' | 'contact_id' | 'project_id' } = {
  accounts: 'account_id',
  companies: 'company_id',
  contacts: 'contact_id',
  projects: 'project_id',
}

/** The latest answers that are about a record, each a link to the whole one. */
export default function AnswersOfRecord({ module, record }: SectionProps) {
  const session = useSession()
  const format = useFormat()
  const id = idOf(module, record)
  const isAllowed = levelOf(session, 'surveys', 'read') !== 'none'
  const { data, error, isPending, refetch } = useQuery({
    queryKey: [...keys.record(module.module, id), 'answers'],
    enabled: isAllowed,
    queryFn: async () => {
      const query = { [names[module.module] ?? 'account_id']: id, items_per_page: 50 }
      return (await api.get('/api/surveys/answers/', { query })).data
    },
  })
  if (!isAllowed) {
    return <Empty small icon="smile" title={t('Your role may not read surveys')} />
  }
  if (error && !data) {
    return (
      <ReadFault small title={t('The answers could not be read')} error={error} onRetry={refetch} />
    )
  }
  if (isPending) return <SkeletonRows count={3} />
  if (!data?.length) return <Empty small icon="smile" title={t('No answers yet')} />
  return (
    <ul className={styles.list}>
      {data.map((answer) => {
        const { response_id, survey_id, survey_name, nps, text, finished_at } = answer
        const who = answer.respondent_name ?? answer.respondent_email ?? t('Anonymous')
        return (
          <li key={response_id}>
            <p>
              <Link
                to={`/surveys/${survey_id}/responses` as string}
                search={{ response: response_id } as never}
              >
                {survey_name}
              </Link>
              {nps === null ? null : ` · ${t('score {score}', { score: String(nps) })}`}
            </p>
            {text ? <p dir="auto">{text}</p> : null}
            <small>
              {who} ·{' '}
              <time dateTime={finished_at} title={instant(finished_at, format)}>
                {relative(finished_at, format)}
              </time>
            </small>
          </li>
        )
      })}
    </ul>
  )
}
