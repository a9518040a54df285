import { Link } from '@tanstack/react-router'
import type { KeyboardEvent, MouseEvent, ReactNode } from 'react'
import { useEffect, useEffectEvent, useState } from 'react'
import type { HomeRow } from '../data/home.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { classes } from '../ui/classes.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { Icon } from '../ui/icons.tsx'
import { Kbd } from '../ui/kbd.tsx'
import { useNarrow } from '../ui/use-narrow.ts'
import styles from './row.module.css'
import type { Ghost } from './shown.ts'
import { keyOf } from './shown.ts'
import { useSwipe } from './use-swipe.ts'
import { t } from '../locales/text.ts'

/** How long a row says what became of it, in milliseconds. */
const staysMs = 6000

/** What can be done with the rows of the page. */
export type RowActs = {
  /** completes a task, or opens it again while it still stands there */
  tick: (row: HomeRow) => void
  /** moves to the next working day, of which `nextDay` is the name */
  next: (row: HomeRow) => void
  nextDay: string
  give: (row: HomeRow) => void
  read: (row: HomeRow) => void
  menu: (row: HomeRow, anchor: HTMLElement) => void
  /** opens the record beside the page */
  open: (row: HomeRow) => void
  openRecord: (module: string, id: string) => void
  addressOf: (row: HomeRow) => { to: string; search?: object }
  focused: (row: HomeRow) => void
  gone: (row: HomeRow) => void
}

type Props = {
  row: HomeRow
  acts: RowActs
  /** whether Tab stops here among the rows of its part */
  isStop: boolean
  /** whether it has the focus */
  isActive: boolean
  /** whether its record is open beside the page */
  isOpen: boolean
  state?: Ghost['state'] | undefined
  /** what became of it, in place of why it matters */
  words?: string | undefined
  why: string
  due: string
  tone?: 'bad' | 'warn' | undefined
  /** what stands before the title, where that is no box to tick */
  sign: ReactNode
  /** whether a task is ticked here, where others do not have to do it */
  hasBox?: boolean
  hasEntered?: boolean
  /** in two lines, as in a card */
  isStacked?: boolean
  children?: ReactNode
  /** what belongs to the row, under it */
  below?: ReactNode
}

/** A row: what is to be done, for what, why it matters and when, with its acts while it has the focus or the pointer. */
export function Row(props: Props) {
  const {
    row,
    acts,
    isStop,
    isActive,
    isOpen,
    state,
    sign,
    hasBox,
    hasEntered,
    isStacked,
    children,
    below,
  } = props
  const [isUnder, setUnder] = useState(false)
  const isNarrow = useNarrow()
  const may = (act: HomeRow['acts'][number]) => row.acts.includes(act) && state !== 'gone'
  const gone = useEffectEvent(() => acts.gone(row))
  const isLeaving = state === 'done' || state === 'gone'
  useEffect(() => {
    if (!isLeaving) return undefined
    const timer = setTimeout(() => gone(), staysMs)
    return () => clearTimeout(timer)
  }, [isLeaving])
  const swipe = useSwipe({
    right: may('done') && state !== 'done' ? () => acts.tick(row) : undefined,
    left: may('move') && state !== 'done' ? () => acts.next(row) : undefined,
  })
  const showsActs = (isActive || isUnder) && !isLeaving && row.acts.length > 0
  const tabIndex = isStop ? 0 : -1
  return (
    <li
      className={classes(styles.line, isStacked && styles.stacked)}
      data-row={keyOf(row)}
      data-kind={row.kind}
      data-state={state}
      data-open={isOpen || undefined}
      data-entered={hasEntered || undefined}
      data-swiped={swipe.towards}
      onPointerEnter={({ pointerType }) => setUnder(pointerType === 'mouse')}
      onPointerLeave={() => setUnder(false)}
      onFocus={() => acts.focused(row)}
    >
      {swipe.towards ? (
        <span className={styles.under} aria-hidden="true">
          <Icon name={swipe.towards === 'right' ? 'check' : 'calendar-clock'} />
          {swipe.towards === 'right' ? t('Done') : acts.nextDay}
        </span>
      ) : null}
      <div className={styles.row} {...swipe.handlers} style={swipe.style}>
        {hasBox && may('done') ? (
          <Checkbox
            label={t('Complete {title}', { title: row.title })}
            tabIndex={tabIndex}
            checked={state === 'done'}
            onChange={() => acts.tick(row)}
          />
        ) : (
          <span className={styles.sign}>{sign}</span>
        )}
        <span className={styles.words}>
          <Title {...props} tabIndex={tabIndex} />
          <Beside {...props} isNarrow={isNarrow} />
        </span>
        {showsActs && !isNarrow && !isStacked ? <Acts row={row} acts={acts} /> : null}
        {!showsActs && !isNarrow && !isStacked ? <Why {...props} /> : null}
        {children}
        {isStacked && showsActs && may('read') ? (
          <IconButton
            size="small"
            icon="check"
            label={t('Mark as read: {title}', { title: row.title })}
            shortcut="Space"
            onClick={() => acts.read(row)}
          />
        ) : null}
        <Due {...props} />
        {row.acts.length && !isStacked && isNarrow ? (
          <MenuButton row={row} acts={acts} tabIndex={tabIndex} />
        ) : null}
      </div>
      {below}
    </li>
  )
}

