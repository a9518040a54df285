import type { ComponentType, CSSProperties } from 'react'
import { memo } from 'react'
import { shortDay } from '../../records/field/format.ts'
import type { Format } from '../../records/field/format.ts'
import { isObject, personIn } from '../../records/field/linked.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { classes } from '../../ui/classes.ts'
import { hueOf } from '../../ui/hue.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Icon } from '../../ui/icons.tsx'
import { tip } from '../../ui/tooltip.tsx'
import type { PlanRow } from '../tree.ts'
import type { Bar, Dates } from './bars.ts'
import styles from './timeline.module.css'
import { t } from '../../locales/text.ts'

/** Where things are drawn: pixels from the left of the drawing. */
export type Place = { x: number; width: number }

export type RowProps = {
  row: PlanRow
  at: number
  bar: Bar | undefined
  /** where it stands, and where it would */
  place: Place | undefined
  ghost: (Place & { label: string }) | undefined
  /** the bar itself is held, or about to move */
  held: (Dates & { label: string }) | undefined
  /** up to where it is late, and up to where it may be later */
  latePlace: Place | undefined
  slackPlace: (Place & { days: number }) | undefined
  /** where it was in the baseline, and by how much it ends later or earlier */
  basePlace: Place | undefined
  baseWords: string
  /** that it is too early for what it waits for */
  broken: string | undefined
  /** what a screen reader says of the bar */
  label: string
  color: 'status' | 'owner' | 'side'
  showsCritical: boolean
  isActive: boolean
  isOpened: boolean
  isChanged: boolean
  /** the pointer is on it with a dependency */
  isTarget: boolean
  mayMove: boolean
  isNarrow: boolean
  /** of a milestone: whether it is the go-live, and when that is expected */
  goLive: { text: string; isLater: boolean } | undefined
  /** the side on which it lies outside of what is seen */
  outside: 'left' | 'right' | undefined
  format: Format
  acts: RowActs
}

export type RowActs = {
  onToggle: (id: string) => void
  onOpen: (id: string) => void
  onActive: (id: string) => void
  onDates: (id: string) => void
  onShow: (id: string) => void
  onHover: (id: string | undefined) => void
  onSchedule: (id: string) => void
  onRepair: (id: string) => void
}

/** A row: what it is called, and its bar. */
export const TimelineRow: ComponentType<RowProps> = memo(
  function TimelineRow(props: RowProps) {
    const { row, at, acts, isOpened, isChanged, showsCritical, bar, outside } = props
    return (
      <div
        role="row"
        className={classes(styles.row, row.level === 1 && styles.top)}
        style={{ '--y': at } as CSSProperties}
        aria-rowindex={at + 2}
        aria-level={row.level}
        aria-setsize={row.of}
        aria-posinset={row.at}
        aria-expanded={row.children ? row.isOpen : undefined}
        data-picked={isOpened || undefined}
        data-changed={isChanged || undefined}
        data-critical={(showsCritical && bar?.isCritical) || undefined}
        data-done={bar?.state === 'done' || undefined}
        onPointerEnter={() => acts.onHover(row.id)}
        onPointerLeave={() => acts.onHover(undefined)}
      >
        <RowName {...props} />
        <div role="gridcell" className={styles.lane}>
          <RowBar {...props} />
          {outside ? (
            <span className={styles.outside} data-side={outside}>
              <IconButton
                label={t('Show {title}', { title: row.title })}
                icon={outside === 'left' ? 'arrow-left' : 'arrow-right'}
                size="small"
                tabIndex={-1}
                onClick={() => acts.onShow(row.id)}
              />
            </span>
          ) : null}
        </div>
      </div>
    )
  },
  (one, other) => isSame(one, other),
)

/** Whether a row would be drawn the same: rows, bars and places are made anew whenever anything changes. */
function isSame(one: unknown, other: unknown, depth = 3): boolean {
  if (Object.is(one, other)) return true
  if (!depth || !isObject(one) || !isObject(other)) return false
  const names = Object.keys(one)
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => isSame(one[name], other[name], depth - 1))
  )
}

function RowName({ row, acts }: RowProps) {
  const owner = personIn(row.kind === 'task' ? row.task.owner : undefined)
  return (
    <div role="rowheader" className={styles.name} data-level={Math.min(row.level, 5)}>
      <span className={styles.number}>{row.number}</span>
      {row.children ? (
        <IconButton
          label={
            row.isOpen
              ? t('Close {title}', { title: row.title })
              : t('Open {title}', { title: row.title })
          }
          icon={row.isOpen ? 'chevron-down' : 'chevron-right'}
          size="small"
          tabIndex={-1}
          onClick={() => acts.onToggle(row.id)}
        />
      ) : (
        <span className={styles.gap} />
      )}
      {row.kind === 'task' ? (
        <button
          type="button"
          tabIndex={-1}
          className={styles.title}
          onClick={() => acts.onOpen(row.id)}
        >
          {row.title}
        </button>
      ) : (
        <span className={styles.title}>{row.title}</span>
      )}
      {owner ? (
        <span
          className={styles.owner}
          data-side={row.kind === 'task' ? row.task.owner_side : undefined}
        >
          <Avatar name={owner.full_name} image={owner.profile_image ?? null} size={18} label />
        </span>
      ) : null}
    </div>
  )
}

