import type { GroupName, Home, HomeAs, HomeRow } from '../data/home.ts'
import type { Format } from '../records/field/format.ts'
import { useFormat } from '../records/field/use-format.ts'
import { Icon } from '../ui/icons.tsx'
import { useNarrow } from '../ui/use-narrow.ts'
import { AllLink } from './all-link.tsx'
import styles from './home.module.css'
import { PartFault } from './part-fault.tsx'
import { MeetingPreparation } from './preparation.tsx'
import type { RowActs } from './row.tsx'
import { Join, Row } from './row.tsx'
import type { Ghost } from './shown.ts'
import { keyOf, rowsOf } from './shown.ts'
import { dayWords, dueOf, groupTitles, whyOf } from './words.ts'
import { t } from '../locales/text.ts'

type Props = {
  home: Home
  as: HomeAs
  ghosts: Ghost[]
  entered: string[]
  /** the row that had the focus last, and whether it has it */
  active: string | undefined
  hasFocus: boolean
  open: string | undefined
  acts: RowActs
  /** a row that stands elsewhere on the page */
  without?: string | undefined
  onRetry: () => void
}

const names: GroupName[] = ['late', 'today', 'week', 'waiting']

/** What is to be done: the rows by when they are due, those of today with the meetings, and what others have to do. */
export function Day({ home, ghosts, onRetry, ...rest }: Props) {
  const groups = names.map((name) => ({
    name,
    part: home.groups[name],
    rows: rowsOf(home, name, ghosts),
  }))
  const isDone = groups.every(
    ({ name, part, rows }) =>
      !['late', 'today'].includes(name) || (!rows.length && !part.is_failed),
  )
  return (
    <>
      {isDone ? <AllDone home={home} /> : null}
      {groups.map((group) =>
        group.part.is_failed || group.rows.length ? (
          <Group key={group.name} home={home} {...rest} {...group} onRetry={onRetry} />
        ) : null,
      )}
    </>
  )
}

type GroupProps = Omit<Props, 'ghosts'> & {
  name: GroupName
  part: Home['groups']['late']
  rows: ReturnType<typeof rowsOf>
}

function Group({
  home,
  name,
  part,
  rows,
  entered,
  active,
  hasFocus,
  open,
  acts,
  without,
  onRetry,
}: GroupProps) {
  const format = useFormat()
  const isNarrow = useNarrow()
  const shown = rows.filter(({ row }) => keyOf(row) !== without)
  const stop = shown.find(({ row }) => keyOf(row) === active) ?? shown[0]
  const count = part.count - (rows.length - shown.length)
  if (!shown.length && !part.is_failed) return null
  const { preparation } = home
  const prepared = shown.find(({ row }) => row.id === preparation?.meeting_id)
  return (
    <section className={styles.group} aria-labelledby={`home-${name}`}>
      <h2 id={`home-${name}`} data-tone={name === 'late' ? 'bad' : undefined}>
        {groupTitles[name]} <span className={styles.count}>{part.is_failed ? '' : count}</span>
        {part.list && part.count > part.rows.length ? (
          <AllLink
            list={part.list}
            title={groupTitles[name]}
            label={t('Show all {count}', { count: part.count })}
          />
        ) : null}
      </h2>
      {part.is_failed ? <PartFault title={groupTitles[name]} onRetry={onRetry} /> : null}
      <ul>
        {shown.map(({ row, state, words }) => {
          const key = keyOf(row)
          return (
            <Row
              key={key}
              row={row}
              acts={acts}
              isStop={row === stop?.row}
              isActive={hasFocus && key === active}
              isOpen={row.id === open}
              state={state}
              words={words}
              why={whyOf(row, name, format)}
              due={dueOf(row, home.today, format, isNarrow)}
              tone={row.kind === 'task' && row.due && row.due < home.today ? 'bad' : undefined}
              sign={<Icon name={row.kind === 'meeting' ? 'calendar' : 'clock'} />}
              hasBox={row.kind === 'task' && name !== 'waiting'}
              hasEntered={entered.includes(row.id)}
              below={
                preparation && row === prepared?.row ? (
                  <MeetingPreparation preparation={preparation} today={home.today} acts={acts} />
                ) : null
              }
            >
              {row.kind === 'meeting' ? <Join row={row} /> : null}
            </Row>
          )
        })}
      </ul>
    </section>
  )
}

function AllDone({ home }: { home: Home }) {
  const format = useFormat()
  const next = home.groups.week.rows[0] ?? home.next
  return <p className={styles.done}>{nextWords(next, home.today, format)}</p>
}

function nextWords(next: HomeRow | null | undefined, today: string, format: Format): string {
  if (!next) return t('Done for today.')
  const { title, due } = next
  return due
    ? t('Done for today. Next: {title}, {day}.', { title, day: dayWords(due, today, format) })
    : t('Done for today. Next: {title}.', { title })
}
