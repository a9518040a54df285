import type { Home, HomeCard, HomeRow } from '../data/home.ts'
import { useFormat } from '../records/field/use-format.ts'
import { Avatar } from '../ui/avatar.tsx'
import type { IconName } from '../ui/icons.tsx'
import { Icon } from '../ui/icons.tsx'
import { AllLink } from './all-link.tsx'
import styles from './home.module.css'
import { PartFault } from './part-fault.tsx'
import type { RowActs } from './row.tsx'
import { Join, Row } from './row.tsx'
import { keyOf } from './shown.ts'
import { cardWords, dueOf, whyOf } from './words.ts'
import { t } from '../locales/text.ts'

type Props = {
  home: Home
  /** the row that had the focus last, and whether it has it */
  active: string | undefined
  hasFocus: boolean
  open: string | undefined
  acts: RowActs
  onRetry: () => void
}

/** The cards of the person's role, each with a few rows of a list. */
export function Cards({ home, ...rest }: Props) {
  return home.cards.map((card) => <Card key={card.card} card={card} home={home} {...rest} />)
}

function Card({ card, home, active, hasFocus, open, acts, onRetry }: Props & { card: HomeCard }) {
  const format = useFormat()
  const { title, none, icon } = cardWords[card.card]
  const stop = card.rows.find((row) => keyOf(row) === active) ?? card.rows[0]
  return (
    <section className={styles.card} aria-labelledby={`home-${card.card}`}>
      <h2 id={`home-${card.card}`}>
        {title} {card.count ? <span className={styles.count}>{card.count}</span> : null}
        {card.list && card.count ? (
          <AllLink list={card.list} title={title} label={t('All')} />
        ) : null}
      </h2>
      {card.is_failed ? (
        <PartFault title={title} onRetry={onRetry} />
      ) : card.rows.length ? (
        <ul>
          {card.rows.map((row) => (
            <Row
              key={keyOf(row)}
              row={row}
              acts={acts}
              isStacked
              isStop={row === stop}
              isActive={hasFocus && keyOf(row) === active}
              isOpen={row.id === open}
              why={whyOf(row, undefined, format)}
              due={
                ['deal', 'person'].includes(row.kind)
                  ? (row.value ?? '')
                  : dueOf(row, home.today, format)
              }
              tone={card.card === 'projects_late' ? 'warn' : undefined}
              sign={<Sign row={row} icon={icon} />}
            >
              {row.kind === 'meeting' ? <Join row={row} /> : null}
            </Row>
          ))}
        </ul>
      ) : (
        <p className={styles.none}>{none}</p>
      )}
    </section>
  )
}

function Sign({ row, icon }: { row: HomeRow; icon: IconName }) {
  if (row.kind === 'account' && row.value) {
    return <span className={styles.score}>{row.value}</span>
  }
  if (row.kind === 'project' || row.kind === 'account')
    return <Avatar name={row.title} size={24} square />
  if (row.kind === 'person') return <Avatar name={row.title} size={24} />
  return <Icon name={icon} />
}
