import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { TimelineEntry, TimelineKind } from '../../data/timeline.ts'
import { timelineQuery } from '../../data/timeline.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { ReadFault } from '../read-fault.tsx'
import { Icon, type IconName } from '../../ui/icons.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { instant, relative } from '../field/format.ts'
import { useFormat } from '../field/use-format.ts'
import { Html } from '../html.tsx'
import { daysOf } from '../days.ts'
import { useAddressOf } from '../screens.ts'
import { moduleOf, Sentence } from '../sentence.tsx'
import { toldTogether } from './days.ts'
import styles from './timeline.module.css'
import { t } from '../../locales/text.ts'

const icons: { [kind in TimelineKind]: IconName } = {
  change: 'pencil',
  comment: 'message-square',
  task: 'square-check',
  milestone: 'milestone',
  stage: 'arrow-right',
  meeting: 'calendar',
  mail: 'mail',
  document: 'file-text',
  opened: 'eye',
  signature: 'pencil',
  answer: 'smile',
  feedback: 'message-square-text',
}

/** What the timeline can be restricted to; each kind is in one of them. */
const chips: readonly { label: string; kinds: TimelineKind[] }[] = [
  { label: t('Comments'), kinds: ['comment'] },
  { label: t('Changes'), kinds: ['change', 'stage'] },
  { label: t('Work'), kinds: ['task', 'milestone'] },
  { label: t('Meetings'), kinds: ['meeting'] },
  { label: t('Mails'), kinds: ['mail'] },
  { label: t('Documents'), kinds: ['document', 'opened', 'signature'] },
  { label: t('Answers'), kinds: ['answer', 'feedback'] },
]

/** The timeline of a record, newest first and by day; `most` entries at first, then more. */
export function Timeline({ module, id, most }: { module: string; id: string; most?: number }) {
  const [chosen, setChosen] = useState<TimelineKind[]>([])
  const query = useInfiniteQuery(timelineQuery(module, id, chosen, most ?? 30))
  const { data, error, isPending, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = query
  const entries = data?.pages.flatMap((page) => page.results) ?? []
  if (error && !data) {
    return (
      <ReadFault
        small
        title={t('The activity could not be read')}
        error={error}
        onRetry={refetch}
      />
    )
  }
  return (
    <div className={styles.timeline}>
      {most ? null : <Chips chosen={chosen} onChange={setChosen} />}
      {isPending ? (
        <SkeletonRows count={most ?? 6} />
      ) : entries.length ? (
        <Days entries={entries} isShort={most !== undefined} />
      ) : (
        <Empty
          small
          icon="activity"
          title={chosen.length ? t('Nothing of this kind') : t('Nothing happened yet')}
        >
          {t('Changes, comments, meetings, mails and answers appear here.')}
        </Empty>
      )}
      {hasNextPage ? (
        <Button
          variant="quiet"
          size="small"
          busy={isFetchingNextPage}
          onClick={() => void fetchNextPage()}
        >
          {t('Show earlier')}
        </Button>
      ) : null}
    </div>
  )
}

type ChipsProps = { chosen: TimelineKind[]; onChange: (chosen: TimelineKind[]) => void }

function Chips({ chosen, onChange }: ChipsProps) {
  return (
    <div className={styles.chips} role="group" aria-label={t('Kinds of activity')}>
      {chips.map(({ label, kinds: its }) => {
        const isOn = its.every((kind) => chosen.includes(kind))
        return (
          <button
            key={label}
            type="button"
            aria-pressed={isOn}
            onClick={() =>
              onChange(isOn ? chosen.filter((kind) => !its.includes(kind)) : [...chosen, ...its])
            }
          >
            {label}
          </button>
        )
      })}
    </div>
  )
}

function Days({ entries, isShort }: { entries: TimelineEntry[]; isShort: boolean }) {
  const format = useFormat()
  if (isShort) return <Entries entries={entries} />
  return daysOf(entries, format).map(({ day, label, entries: all }) => (
    <section key={day} className={styles.day}>
      <h3>{label}</h3>
      <Entries entries={all} />
    </section>
  ))
}

function Entries({ entries }: { entries: TimelineEntry[] }) {
  return (
    <ol className={styles.entries}>
      {toldTogether(entries).map(({ entry, more }, at) => (
        <Entry key={entry.log_id ?? `${entry.at} ${at}`} entry={entry} more={more} />
      ))}
    </ol>
  )
}

function Entry({ entry, more }: { entry: TimelineEntry; more: TimelineEntry[] }) {
  const format = useFormat()
  const [isOpen, setOpen] = useState(false)
  return (
    <li className={styles.entry}>
      <span className={styles.sign}>
        {entry.actor.full_name ? (
          <Avatar name={entry.actor.full_name} size={22} />
        ) : (
          <Icon name="leaf" />
        )}
        <span className={styles.kind}>
          <Icon name={icons[entry.kind]} size={10} />
        </span>
      </span>
      <div className={styles.words}>
        <p>
          {entry.comment ? <Wrote entry={entry} /> : <Sentence entry={entry} />}{' '}
          <time dateTime={entry.at} title={instant(entry.at, format)}>
            {relative(entry.at, format)}
          </time>
          {more.length ? (
            <Button
              size="small"
              variant="quiet"
              aria-expanded={isOpen}
              onClick={() => setOpen(!isOpen)}
            >
              {isOpen
                ? t('Show less')
                : t('and {count} more change | and {count} more changes', { count: more.length })}
            </Button>
          ) : null}
          {entry.comment && !entry.comment.is_read ? (
            <span className={styles.new}>{t('New')}</span>
          ) : null}
        </p>
        {entry.comment ? <Said entry={entry} comment={entry.comment} /> : null}
        {isOpen
          ? more.map((each, at) => (
              <p key={each.log_id ?? at}>
                <Sentence entry={each} />
              </p>
            ))
          : null}
      </div>
    </li>
  )
}

/** The heading of a comment: its author and record; its text is below. */
function Wrote({ entry }: { entry: TimelineEntry }) {
  const addressOf = useAddressOf()
  const { record, actor, comment } = entry
  const to = record && addressOf(moduleOf(record.type), record.id)
  const full_name = actor.full_name ?? t('Somebody')
  return (
    <>
      {record
        ? `${comment?.rating ? t('{full_name} rated', { full_name }) : t('{full_name} commented on', { full_name })} `
        : t('{full_name} commented', { full_name })}
      {to ? <Link to={to}>{record.name}</Link> : record?.name}
    </>
  )
}

type SaidProps = { entry: TimelineEntry; comment: NonNullable<TimelineEntry['comment']> }

/** The text of a comment, with a link to it among the others. */
function Said({ entry, comment }: SaidProps) {
  const addressOf = useAddressOf()
  const { record } = entry
  const to = record && addressOf(moduleOf(record.type), record.id)
  return (
    <div className={styles.said}>
      <Html html={comment.content} />
      {to ? (
        <Link
          className={styles.jump}
          to={`${to}/comments` as string}
          hash={`comment-${comment.interaction_id}`}
        >
          {t('Show in the conversation')}
        </Link>
      ) : null}
    </div>
  )
}