function RowBar(props: RowProps) {
  const { row, bar, place, ghost, held, latePlace, slackPlace, label, acts, isActive } = props
  const { basePlace, baseWords, broken } = props
  const { mayMove, isTarget, color, format, goLive, isNarrow } = props
  if (!bar || !place) {
    if (row.kind === 'loose') return null
    const canSchedule = row.kind === 'task' && !row.children
    return (
      <button
        type="button"
        className={styles.undated}
        data-bar={row.id}
        tabIndex={isActive ? 0 : -1}
        disabled={!mayMove}
        onFocus={() => acts.onActive(row.id)}
        onClick={() => (canSchedule ? acts.onSchedule(row.id) : acts.onDates(row.id))}
      >
        {mayMove
          ? canSchedule
            ? t('No dates · Schedule from start')
            : t('No dates · Set them')
          : t('No dates')}
      </button>
    )
  }
  const isTask = bar.kind === 'task'
  return (
    <>
      {latePlace && !ghost && !held ? (
        <span className={styles.late} style={at(latePlace)} aria-hidden="true" />
      ) : null}
      {basePlace && !held ? (
        <span className={styles.base} style={at(basePlace)} aria-hidden="true" />
      ) : null}
      {slackPlace && !ghost && !props.baseWords && !props.broken ? (
        <span className={styles.slack} style={at(slackPlace)} aria-hidden="true">
          <small>{t('{count} day free | {count} days free', { count: slackPlace.days })}</small>
        </span>
      ) : null}
      <button
        type="button"
        className={isTask ? styles.bar : styles.bracket}
        style={{ ...at(place), ...lookOf(row, bar, color) }}
        data-bar={row.id}
        data-state={bar.state}
        data-color={color === 'status' || !isTask ? undefined : ''}
        data-old={ghost ? '' : undefined}
        data-held={held ? '' : undefined}
        data-target={isTarget || undefined}
        data-may={mayMove || undefined}
        tabIndex={isActive ? 0 : -1}
        aria-label={label}
        onFocus={() => acts.onActive(row.id)}
        onDoubleClick={() => acts.onOpen(row.id)}
        onClick={isNarrow ? () => acts.onOpen(row.id) : undefined}
        {...(held ? {} : tip(label))}
      >
        <span className={styles.fill} data-grip={mayMove ? 'move' : undefined} />
        {mayMove && isTask ? (
          <>
            <i className={styles.edge} data-grip="start" />
            <i className={styles.edge} data-grip="end" />
            <i className={styles.dot} data-grip="link-start" />
            <i className={styles.dot} data-grip="link-end" />
          </>
        ) : null}
        {isTask ? null : <i className={styles.diamond} data-late={isLateGroup(row) || undefined} />}
      </button>
      {goLive ? (
        <span
          className={styles.goLive}
          style={at({
            x: Math.max(place.x + place.width, (ghost?.x ?? 0) + (ghost?.width ?? 0)) + 12,
            width: 0,
          })}
          data-later={goLive.isLater || undefined}
          aria-hidden="true"
        >
          <Icon name="flag" size={14} />
          {goLive.text}
        </span>
      ) : null}
      {ghost ? (
        <span className={styles.ghost} style={at(ghost)} data-kind={bar.kind} aria-hidden="true">
          <small>{ghost.label}</small>
        </span>
      ) : latePlace && !held ? (
        <span
          className={styles.words}
          style={at({ x: latePlace.x + latePlace.width, width: 0 })}
          aria-hidden="true"
        >
          {t('{count} day late | {count} days late', { count: bar.late })}
        </span>
      ) : baseWords && !held ? (
        <span
          className={styles.since}
          style={at({ x: place.x + place.width, width: 0 })}
          data-later={baseWords.startsWith('+') || undefined}
          aria-hidden="true"
        >
          {baseWords}
        </span>
      ) : null}
      {broken && !held ? (
        <span
          className={styles.broken}
          style={at({ x: place.x + place.width + (latePlace || baseWords ? 76 : 0), width: 0 })}
        >
          {broken}
          {mayMove ? (
            <>
              {' · '}
              <button
                type="button"
                tabIndex={isActive ? 0 : -1}
                onClick={() => acts.onRepair(row.id)}
              >
                {t('Repair')}
              </button>
            </>
          ) : null}
        </span>
      ) : null}
      {held ? (
        <span
          className={styles.tag}
          style={at({ x: place.x + place.width, width: 0 })}
          aria-hidden="true"
        >
          {shortDay(held.start, format)} – <b>{shortDay(held.due, format)}</b> {held.label}
        </span>
      ) : null}
    </>
  )
}

function isLateGroup(row: PlanRow): boolean {
  return (
    row.kind === 'milestone' && row.milestone.completed_at === null && row.milestone.totals.late > 0
  )
}

function at({ x, width }: Place): CSSProperties {
  return { '--x': x, '--w': width } as CSSProperties
}

/** How much of a bar is filled, and in which hue. */
function lookOf(row: PlanRow, { share }: Bar, color: RowProps['color']): CSSProperties {
  const key =
    row.kind !== 'task' || color === 'status'
      ? undefined
      : color === 'owner'
        ? personIn(row.task.owner)?.full_name
        : row.task.owner_side
  return { '--share': share, ...(key ? { '--hue': hueOf(key) } : {}) } as CSSProperties
}