function Title({ row, acts, state, tabIndex }: Props & { tabIndex: number }) {
  const byKey = (event: KeyboardEvent) => {
    if (event.key !== ' ' || event.ctrlKey || event.metaKey || event.altKey) return
    if (row.acts.includes('done')) acts.tick(row)
    else if (row.acts.includes('read')) acts.read(row)
    else return
    event.preventDefault()
  }
  const byClick = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || row.kind === 'person')
      return
    event.preventDefault()
    acts.open(row)
  }
  return (
    <Link
      {...(acts.addressOf(row) as { to: '.' })}
      data-title=""
      tabIndex={tabIndex}
      className={styles.title}
      aria-disabled={state === 'gone' || undefined}
      onClick={byClick}
      onKeyDown={byKey}
    >
      {row.title}
    </Link>
  )
}

/** What stands under the title, or beside it where there is room. */
function Beside({ row, why, words, isStacked, isNarrow }: Props & { isNarrow: boolean }) {
  const record = row.record?.name ?? ''
  if (isStacked) return why || record ? <small>{why || record}</small> : null
  if (!isNarrow) return record ? <small>{record}</small> : null
  const all = [words ?? why, record].filter(Boolean)
  return all.length ? <small>{all.join(' · ')}</small> : null
}

function Why({ row, why, words }: Props) {
  if (words)
    return (
      <span className={styles.why} role="status">
        {words}
      </span>
    )
  if (!why) return null
  const isPressing = row.why?.word === 'holds_up'
  return (
    <span className={styles.why} data-tone={isPressing ? 'warn' : undefined}>
      {isPressing ? <Icon name="zap" size={14} /> : null}
      {why}
    </span>
  )
}

function Due({ row, due, tone }: Props) {
  if (!due) return null
  return (
    <time className={styles.due} dateTime={row.due ?? undefined} data-tone={tone}>
      {due}
    </time>
  )
}

function Acts({ row, acts }: { row: HomeRow; acts: RowActs }) {
  const may = (act: HomeRow['acts'][number]) => row.acts.includes(act)
  return (
    <span className={styles.acts}>
      {may('done') ? (
        <ActButton label={t('Done')} keys="Space" onClick={() => acts.tick(row)} />
      ) : null}
      {may('move') ? (
        <ActButton label={acts.nextDay} keys="n" onClick={() => acts.next(row)} />
      ) : null}
      {may('give') ? <ActButton label={t('Give')} keys="a" onClick={() => acts.give(row)} /> : null}
      <MenuButton row={row} acts={acts} tabIndex={-1} />
    </span>
  )
}

function ActButton({ label, keys, onClick }: { label: string; keys: string; onClick: () => void }) {
  return (
    <Button variant="quiet" size="small" tabIndex={-1} onClick={onClick}>
      {label} <Kbd keys={keys} />
    </Button>
  )
}

function MenuButton({ row, acts, tabIndex }: { row: HomeRow; acts: RowActs; tabIndex: number }) {
  return (
    <IconButton
      size="small"
      icon="more"
      label={t('More for {title}', { title: row.title })}
      tabIndex={tabIndex}
      aria-haspopup="menu"
      onClick={({ currentTarget }) => acts.menu(row, currentTarget)}
    />
  )
}

/** The way into a meeting that has an address. */
export function Join({ row: { link, title } }: { row: HomeRow }) {
  if (!link || !/^https?:/.test(link)) return null
  return (
    <ButtonLink
      size="small"
      href={link}
      target="_blank"
      rel="noreferrer noopener"
      aria-label={t('Join {title}', { title })}
    >
      {t('Join')}
    </ButtonLink>
  )
}
