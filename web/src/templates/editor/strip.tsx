import type { ReactNode } from 'react'
import type { TemplateStatistics } from '../../data/templates.ts'
import { counted } from '../../ui/counted.ts'
import type { Lines } from './lines.ts'
import { lengthOf } from './lines.ts'
import { mostDifferent } from './usual.ts'
import styles from './editor.module.css'

type Props = {
  lines: Lines
  statistics: TemplateStatistics | undefined
  children: ReactNode
}

/** A template in a few figures: how long it is planned, and how long it takes. */
export function Strip({ lines, statistics, children }: Props) {
  const planned = lengthOf(lines)
  const most = mostDifferent(statistics)
  const { n = 0, median = null, running = 0 } = statistics ?? {}
  return (
    <dl className={styles.strip}>
      <div>
        <dt>Plan {children}</dt>
        <dd>
          <strong>{counted(planned, 'working day')}</strong>
          <small>
            {counted(lines.milestones.length, 'milestone')}, {counted(lines.tasks.length, 'task')}
          </small>
        </dd>
      </div>
      <div>
        <dt>Usually takes</dt>
        <dd>
          {median === null ? (
            <span>Not finished yet</span>
          ) : (
            <>
              <strong data-differs={Math.abs(median - planned) >= 2 || undefined}>
                {counted(median, 'day')}
              </strong>
              <small>median of {counted(n, 'finished project')}</small>
            </>
          )}
        </dd>
      </div>
      {most ? (
        <div>
          <dt>Differs most</dt>
          <dd>
            <strong>{most.title}</strong>
            <small>
              planned {most.planned}, takes {most.median}
            </small>
          </dd>
        </div>
      ) : null}
      <div>
        <dt>Used by</dt>
        <dd>
          <strong>{running} running</strong>
          <small>{n} finished</small>
        </dd>
      </div>
    </dl>
  )
}
