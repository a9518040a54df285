import type { ReactNode } from 'react'
import type { TemplateStatistics } from '../../data/templates.ts'
import type { Lines } from './lines.ts'
import { lengthOf } from './lines.ts'
import { mostDifferent } from './usual.ts'
import styles from './editor.module.css'
import { t } from '../../locales/text.ts'

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
        <dt>
          {t('Plan')} {children}
        </dt>
        <dd>
          <strong>{t('{count} working day | {count} working days', { count: planned })}</strong>
          <small>
            {t('{count} milestone | {count} milestones', { count: lines.milestones.length })},{' '}
            {t('{count} task | {count} tasks', { count: lines.tasks.length })}
          </small>
        </dd>
      </div>
      <div>
        <dt>{t('Usually takes')}</dt>
        <dd>
          {median === null ? (
            <span>{t('Not finished yet')}</span>
          ) : (
            <>
              <strong data-differs={Math.abs(median - planned) >= 2 || undefined}>
                {t('{count} day | {count} days', { count: median })}
              </strong>
              <small>
                {t('median of {count} finished project | median of {count} finished projects', {
                  count: n,
                })}
              </small>
            </>
          )}
        </dd>
      </div>
      {most ? (
        <div>
          <dt>{t('Differs most')}</dt>
          <dd>
            <strong>{most.title}</strong>
            <small>
              {t('planned {planned}, takes {median}', {
                planned: most.planned,
                median: most.median,
              })}
            </small>
          </dd>
        </div>
      ) : null}
      <div>
        <dt>{t('Used by')}</dt>
        <dd>
          <strong>{t('{count} running', { count: running })}</strong>
          <small>{t('{count} finished', { count: n })}</small>
        </dd>
      </div>
    </dl>
  )
}
