import { useInfiniteQuery, useQueries } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { CSSProperties, KeyboardEvent } from 'react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { dayNumber } from '../../../../server/src/schedule/workdays.ts'
import { onOthersChange } from '../../data/follow.ts'
import type { Forecasts, GoLiveForecast } from '../../data/forecasts.ts'
import { forecastsQuery } from '../../data/forecasts.ts'
import { portfolioQuery } from '../../data/portfolio.ts'
import type { LayoutProps } from '../../records/definition.ts'
import { useFormat } from '../../records/field/use-format.ts'
import { later } from '../../records/later.tsx'
import { useMay } from '../../data/session.ts'
import { ReadFault } from '../../records/read-fault.tsx'
import { useShortcuts } from '../../shortcuts/keys.ts'
import { Button } from '../../ui/button.tsx'
import { Choice } from '../../ui/choice.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { useNarrow } from '../../ui/use-narrow.ts'
import type { Scale } from '../timeline/scale.ts'
import { pixels, rangeOf, scaleBeside, scales } from '../timeline/scale.ts'
import { useView } from '../timeline/use-view.ts'
import { PortfolioLine } from './line.tsx'
import { PortfolioHead } from './head.tsx'
import styles from './portfolio.module.css'
import type { Group, Order } from './rows.ts'
import { groups, linesOf, orders } from './rows.ts'
import { t } from '../../locales/text.ts'

const MoveProject = later(() => import('./move-project.tsx'))

/** A table whose rows have levels and can be closed. */
const treegrid = 'treegrid'

const coarse = scales.filter(({ value }) => value !== 'day')
const height = 37
/** lines above and below what is seen that are drawn, too */
const spare = 8

/** The projects of a list on their days: where each stands, when it goes live, and what holds it up. */
export default function Portfolio({ params, empty }: LayoutProps) {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    portfolioQuery(params),
  )
  // what is expected of a project follows from its milestones and tasks
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = onOthersChange((module) => {
      if (module !== 'tasks' && module !== 'milestones') return
      timer ??= setTimeout(() => {
        timer = undefined
        void refetch()
      }, 1000)
    })
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [refetch])
  const projects = useMemo(() => data?.pages.flatMap(({ rows }) => rows) ?? [], [data])
  const likely = useQueries({
    queries: (data?.pages ?? []).map(({ rows }) =>
      forecastsQuery(
        rows.map(({ project_id }) => project_id),
        rows.map(({ forecast, completed, tasks }) => `${forecast} ${completed}/${tasks}`).join(),
      ),
    ),
    combine: byProject,
  })
  if (!data) {
    return error ? (
      <ReadFault title={t('The projects could not be read')} error={error} onRetry={refetch} />
    ) : (
      <SkeletonRows count={10} />
    )
  }
  if (!projects.length) return empty
  const [first] = data.pages
  const rest = (first?.total ?? 0) - projects.length
  return (
    <PortfolioChart
      projects={projects}
      likely={likely}
      today={first?.today ?? ''}
      more={
        hasNextPage ? (
          <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {t('Show the other {count}', { count: rest })}
          </Button>
        ) : null
      }
    />
  )
}

/** What is likely of each project, by its id. */
function byProject(found: { data?: Forecasts | undefined }[]): ReadonlyMap<string, GoLiveForecast> {
  const rows = found.flatMap(({ data }) => data?.rows ?? [])
  return new Map(rows.map((row) => [row.project_id, row]))
}

type ChartProps = {
  projects: Parameters<typeof linesOf>[0]
  likely: ReadonlyMap<string, GoLiveForecast>
  today: string
  more: React.ReactNode
}

