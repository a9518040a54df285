import { useState } from 'react'
import { today } from '../records/field/format.ts'
import { useFormat } from '../records/field/use-format.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { Icon } from '../ui/icons.tsx'
import { troublesOf } from './late.ts'
import { linesOf } from './pasted.ts'
import { placeBehind } from './places.ts'
import { ListHeading, ListTask } from './list-row.tsx'
import { PlanMenu } from './plan-menu.tsx'
import styles from './plan-list.module.css'
import type { How } from './title-editor.tsx'
import { TitleEditor } from './title-editor.tsx'
import type { PlanRow, RealRow } from './tree.ts'
import type { Work } from './use-work.ts'
import { isReal } from './tree.ts'
import { t } from '../locales/text.ts'

type Props = { work: Work; opened: string | undefined; onOpen: (id: string | undefined) => void }

/** A line that is typed: a new one, or another title of a row. */
type Typing = { row?: RealRow; behind: string | null; level: number; serial: number }

/** The plan on a phone: milestones as headings, tasks as lines of two, and a line for new ones at the foot. */
export function PlanList({ work, onOpen }: Props) {
  const { rows, actions, plan, rights, mayCreate, may } = work
  const format = useFormat()
  const now = today(format.timezone)
  const names = new Map(actions.all.map(({ id, title }) => [id, title]))
  const troubles = troublesOf(plan, names, now)
  const [menu, setMenu] = useState<{ row: RealRow; anchor: Element }>()
  const [typing, setTyping] = useState<Typing>()
  const last = actions.all.at(-1)
  const top = actions.all.findLast(({ level }) => level === 1)
  const isMilestone = !top && rights.mayPlan
  const foot = { behind: last?.id ?? null, level: isMilestone ? 1 : 2, serial: 0 }
  const at: Typing = typing ?? foot
  const serial = (typing?.serial ?? 0) + 1

  function done(text: string, how: How) {
    const { row } = at
    if (text && how !== 'cancel') {
      if (row) {
        const name = row.kind === 'task' ? 'title' : 'name'
        if (text !== row.title) actions.quietly(actions.change(row, { [name]: text }, t('Renamed')))
      } else {
        const behind = work.add({ title: text }, placeFor(at))
        if (how === 'enter') return setTyping({ ...at, behind, serial })
      }
    }
    // the line at the foot is empty again
    setTyping(typing && text ? { ...foot, serial } : undefined)
  }

  const placeFor = ({ behind, level }: Typing) => {
    const id = behind && work.real(behind)
    if (!id && level > 1) {
      return {
        kind: 'task',
        milestone_id: null,
        parent_id: null,
        after: null,
        before: null,
      } as const
    }
    return placeBehind(actions.all, id, level)
  }
  const above = at.row ?? actions.all.find(({ id }) => at.behind && id === work.real(at.behind))
  const within = at.level === 2 ? topOf(actions.all, above) : above
  const label = at.row
    ? t('Title of {title}', { title: at.row.title })
    : at.level === 1
      ? t('New milestone')
      : within
        ? t('New task in {title}', { title: within.title })
        : t('New task')
  const onMenu = (row: RealRow, anchor: Element) => setMenu({ row, anchor })
  return (
    <div className={styles.list}>
      <ul aria-label={t('Plan')}>
        {rows.map((row) => (
          <li
            key={row.id}
            data-level={row.level}
            className={row.level === 1 ? styles.top : styles.task}
          >
            {row.kind === 'task' ? (
              <ListTask
                row={row}
                work={work}
                trouble={troubles.get(row.id)}
                mayTick={may(row).change}
                onOpen={() => onOpen(row.id)}
              />
            ) : (
              <ListHeading row={row} onToggle={() => work.toggle(row.id)} />
            )}
            {isReal(row) ? (
              <IconButton
                label={t('More for {title}', { title: row.title })}
                icon="more-vertical"
                aria-haspopup="menu"
                onClick={({ currentTarget }) => onMenu(row, currentTarget)}
              />
            ) : null}
          </li>
        ))}
      </ul>
      {(mayCreate && !isMilestone) || rights.mayPlan ? (
        <div className={styles.foot}>
          <Icon name={at.row ? 'pencil' : 'plus'} size={14} />
          <TitleEditor
            key={at.serial}
            label={label}
            placeholder={label}
            initial={at.row?.title ?? ''}
            autoFocus={typing !== undefined}
            onDone={done}
            onLines={(text) => {
              work.addAll(linesOf(text), placeFor(at))
              setTyping({ ...foot, serial })
            }}
          />
        </div>
      ) : null}
      {menu ? (
        <PlanMenu
          row={menu.row}
          rows={actions.all}
          anchor={menu.anchor}
          actions={actions}
          may={may(menu.row)}
          acts={{
            onOpen: () => onOpen(menu.row.id),
            onEdit: () => setTyping({ row: menu.row, behind: null, level: menu.row.level, serial }),
            onNew: (level) => setTyping({ behind: menu.row.id, level, serial }),
            onDates: () => {
              const { id, title } = menu.row
              const { start_date, due_date } =
                menu.row.kind === 'task' ? menu.row.task : menu.row.milestone
              work.ask({ id, title, start_date, due_date })
            },
          }}
          onClose={() => setMenu(undefined)}
        />
      ) : null}
    </div>
  )
}

function topOf(rows: PlanRow[], row: PlanRow | undefined): PlanRow | undefined {
  let top = row
  while (top && top.above !== null) top = rows.find(({ id }) => id === top?.above)
  return top
}
