import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { instant } from '../../records/field/format.ts'
import { useFormat } from '../../records/field/use-format.ts'
import { later } from '../../records/later.tsx'
import { ReadFault } from '../../records/read-fault.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Status } from '../../ui/status.tsx'
import results from '../results.module.css'
import type { Question } from '../../records/answers/answer-value.tsx'
import type { Automation, Run } from './rule.ts'
import { runsQuery } from './use-automations.ts'
import styles from '../share/share.module.css'
import { t } from '../../locales/text.ts'

const Answer = later(() => import('./answer.tsx'), 'shown')

/** How many runs are shown at first. */
const fewest = 20

type Props = { survey: string; automations: Automation[]; questions: Question[] }

/** What automations have done, newest first, with the answer and the tasks of each. */
export function Runs({ survey, automations, questions }: Props) {
  const { data, error, refetch } = useQuery(runsQuery(survey))
  const [isWhole, setWhole] = useState(false)
  const [answer, setAnswer] = useState<string | null>(null)
  if (error && !data) {
    return (
      <ReadFault small title={t('The runs could not be read')} error={error} onRetry={refetch} />
    )
  }
  if (!data) return <SkeletonRows count={2} />
  const done = data.filter(({ status }) => status !== 'skipped')
  const skipped = data.length - done.length
  if (!data.length) return <p className={styles.quiet}>{t('None of them has run yet.')}</p>
  const shown = isWhole ? done : done.slice(0, fewest)
  return (
    <Card title={t('Last runs')}>
      {done.length ? (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a wide table is scrolled by keys
        <div className={results.scroll} role="region" aria-label={t('Last runs')} tabIndex={0}>
          <table className={results.table}>
            <thead>
              <tr>
                <th scope="col">{t('When')}</th>
                <th scope="col">{t('Automation')}</th>
                <th scope="col">{t('Outcome')}</th>
                <th scope="col">{t('Answer')}</th>
              </tr>
            </thead>
            <tbody>
              {shown.map((run) => (
                <Row
                  key={`${run.automation_id} ${run.response_id} ${run.creation_time}`}
                  run={run}
                  name={
                    automations.find(({ automation_id }) => automation_id === run.automation_id)
                      ?.name ?? t('A deleted automation')
                  }
                  onAnswer={setAnswer}
                />
              ))}
            </tbody>
          </table>
        </div>
      ) : null}
      {shown.length < done.length ? (
        <Button size="small" variant="quiet" onClick={() => setWhole(true)}>
          {t('Show {count} more', { count: done.length - shown.length })}
        </Button>
      ) : null}
      {skipped ? (
        <p className={styles.quiet}>
          {t('{count} time it had nothing to do. | {count} times they had nothing to do.', {
            count: skipped,
          })}
        </p>
      ) : null}
      {answer ? (
        <Answer
          survey={survey}
          response={answer}
          questions={questions}
          onClose={() => setAnswer(null)}
        />
      ) : null}
    </Card>
  )
}

type RowProps = { run: Run; name: string; onAnswer: (response: string) => void }

function Row({ run, name, onAnswer }: RowProps) {
  const format = useFormat()
  const { status, error, response_id, respondent_email, results: made, creation_time } = run
  return (
    <tr>
      <th scope="row">{instant(creation_time, format)}</th>
      <td>{name}</td>
      <td>
        {status === 'failed' ? (
          <>
            <Status tone="bad">{t('Failed')}</Status>
            {error ? <p className={styles.warn}>{error}</p> : null}
          </>
        ) : (
          <Status tone="good">{t('Done')}</Status>
        )}
        {made.map(({ task_id, title }) => (
          <p key={task_id}>
            <Link to="/tasks/$id/{-$tab}" params={{ id: task_id }}>
              {t('Task: {title}', { title })}
            </Link>
          </p>
        ))}
      </td>
      <td>
        {response_id ? (
          <Button size="small" variant="quiet" onClick={() => onAnswer(response_id)}>
            {respondent_email ?? t('Anonymous')}
          </Button>
        ) : (
          '–'
        )}
      </td>
    </tr>
  )
}
