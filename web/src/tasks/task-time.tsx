import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { notifyRefusal } from '../data/change.ts'
import { notify } from '../data/notices.ts'
import { idOf } from '../data/record.ts'
import { useMayOf, useSession } from '../data/session.ts'
import type { TimeEntry } from '../data/time.ts'
import { addTime, changeTime, deleteTime, refreshTime, taskTimeQuery } from '../data/time.ts'
import { setTimer } from '../data/timer.ts'
import type { SectionProps } from '../records/definition.ts'
import { dayLabel, duration, today } from '../records/field/format.ts'
import { useFormat } from '../records/field/use-format.ts'
import { ReadFault } from '../records/read-fault.tsx'
import { Button } from '../ui/button.tsx'
import { Empty } from '../ui/empty.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { Estimate } from './estimate.tsx'
import { TimeForm } from './time-form.tsx'
import { TimeLine } from './time-line.tsx'
import styles from './time.module.css'
import { t } from '../locales/text.ts'

const few = 20
const most = 200

/** The time of a task: how much of what was estimated, the person's timer, and the entries by day. */
export default function TaskTime({ module, record }: SectionProps) {
  const id = idOf(module, record)
  const format = useFormat()
  const { user } = useSession()
  const mayChange = useMayOf('tasks', record, 'update')
  const [size, setSize] = useState(few)
  const [edited, setEdited] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const { data, error, refetch } = useQuery(taskTimeQuery(id, size))
  const spent = Number(record.total_elapsed_time ?? 0)
  const minutes = typeof record.estimate_minutes === 'number' ? record.estimate_minutes : null
  const isRunning = record.is_timer_running === true
  const over = minutes === null ? 0 : spent - 60 * minutes
  const now = today(format.timezone)
  const time = async () => {
    setBusy(true)
    try {
      const runs = await setTimer(id, isRunning)
      await refreshTime(id)
      notify({
        message: runs ? t('Your timer runs here') : t('Your timer stopped: the time is added'),
      })
    } catch (fault) {
      notifyRefusal(fault)
    } finally {
      setBusy(false)
    }
  }
  const byDay = Map.groupBy(data?.rows ?? [], ({ date }) => date)
  return (
    <div className={styles.time}>
      <div className={styles.line}>
        <dl className={styles.figures}>
          <div>
            <dt>{t('Spent')}</dt>
            <dd>{spent ? duration(spent, format) : '–'}</dd>
          </div>
          <div>
            <dt>{t('Estimate')}</dt>
            <dd>
              <Estimate {...{ module, record, minutes, mayChange }} />
            </dd>
          </div>
          {over > 0 ? (
            <div>
              <dt>{t('Over')}</dt>
              <dd className={styles.over}>+{duration(over, format)}</dd>
            </div>
          ) : null}
        </dl>
        <span className={styles.buttons}>
          <Button
            size="small"
            icon={isRunning ? 'clock' : 'timer'}
            aria-pressed={isRunning}
            busy={isBusy}
            onClick={() => void time()}
          >
            {isRunning ? t('Stop timer') : t('Start timer')}
          </Button>
          <Button size="small" icon="plus" onClick={() => setEdited('new')}>
            {t('Add time')}
          </Button>
        </span>
      </div>
      {edited === 'new' ? (
        <TimeForm
          label={t('Add time')}
          action={t('Add')}
          initial={{ date: now, seconds: null, note: null, is_billable: true }}
          onSave={(draft) => addTime(id, draft)}
          onClose={() => setEdited(undefined)}
        />
      ) : null}
      {error && !data ? (
        <ReadFault small title={t('The time could not be read')} error={error} onRetry={refetch} />
      ) : !data ? (
        <SkeletonRows count={2} />
      ) : data.rows.length ? (
        [...byDay].map(([date, its]) => (
          <section key={date} className={styles.day}>
            <h3>
              <time dateTime={date}>{dayLabel(date, format)}</time>
              <span>{duration(total(its), format)}</span>
            </h3>
            <ul>
              {its.map((entry) =>
                edited === entry.time_entry_id ? (
                  <li key={entry.time_entry_id}>
                    <TimeForm
                      label={t('Change the time')}
                      action={t('Save')}
                      initial={entry}
                      onSave={(draft) => changeTime(entry, draft)}
                      onClose={() => setEdited(undefined)}
                    />
                  </li>
                ) : (
                  <TimeLine
                    key={entry.time_entry_id}
                    entry={entry}
                    mayChange={mayChange || entry.user?.user_id === user.user_id}
                    onEdit={() => setEdited(entry.time_entry_id)}
                    onDelete={() =>
                      void deleteTime(entry, duration(entry.seconds, format)).catch(notifyRefusal)
                    }
                  />
                ),
              )}
            </ul>
          </section>
        ))
      ) : edited === 'new' ? null : (
        <Empty small icon="clock" title={t('No time yet')}>
          {t('Start your timer, or add what you have spent.')}
        </Empty>
      )}
      {data && data.total > data.rows.length && size < most ? (
        <Button size="small" onClick={() => setSize(most)}>
          {data.total > most
            ? t('Show the newest {count}', { count: most })
            : t('Show all {count}', { count: data.total })}
        </Button>
      ) : null}
    </div>
  )
}

function total(entries: TimeEntry[]): number {
  return entries.reduce((sum, { seconds }) => sum + seconds, 0)
}
