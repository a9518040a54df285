import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import type { ProjectPlan } from '../../data/project-plan.ts'
import { projectPlanQuery } from '../../data/project-plan.ts'
import { idOf } from '../../data/record.ts'
import type { SectionProps } from '../../records/definition.ts'
import { later } from '../../records/later.tsx'
import { usePeek } from '../../records/list/use-peek.ts'
import { shortDay } from '../../records/field/format.ts'
import { useFormat } from '../../records/field/use-format.ts'
import { ReadFault } from '../../records/read-fault.tsx'
import { useScreensOf } from '../../records/screens.ts'
import { useShortcuts } from '../../shortcuts/keys.ts'
import { Empty } from '../../ui/empty.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { PlanMenu } from '../plan-menu.tsx'
import { isReal, type TaskRow } from '../tree.ts'
import { useWork } from '../use-work.ts'
import { Chart } from './chart.tsx'
import { PreviewBar } from './preview-bar.tsx'
import styles from './timeline.module.css'
import { TimelineTools } from './tools.tsx'
import { useTimeline } from './use-timeline.ts'
import { t } from '../../locales/text.ts'

const BaselineDialog = later(() => import('./baseline-dialog.tsx'))
const AfterDialog = later(() => import('./after-dialog.tsx'))
const MoveDialog = later(() => import('../move-dialog.tsx'))
const Panel = later(() => import('../../records/panel/panel.tsx'))

/** The plan of a project on its days: what slips, what follows, and when it goes live. */
export default function Timeline(project: SectionProps) {
  const id = idOf(project.module, project.record)
  const { data, error, refetch } = useQuery(projectPlanQuery(id))
  if (data) return <TimelineWork id={id} stored={data.plan} />
  if (error)
    return <ReadFault title={t('The plan could not be read')} error={error} onRetry={refetch} />
  return <SkeletonRows count={8} />
}

type WorkProps = { id: string; stored: ProjectPlan }

function TimelineWork({ id, stored }: WorkProps) {
  const work = useWork(id, stored)
  const format = useFormat()
  const open = usePeek()
  const { peek }: { peek?: string } = useSearch({ strict: false })
  const isThere = stored.tasks.some(({ item_id }) => item_id === peek)
  const screens = useScreensOf('tasks')
  const [menu, setMenu] = useState<{ id: string; anchor: Element }>()
  const [dated, setDated] = useState<string>()
  const [linked, setLinked] = useState<TaskRow>()
  const [isSetting, setSetting] = useState(false)
  const page = useRef<HTMLDivElement>(null)
  const line = useTimeline({
    work,
    open,
    page,
    onDates: setDated,
    onLink: setLinked,
    onBaseline: () => setSetting(true),
    onMenu: (row, anchor) => setMenu({ id: row.id, anchor }),
  })
  useShortcuts([
    { keys: '.', label: t('Show today'), group: t('Timeline'), run: line.showToday },
    { keys: 'z', label: t('Show less time'), group: t('Timeline'), run: () => line.zoom(-1) },
    { keys: 'Shift+z', label: t('Show more time'), group: t('Timeline'), run: () => line.zoom(1) },
    {
      keys: 'Shift+p',
      label: t('Critical path'),
      group: t('Timeline'),
      run: () => line.tools.onCritical(!line.tools.showsCritical),
    },
    { keys: 'ArrowLeft', label: t('A working day earlier, later'), group: t('Timeline') },
    { keys: 'Shift+ArrowRight', label: t('End a day earlier, later'), group: t('Timeline') },
    { keys: 'Mod+ArrowRight', label: t('A week earlier, later'), group: t('Timeline') },
    { keys: 'l', label: t('What it waits for'), group: t('Timeline') },
    { keys: 'Shift+d', label: t('Fix or free its date'), group: t('Timeline') },
    {
      keys: 'Escape',
      label: t('Close the panel'),
      group: t('Timeline'),
      run: () => peek && open(undefined),
    },
  ])
  if (!work.rows.length) {
    return (
      <Empty icon="list-tree" title={t('No plan yet')}>
        {t('Milestones and tasks that are typed in the plan stand here on their days.')}
      </Empty>
    )
  }
  const real = work.rows.filter(isReal)
  const menuRow = menu && real.find((row) => row.id === menu.id)
  const datedRow = dated === undefined ? undefined : real.find((row) => row.id === dated)
  const datesOf = datedRow && (datedRow.kind === 'task' ? datedRow.task : datedRow.milestone)
  return (
    <div className={styles.page} ref={page}>
      <div className={styles.work}>
        <TimelineTools {...line.tools} />
        <Chart
          {...line.chart}
          opened={isThere ? peek : undefined}
          acts={{ ...line.acts, onToggle: work.toggle, onOpen: open, onDates: setDated }}
        />
        <PreviewBar
          preview={line.preview}
          onCancel={line.cancel}
          onFree={line.free}
          onAgree={line.agree}
        />
      </div>
      {peek && isThere && screens ? (
        <Panel
          key={peek}
          module={work.rights.tasks}
          screens={screens}
          id={peek}
          onClose={() => open(undefined)}
        />
      ) : null}
      {menu && menuRow ? (
        <PlanMenu
          row={menuRow}
          rows={work.actions.all}
          anchor={menu.anchor}
          actions={work.actions}
          may={{ ...work.may(menuRow), create: false }}
          acts={{
            onOpen: () => open(menuRow.id),
            onEdit: () => open(menuRow.id),
            onNew: () => {},
            onDates: () => setDated(menuRow.id),
          }}
          onClose={() => {
            setMenu(undefined)
            line.focus(menu.id)
          }}
        />
      ) : null}
      {datedRow && datesOf ? (
        <MoveDialog
          projectId={id}
          moving={{
            title: datedRow.title,
            id: datedRow.id,
            start_date: datesOf.start_date,
            due_date: datesOf.due_date,
          }}
          onClose={() => setDated(undefined)}
        />
      ) : null}
      {isSetting ? (
        <BaselineDialog
          projectId={id}
          usual={t('Agreed on {day}', { day: shortDay(stored.today, format) })}
          onSet={line.compare}
          onClose={() => setSetting(false)}
        />
      ) : null}
      {linked ? (
        <AfterDialog
          title={linked.title}
          initial={line.afterOf(linked.id)}
          onSave={(text) => work.actions.setAfter(linked, text)}
          onClose={() => {
            setLinked(undefined)
            line.focus(linked.id)
          }}
        />
      ) : null}
    </div>
  )
}