function PortfolioChart({ projects, likely, today, more }: ChartProps) {
  const format = useFormat()
  const isNarrow = useNarrow()
  const navigate = useNavigate()
  const [scale, setScale] = useState<Scale>('month')
  const [group, setGroup] = useState<Group>('owner')
  const [order, setOrder] = useState<Order>('go_live')
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set())
  const [visited, setVisited] = useState<string>()
  const [movingId, setMoving] = useState<string>()
  const moving = projects.find(({ project_id: id }) => id === movingId)
  const mayMove = [useMay('projects', 'update'), useMay('tasks', 'update'), !isNarrow].every(
    Boolean,
  )
  const scroller = useRef<HTMLDivElement>(null)
  const view = useView(scroller)
  const px = pixels[scale]
  const left = isNarrow ? 0 : 380
  const lines = useMemo(
    () => linesOf(projects, { group, order }, toggled),
    [projects, group, order, toggled],
  )
  const range = useMemo(
    () =>
      rangeOf(
        projects.flatMap(({ start, due, agreed, forecast }) => [start, due, agreed, forecast]),
        today,
        (view.width - left) / px,
      ),
    [projects, today, view.width, left, px],
  )
  const active = lines.some(({ id }) => id === visited) ? visited : lines[0]?.id
  const toggle = (id: string) =>
    setToggled((before) =>
      before.has(id)
        ? new Set([...before].filter((each) => each !== id))
        : new Set([...before, id]),
    )
  const open = (id: string) => void navigate({ to: `/projects/${id}/timeline` })
  const showToday = () => {
    const x = (dayNumber(today) - range.from) * px
    scroller.current?.scrollTo({ left: Math.max(0, x - (view.width - left) / 4) })
  }
  useShortcuts([
    { keys: '.', label: t('Show today'), group: t('Timeline'), run: showToday },
    {
      keys: 'z',
      label: t('Show less time'),
      group: t('Timeline'),
      run: () => setScale(coarser(-1)),
    },
    {
      keys: 'Shift+z',
      label: t('Show more time'),
      group: t('Timeline'),
      run: () => setScale(coarser(1)),
    },
  ])
  const coarser = (by: 1 | -1) => {
    const next = scaleBeside(scale, by)
    return next === 'day' ? scale : next
  }
  const focusLine = (id: string) =>
    requestAnimationFrame(() =>
      scroller.current?.querySelector<HTMLElement>(`[data-line="${CSS.escape(id)}"]`)?.focus(),
    )
  const onKeyDown = (event: KeyboardEvent) => {
    const at = lines.findIndex(({ id }) => id === active)
    const line = lines[at]
    const target = event.target
    if (!line || !(target instanceof HTMLElement) || !target.dataset.line) return
    const to = (index: number) => {
      const next = lines[Math.max(0, Math.min(index, lines.length - 1))]
      if (!next) return
      setVisited(next.id)
      const top = lines.indexOf(next) * height
      const element = scroller.current
      if (element && top < element.scrollTop) element.scrollTop = top
      const seen = (element?.clientHeight ?? 0) - 46 - height
      if (element && top > element.scrollTop + seen) element.scrollTop = top - seen
      focusLine(next.id)
    }
    const isOpen = line.kind !== 'milestone' && line.isOpen
    const keys: { [key: string]: () => void } = {
      ArrowDown: () => to(at + 1),
      ArrowUp: () => to(at - 1),
      j: () => to(at + 1),
      k: () => to(at - 1),
      Home: () => to(0),
      End: () => to(lines.length - 1),
      ArrowRight: () => line.kind !== 'milestone' && !isOpen && toggle(line.id),
      ArrowLeft: () => isOpen && toggle(line.id),
      m: () => (mayMove && line.kind === 'project' ? setMoving(line.id) : undefined),
      Enter: () => (line.kind === 'project' ? open(line.id) : undefined),
    }
    const run = keys[event.key]
    if (!run || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    event.stopPropagation()
    run()
  }
  const first = Math.max(0, Math.floor(view.top / height) - spare)
  const last = Math.min(lines.length, Math.ceil((view.top + view.height) / height) + spare)
  const width = (range.to - range.from + 1) * px
  return (
    <div className={styles.work}>
      <div className={styles.tools}>
        <Choice
          label={t('Group [verb]')}
          className={styles.choice}
          value={group}
          options={groups}
          onChange={(value) =>
            setGroup(groups.find((each) => each.value === value)?.value ?? group)
          }
        />
        <Choice
          label={t('Sort')}
          className={styles.choice}
          value={order}
          options={orders}
          onChange={(value) =>
            setOrder(orders.find((each) => each.value === value)?.value ?? order)
          }
        />
        {more}
        <span className={styles.space} />
        <SegmentedControl label={t('Scale')} value={scale} onChange={setScale} options={coarse} />
        <Button onClick={showToday}>
          {t('Today')} {isNarrow ? null : <Kbd keys="." plain />}
        </Button>
      </div>
      <div ref={scroller} className={styles.chart}>
        <div
          role={treegrid}
          aria-label={t('Projects')}
          aria-rowcount={lines.length + 1}
          className={styles.canvas}
          style={{ '--width': width, '--rows': lines.length } as CSSProperties}
          onKeyDown={onKeyDown}
        >
          <PortfolioHead {...{ projects, range, scale, format, today }} />
          <div className={styles.side} aria-hidden="true" />
          <span
            className={styles.today}
            aria-hidden="true"
            style={{ '--x': (dayNumber(today) + 0.5 - range.from) * px } as CSSProperties}
          />
          {lines.slice(first, last).map((line, n) => (
            <PortfolioLine
              key={line.id}
              {...{ line, range, format, px }}
              likely={likely.get(line.id)}
              at={first + n}
              isActive={line.id === active}
              onActive={setVisited}
              onToggle={toggle}
              onOpen={open}
              onMove={mayMove ? setMoving : undefined}
            />
          ))}
        </div>
      </div>
      {isNarrow ? null : (
        <div className={styles.foot}>
          <span data-mark="done">{t('done')}</span>
          <span data-mark="open">{t('milestone')}</span>
          <span data-mark="late">{t('late')}</span>
          <span data-mark="over">{t('later than agreed')}</span>
          <span className={styles.space} />
          <span>
            <Kbd keys="ArrowRight" /> {t('opens milestones')}
          </span>
          <span>
            <Kbd keys="Enter" /> {t('opens the project')}
          </span>
          {mayMove ? (
            <span>
              <Kbd keys="m" /> {t('moves it by working days')}
            </span>
          ) : null}
        </div>
      )}
      {moving ? (
        <MoveProject
          project={moving}
          onClose={() => {
            setMoving(undefined)
            focusLine(moving.project_id)
          }}
        />
      ) : null}
    </div>
  )
}
