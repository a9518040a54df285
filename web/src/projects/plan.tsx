import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import type { ProjectPlan } from '../data/project-plan.ts'
import { projectPlanQuery } from '../data/project-plan.ts'
import { idOf } from '../data/record.ts'
import { useMay } from '../data/session.ts'
import type { SectionProps } from '../records/definition.ts'
import { later } from '../records/later.tsx'
import { usePeek } from '../records/list/use-peek.ts'
import { useScreensOf } from '../records/screens.ts'
import { useShortcuts } from '../shortcuts/keys.ts'
import { Button } from '../ui/button.tsx'
import { counted } from '../ui/counted.ts'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { useNarrow } from '../ui/use-narrow.ts'
import type { Column } from './columns.ts'
import { PlanGrid } from './plan-grid.tsx'
import { PlanList } from './plan-list.tsx'
import styles from './plan.module.css'
import { useCells } from './use-cells.ts'
import { useDraft } from './use-draft.ts'
import type { Work } from './use-work.ts'
import { useWork } from './use-work.ts'

const MoveDialog = later(() => import('./move-dialog.tsx'))
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
    { keys: 'Escape', label: 'Close the panel', group: 'Plan', run: () => peek && close() },
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

/** The grid with its tools. */
function PlanTable({ work, opened, onOpen, onTemplate }: Props & { onTemplate: () => void }) {
  const { rows, plan, rights, mayCreate } = work
  const table = useRef<HTMLTableElement>(null)
  const cells = useCells<Column>(table, rows, work.real, 'title')
  const line = useDraft(work, (above) => {
    if (above) cells.go({ id: above.id, column: 'title' })
  })
  const enter = () => cells.active && cells.go(cells.active)
  useShortcuts([
    { keys: 'j', label: 'Next row', group: 'Plan', run: enter },
    { keys: 'k', label: 'Previous row', group: 'Plan', run: enter },
    { keys: 'Enter', label: 'Edit the cell', group: 'Plan' },
    { keys: 'Space', label: 'Complete', group: 'Plan' },
    { keys: 'o', label: 'Open beside the plan', group: 'Plan' },
    { keys: 'm', label: 'All that can be done to the row', group: 'Plan' },
    { keys: 'Alt+ArrowUp', label: 'Move up, down, in or out', group: 'Plan' },
    { keys: 'Delete', label: 'Delete', group: 'Plan' },
  ])
  const mayUseTemplates = useMay('templates', 'read') && rights.mayPlan && mayCreate
  const count = plan.tasks.length
  return (
    <div className={styles.work}>
      <div className={styles.tools}>
        <p>
          {rows.length
            ? counted(count, 'task')
            : 'No plan yet. Start from a template, paste your list, or type the first milestone.'}
        </p>
        {mayUseTemplates ? (
          <Button icon="list-tree" onClick={onTemplate}>
            {rows.length ? 'Add from template' : 'Choose a template'}
          </Button>
        ) : null}
        {rights.mayPlan ? (
          <Button icon="milestone" onClick={() => line.append(1)}>
            New milestone
          </Button>
        ) : null}
        {mayCreate ? (
          <Button variant="primary" icon="plus" onClick={() => line.append(2)}>
            New task
          </Button>
        ) : null}
      </div>
      <PlanGrid {...{ work, table, cells, line, opened, onOpen }} />
    </div>
  )
}
