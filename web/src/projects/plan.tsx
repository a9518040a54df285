import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import type { ProjectPlan } from '../data/project-plan.ts'
import { projectPlanQuery } from '../data/project-plan.ts'
import { idOf } from '../data/record.ts'
import type { SectionProps } from '../records/definition.ts'
import { later } from '../records/later.tsx'
import { usePeek } from '../records/list/use-peek.ts'
import { useScreensOf } from '../records/screens.ts'
import { useShortcuts } from '../shortcuts/keys.ts'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { useNarrow } from '../ui/use-narrow.ts'
import type { Column } from './columns.ts'
import type { Pasting } from './pasted-at-once.ts'
import { PlanFoot } from './plan-foot.tsx'
import { PlanGrid } from './plan-grid.tsx'
import { PlanList } from './plan-list.tsx'
import { PlanTools } from './plan-tools.tsx'
import styles from './plan.module.css'
import { useCells } from './use-cells.ts'
import { useClipboard } from './use-clipboard.ts'
import { typedInto } from './typed-into.ts'
import { useDraft } from './use-draft.ts'
import { useSelected } from './use-selected.ts'
import { useUndoKeys } from '../records/use-undo-keys.ts'
import { useTitleWords } from './use-title-words.ts'
import type { Work } from './use-work.ts'
import { useWork } from './use-work.ts'
import { isReal } from './tree.ts'
import { t } from '../locales/text.ts'

const MoveDialog = later(() => import('./move-dialog.tsx'))
const PlanBar = later(() => import('./plan-bar.tsx'))
const PasteDialog = later(() => import('./paste-dialog.tsx'), 'shown')
const AddTemplate = later(() => import('../templates/add-template.tsx'), 'shown')
const Panel = later(() => import('../records/panel/panel.tsx'))

/** The plan of a project: milestones, tasks and subtasks, typed, moved and read in one place. */
export default function Plan(project: SectionProps) {
  const id = idOf(project.module, project.record)
  const { data } = useQuery(projectPlanQuery(id))
  if (!data) return <SkeletonRows count={8} />
  return <PlanWork id={id} stored={data.plan} project={project} />
}

type WorkProps = { id: string; stored: ProjectPlan; project: SectionProps }

function PlanWork({ id, stored, project }: WorkProps) {
  const work = useWork(id, stored)
  const [isAdding, setAdding] = useState(false)
  const isNarrow = useNarrow()
  const screens = useScreensOf('tasks')
  const { peek }: { peek?: string } = useSearch({ strict: false })
  const open = usePeek()
  const isThere = stored.tasks.some(({ item_id }) => item_id === peek)
  const close = () => open(undefined)
  useShortcuts([
    { keys: 'Escape', label: t('Close the panel'), group: t('Plan'), run: () => peek && close() },
  ])
  const shared = { work, opened: isThere ? peek : undefined, onOpen: open }
  return (
    <div className={styles.plan}>
      {isNarrow ? (
        <PlanList {...shared} />
      ) : (
        <PlanTable {...shared} onTemplate={() => setAdding(true)} />
      )}
      {isAdding ? <AddTemplate {...project} onClose={() => setAdding(false)} /> : null}
      {peek && isThere && screens ? (
        <Panel key={peek} module={work.rights.tasks} screens={screens} id={peek} onClose={close} />
      ) : null}
      {work.moving ? (
        <MoveDialog
          key={work.moving.id}
          projectId={id}
          moving={work.moving}
          onClose={() => work.ask(undefined)}
        />
      ) : null}
    </div>
  )
}

type Props = { work: Work; opened: string | undefined; onOpen: (id: string | undefined) => void }

/** The grid with its tools, what can be done to a selection, and what the keys do now. */
function PlanTable({ work, opened, onOpen, onTemplate }: Props & { onTemplate: () => void }) {
  const { rows, actions, mayCreate, rights } = work
  const table = useRef<HTMLTableElement>(null)
  const [bulk, setBulk] = useState<Column>()
  const selected = useSelected(rows)
  const cells = useCells<Column>(table, rows, work.real, 'title')
  const words = useTitleWords(work)
  const [pasting, setPasting] = useState<Pasting>()
  const line = useDraft(typedInto(work, words, setPasting), (above, how) => {
    if (!above) return
    const cell = { id: above.id, column: 'title' } as const
    if (how === 'edit' && isReal(above) && work.may(above).change) cells.edit(cell)
    else cells.go(cell)
  })
  const clipboard = useClipboard(work, cells, line, selected)
  useUndoKeys(work.projectId)
  const enter = () => cells.active && cells.go(cells.active)
  useShortcuts([
    { keys: 'j', label: t('Next row'), group: t('Plan'), run: enter },
    { keys: 'k', label: t('Previous row'), group: t('Plan'), run: enter },
    ...gridKeys.map(([keys, label]) => ({ keys, label, group: t('Plan') })),
  ])
  const chosen = actions.all.filter(isReal).filter(({ id }) => selected.ids.has(id))
  return (
    <div className={styles.work}>
      <PlanTools
        work={work}
        onMilestone={rights.mayPlan ? () => line.append(1) : undefined}
        onTask={mayCreate ? () => line.append(2) : undefined}
        onTemplate={onTemplate}
        onLeaveSearch={enter}
      />
      <PlanGrid
        {...{ work, words, table, cells, line, selected, clipboard, opened, onOpen }}
        onBulk={setBulk}
      />
      {chosen.length ? (
        <PlanBar
          {...{ work, chosen, bulk, onBulk: setBulk }}
          onClear={() => {
            selected.clear()
            enter()
          }}
          onDone={() => enter()}
        />
      ) : null}
      {pasting ? (
        <PasteDialog {...{ work, words, pasting }} onClose={() => setPasting(undefined)} />
      ) : null}
      <PlanFoot work={work} mode={cells.editing || line.draft ? 'editing' : 'moving'} />
    </div>
  )
}

/** The keys of the grid, which handles them while a cell has the focus. */
const gridKeys = [
  ['Enter', t('Edit the cell')],
  ['Space', t('Complete')],
  ['o', t('Open beside the plan')],
  ['m', t('All that can be done to the row')],
  ['x', t('Select the row')],
  ['Shift+ArrowDown', t('Extend the selection')],
  ['Mod+A', t('Select all rows')],
  ['a', t('Owner of the row or selection')],
  ['s', t('Status of the row or selection')],
  ['d', t('Due day of the row or selection')],
  ['p', t('Priority of the row or selection')],
  ['l', t('What the task waits for')],
  ['h', t('Share, or make internal')],
  ['t', t('Start or stop the timer')],
  ['Alt+ArrowUp', t('Move up, down, in or out')],
  ['Delete', t('Delete')],
  ['Mod+Z', t('Undo')],
  ['Mod+Shift+Z', t('Redo')],
  ['Mod+C', t('Copy rows')],
  ['Mod+X', t('Cut rows')],
  ['Mod+V', t('Paste rows or lines')],
  ['Mod+D', t('Duplicate')],
  ['-', t('Close the row, _ all')],
  ['+', t('Open the row, * all')],
] as const
