import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { useState } from 'react'
import type { Condition } from '../data/list.ts'
import type { Health } from '../data/health.ts'
import { healthQuery } from '../data/health.ts'
import { changeWords, inputWords } from '../data/health-words.ts'
import { queryClient } from '../data/query-client.ts'
import { idOf } from '../data/record.ts'
import { isExternal, sessionNow, useIsExternal, useMay } from '../data/session.ts'
import type { Screens, SectionProps } from '../records/definition.ts'
import { today } from '../records/field/format.ts'
import { useFormat } from '../records/field/use-format.ts'
import OpenWork, { prefetch as prefetchWork } from '../records/page/open-work.tsx'
import { ReadFault } from '../records/read-fault.tsx'
import { useAddressOf } from '../records/screens.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import styles from './account-now.module.css'
import { t } from '../locales/text.ts'

/** The reasons that are shown at first. */
const most = 3

/** Why an account has its score, with what counts most, and its open projects and deals. */
export default function AccountNow(props: SectionProps) {
  const hasHealth = !useIsExternal()
  return (
    <>
      {hasHealth ? <Why {...props} /> : null}
      <OpenWork {...props} />
    </>
  )
}

/** Reads the health and the open work of an account while the account is read. */
export async function prefetch(id: string, screens: Screens): Promise<void> {
  const session = sessionNow()
  await Promise.all([
    session && !isExternal(session) ? queryClient.prefetchQuery(healthQuery(id)) : undefined,
    prefetchWork(id, screens),
  ])
}

function Why({ module, record }: SectionProps) {
  const { data: health, error, refetch } = useQuery(healthQuery(idOf(module, record)))
  if (error && !health) {
    return (
      <ReadFault small title={t('The health could not be read')} error={error} onRetry={refetch} />
    )
  }
  if (!health) return <Skeleton height={88} />
  return <Reasons health={health} account={idOf(module, record)} />
}

function Reasons({ health, account }: { health: Health; account: string }) {
  const [showsAll, setShowsAll] = useState(false)
  const taking = health.inputs
    .filter(({ points }) => points > 0)
    .toSorted((a, b) => b.points - a.points)
  const shown = showsAll ? taking : taking.slice(0, most)
  return (
    <section className={styles.card} aria-label={t('Why {score}', { score: health.score })}>
      <header>
        <h2>{t('Why {score}', { score: health.score })}</h2>
        <span>
          {health.is_set
            ? t('The score was set by hand.')
            : taking.length
              ? t(
                  '100 to start with, one thing lowers it | 100 to start with, {count} things lower it',
                  { count: taking.length },
                )
              : t('Nothing lowers the score.')}
        </span>
        {taking.length > most ? (
          <Button size="small" variant="quiet" onClick={() => setShowsAll(!showsAll)}>
            {showsAll ? t('Show the largest') : t('What it is made of')}
          </Button>
        ) : null}
      </header>
      {shown.length ? (
        <ul>
          {shown.map((input) => (
            <Reason
              key={input.input}
              account={account}
              input={input}
              change={health.changes.find((each) => each.input === input.input)}
            />
          ))}
        </ul>
      ) : null}
    </section>
  )
}

type ReasonProps = {
  account: string
  input: Health['inputs'][number]
  change: Health['changes'][number] | undefined
}

/** What takes points, how many, and links to what was counted. */
function Reason({ account, input, change }: ReasonProps) {
  const addressOf = useAddressOf()
  // several answers may belong to the same record
  const links = new Map(input.links.map((link) => [link.id, link]))
  return (
    <li>
      <span className={styles.points}>−{Math.round(input.points)}</span>
      <span className={styles.words}>
        <span>
          {inputWords(input)}
          {change ? <small> {changeWords(change)}</small> : null}
        </span>
        <small className={styles.links}>
          {[...links.values()].slice(0, 5).map(({ id, name, type }) => {
            const address = addressOf(`${type}s`, id)
            return address ? (
              <Link key={id} to={address}>
                {name}
              </Link>
            ) : (
              <span key={id}>{name}</span>
            )
          })}
        </small>
      </span>
      <Act {...{ account, input }} />
    </li>
  )
}

/** What is done about a reason: the list of exactly what it counts, or the record where one goes on. */
function Act({ account, input: { input, links } }: Pick<ReasonProps, 'account' | 'input'>) {
  const { timezone } = useFormat()
  const addressOf = useAddressOf()
  const mayMeet = useMay('calendar', 'create')
  const tasks = (label: string, condition: Condition) => {
    const f = [
      { field: 'account_id', operator: 'eq', value: account },
      { field: 'is_completed', operator: 'eq', value: false },
      condition,
    ]
    return way(label, <Link to="/tasks" search={{ f, sort: 'due_date' }} />)
  }
  const [first] = links
  const record = first && addressOf(`${first.type}s`, first.id)
  switch (input) {
    case 'overdue_work':
      return tasks(t('Open the tasks'), {
        field: 'due_date',
        operator: 'lt',
        value: today(timezone),
      })
    case 'open_risks':
      return tasks(t('Open the risks'), { field: 'is_risk', operator: 'eq', value: true })
    case 'unsigned_documents':
      return record
        ? way(t('Follow the signatures'), <Link to={`${record}/signatures` as string} />)
        : null
    case 'silence':
      return mayMeet
        ? way(t('Plan a meeting'), <Link to="/meetings" search={{ new: true }} />)
        : null
    default:
      return record ? way(t('Read the answers'), <Link to={record} />) : null
  }
}

function way(label: string, link: ReactElement) {
  return (
    <ButtonLink size="small" render={link}>
      {label}
    </ButtonLink>
  )
}
