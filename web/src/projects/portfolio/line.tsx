import type { CSSProperties } from 'react'
import { Link } from '@tanstack/react-router'
import { dayNumber } from '../../../../server/src/schedule/workdays.ts'
import type { GoLiveForecast } from '../../data/forecasts.ts'
import type { PortfolioRow } from '../../data/portfolio.ts'
import type { Format } from '../../records/field/format.ts'
import { shortDay } from '../../records/field/format.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Hidden } from '../../ui/field.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Icon } from '../../ui/icons.tsx'
import { addressIn } from '../../records/definition.ts'
import { causeWords, healthWords, waitsWords } from '../health-words.ts'
import { driverWords, likelyWords } from '../likely-words.ts'
import type { Range } from '../timeline/scale.ts'
import styles from './portfolio.module.css'
import type { Line } from './rows.ts'
import { t } from '../../locales/text.ts'

type Props = {
  line: Line
  /** of a project: when it is likely to go live */
  likely: GoLiveForecast | undefined
  at: number
  range: Range
  px: number
  format: Format
  isActive: boolean
  onActive: (id: string) => void
  onToggle: (id: string) => void
  onOpen: (id: string) => void
  /** undefined for who may not */
  onMove: ((id: string) => void) | undefined
}

/** A group of projects, a project, or a milestone of one, with what stands on its days. */
export function PortfolioLine(props: Props) {
  const { line, at, isActive, onActive } = props
  return (
    <div
      role="row"
      className={styles.row}
      style={{ '--y': at } as CSSProperties}
      aria-rowindex={at + 2}
      aria-level={line.kind === 'group' ? 1 : line.kind === 'project' ? 2 : 3}
      aria-expanded={line.kind === 'milestone' ? undefined : line.isOpen}
      data-kind={line.kind}
      data-line={line.id}
      tabIndex={isActive ? 0 : -1}
      onFocus={() => onActive(line.id)}
    >
      <div role="rowheader" className={styles.name}>
        <Name {...props} />
      </div>
      <div role="gridcell" className={styles.lane}>
        {line.kind === 'project' ? <Days {...props} project={line.project} /> : null}
        {line.kind === 'milestone' && line.milestone.due ? (
          <Diamond {...props} milestone={line.milestone} />
        ) : null}
      </div>
    </div>
  )
}

function Name({ line, format, onToggle, onOpen, onMove }: Props) {
  if (line.kind === 'group') {
    const { name, count, late, isOpen } = line
    return (
      <>
        <IconButton
          label={
            isOpen
              ? t('Close {title}', { title: name || t('None [group]') })
              : t('Open {title}', { title: name || t('None [group]') })
          }
          icon={isOpen ? 'chevron-down' : 'chevron-right'}
          size="small"
          tabIndex={-1}
          onClick={() => onToggle(line.id)}
        />
        {name ? <Avatar name={name} size={20} /> : null}
        <b>{name || t('None [group]')}</b>
        <span className={styles.quiet}>{t('{count} project | {count} projects', { count })}</span>
        {late ? (
          <span className={styles.warn}>{t('{count} later than agreed', { count: late })}</span>
        ) : null}
      </>
    )
  }
  if (line.kind === 'milestone') {
    const { name, status, due } = line.milestone
    return (
      <>
        <span className={styles.title}>{name}</span>
        <Hidden>{status}</Hidden>
        <span className={styles.agreed}>{due ? shortDay(due, format) : '–'}</span>
      </>
    )
  }
  const { project, isOpen } = line
  const { health, agreed, milestones, project_id } = project
  return (
    <>
      {milestones.length ? (
        <IconButton
          label={
            isOpen
              ? t('Close {title}', { title: project.project_name })
              : t('Open {title}', { title: project.project_name })
          }
          icon={isOpen ? 'chevron-down' : 'chevron-right'}
          size="small"
          tabIndex={-1}
          onClick={() => onToggle(line.id)}
        />
      ) : (
        <span className={styles.gap} />
      )}
      <span className={styles.dot} data-state={health?.state} aria-hidden="true" />
      <Hidden>{health ? healthWords[health.state] : ''}</Hidden>
      <Link
        to={addressIn({ address: '/projects' }, project_id, 'timeline')}
        className={styles.title}
        tabIndex={-1}
        title={project.account?.account_name}
        onClick={(event) => {
          if (event.metaKey || event.ctrlKey || event.shiftKey) return
          event.preventDefault()
          onOpen(project_id)
        }}
      >
        {project.project_name}
      </Link>
      {onMove ? (
        <span className={styles.move}>
          <IconButton
            label={t('Move {title} by…', { title: project.project_name })}
            icon="move"
            size="small"
            tabIndex={-1}
            onClick={() => onMove(project_id)}
          />
        </span>
      ) : null}
      <span className={styles.agreed}>{agreed ? shortDay(agreed, format) : '–'}</span>
    </>
  )
}

