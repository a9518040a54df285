import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { request } from '../api/request.ts'
import { refreshModule } from '../data/cached.ts'
import { asSent, createRecord, notifyRefusal } from '../data/change.ts'
import { accountsOfQuery } from '../data/customer.ts'
import { moduleQuery } from '../data/modules.ts'
import { notify } from '../data/notices.ts'
import { queryClient } from '../data/query-client.ts'
import { idOf, pathOf, titleOf } from '../data/record.ts'
import { useMay } from '../data/session.ts'
import type { SectionProps } from '../records/definition.ts'
import NextMeeting from '../records/page/next-meeting.tsx'
import { ReadFault } from '../records/read-fault.tsx'
import { Avatar } from '../ui/avatar.tsx'
import { Button } from '../ui/button.tsx'
import { Score } from '../ui/score.tsx'
import styles from './company-beside.module.css'
import { t } from '../locales/text.ts'

/** The next meeting with a company, and the account that it is as a customer. */
export default function CompanyBeside(props: SectionProps) {
  const mayRead = useMay('accounts', 'read')
  return (
    <>
      <NextMeeting {...props} />
      {mayRead ? <Customer {...props} /> : null}
    </>
  )
}

function Customer({ module, record }: SectionProps) {
  const { data: accounts, error, refetch } = useQuery(accountsOfQuery(idOf(module, record)))
  const mayCreate = useMay('accounts', 'create')
  const [isBusy, setBusy] = useState(false)
  const make = async () => {
    const place = await queryClient.ensureQueryData(moduleQuery('accounts'))
    const name = titleOf(module, record)
    const values = {
      account_name: name,
      company_id: idOf(module, record),
      account_owner: asSent(record.company_owner),
    }
    const id = await createRecord(place, values, crypto.randomUUID())
    notify({
      message: t('{name} is an account now', { name }),
      undo: () =>
        request('DELETE', pathOf(place, id))
          .then(() => refreshModule('accounts'))
          .catch(notifyRefusal),
    })
  }
  if (error && !accounts) {
    return (
      <ReadFault small title={t('The account could not be read')} error={error} onRetry={refetch} />
    )
  }
  if (!accounts?.length && !mayCreate) return null
  return (
    <section className={styles.customer} aria-label={t('Account')}>
      <h2>{t('Account')}</h2>
      {accounts?.length ? (
        <ul>
          {accounts.map(({ account_id: id, account_name: name, health_score: score }) => (
            <li key={id}>
              <Avatar name={name} size={24} square />
              <Link to="/accounts/$id/{-$tab}" params={{ id }}>
                {name}
              </Link>
              {typeof score === 'number' ? <Score value={score} /> : null}
            </li>
          ))}
        </ul>
      ) : accounts ? (
        <p>
          <span>{t('No account yet')}</span>
          <Button
            size="small"
            busy={isBusy}
            onClick={() => {
              setBusy(true)
              void make()
                .catch(notifyRefusal)
                .finally(() => setBusy(false))
            }}
          >
            {t('Create account {title}', { title: titleOf(module, record) })}
          </Button>
        </p>
      ) : null}
    </section>
  )
}