function Days({ project, likely, range, px, format }: Props & { project: PortfolioRow }) {
  const { start, due, agreed, forecast, health, tasks, completed } = project
  const x = (day: string, after = 0) => (dayNumber(day) + after - range.from) * px
  const end = forecast ?? due ?? agreed
  const begin = start ?? end
  if (!begin || !end) return <span className={styles.none}>{t('No dates')}</span>
  const solid = agreed && agreed < end ? (agreed < begin ? begin : agreed) : end
  const at = (from: number, to: number) =>
    ({ '--x': from, '--w': Math.max(to - from, 2) }) as CSSProperties
  const isLate = solid < end && health?.state !== 'live'
  const words = outcomeOf(project, format)
  return (
    <>
      <span
        className={styles.bar}
        data-state={health?.state}
        style={
          {
            ...at(x(begin), x(solid, 1)),
            '--share': tasks ? completed / tasks : 0,
          } as CSSProperties
        }
      />
      {isLate ? (
        <span
          className={styles.over}
          data-state={health?.state}
          style={at(x(solid, 1), x(end, 1))}
        />
      ) : null}
      {project.milestones.map((milestone) =>
        milestone.due && milestone.kind !== 'go_live' ? (
          <Diamond key={milestone.id} {...{ milestone, range, px }} />
        ) : null,
      )}
      {agreed ? (
        <span className={styles.flag} style={at(x(agreed, 1), 0)}>
          <Icon name="flag" size={14} />
        </span>
      ) : null}
      <span
        className={styles.words}
        data-state={health?.state}
        style={at(Math.max(x(end, 1), agreed ? x(agreed, 1) + 10 : 0) + 10, 0)}
      >
        {words.day ? <b>{words.day}</b> : null} {words.text}
        {likely?.p85 && health?.state !== 'live' ? (
          <span className={styles.quiet} title={driverWords(likely, format)}>
            {` ${likelyWords(likely, format)}`}
            <Hidden>. {driverWords(likely, format)}</Hidden>
          </span>
        ) : null}
      </span>
    </>
  )
}

/** What is to be said of when a project goes live: later and why, earlier, or that it has. */
function outcomeOf({ forecast, health }: PortfolioRow, format: Format) {
  if (!health) return { text: '' }
  const { state, days } = health
  const count = -days
  if (state === 'live') {
    return {
      text:
        count > 0 ? t('Live, {count} day early | Live, {count} days early', { count }) : t('Live'),
    }
  }
  if (count > 0) return { text: t('{count} day early | {count} days early', { count }) }
  if (count === 0) return { text: causeWords(health) }
  return {
    day: forecast ? shortDay(forecast, format) : '',
    text: health.cause
      ? `${health.cause.title}: ${waitsWords(health) || t('blocked')}`
      : causeWords(health),
  }
}

type DiamondProps = {
  milestone: PortfolioRow['milestones'][number]
  range: Range
  px: number
}

function Diamond({ milestone: { due, status, name }, range, px }: DiamondProps) {
  if (!due) return null
  const x = (dayNumber(due) + 1 - range.from) * px
  return (
    <i
      className={styles.diamond}
      data-status={status}
      style={{ '--x': x } as CSSProperties}
      title={name}
    />
  )
}
