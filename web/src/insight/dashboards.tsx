import { useQuery } from '@tanstack/react-query'
import { Navigate, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { deleteRecord, notifyRefusal } from '../data/change.ts'
import type {
  Asked,
  Dashboard,
  DashboardWidget,
  WidgetAnswer,
  WidgetConfig,
} from '../data/dashboards.ts'
import {
  copyOf,
  createDashboard,
  dashboardMailQuery,
  dashboardPlace,
  dashboardQuery,
  dashboardsQuery,
  saveDashboard,
  setDashboardMail,
  widgetsQuery,
} from '../data/dashboards.ts'
import { notify } from '../data/notices.ts'
import { queryClient } from '../data/query-client.ts'
import { levelOf, useMay, useSession } from '../data/session.ts'
import { later } from '../records/later.tsx'
import { usePageTitle } from '../records/page-title.ts'
import { ReadFault } from '../records/read-fault.tsx'
import { Button } from '../ui/button.tsx'
import { Choice } from '../ui/choice.tsx'
import { Empty } from '../ui/empty.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { Menu, type MenuItem } from '../ui/menu.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { Toolbar, ToolbarSpace } from '../ui/toolbar.tsx'
import { useNarrow } from '../ui/use-narrow.ts'
import { useFormat } from '../records/field/use-format.ts'
import { drawn } from './drawn.tsx'
import { DashboardFilters } from './filters.tsx'
import type { Search } from './filters.tsx'
import { layOut } from './grid.ts'
import styles from './insight.module.css'
import { WidgetCard } from './widget-card.tsx'
import { beforeWords, ranges, rangeWords, widgetNames } from './words.ts'
import { useShortcuts } from '../shortcuts/keys.ts'
import { t } from '../locales/text.ts'

const Editor = later(() => import('./edit/editor.tsx'), 'shown')
const DashboardDialog = later(() => import('./edit/dashboard-dialog.tsx'), 'shown')

/** The dashboard that was open last on this device. */
const lastKey = 'dashboard'

/** Numbers of the team: a dashboard, and the choice among all of them. */
export default function Dashboards() {
  usePageTitle(t('Dashboards'))
  const session = useSession()
  const { id } = useParams({ strict: false }) as { id?: string }
  const { data, error, refetch } = useQuery(dashboardsQuery)
  if (levelOf(session, 'dashboards', 'read') === 'none') {
    return (
      <Frame title={t('Dashboards')}>
        <Empty icon="dashboard" title={t('You may not see dashboards')}>
          {t('Ask somebody who may change roles here.')}
        </Empty>
      </Frame>
    )
  }
  if (id) return <One key={id} id={id} all={data ?? []} />
  if (error) {
    return (
      <Frame title={t('Dashboards')}>
        <ReadFault title={t('The dashboards could not be read')} error={error} onRetry={refetch} />
      </Frame>
    )
  }
  if (!data) return <Frame title={t('Dashboards')}>{<SkeletonRows count={6} />}</Frame>
  const first = firstOf(data, session.user.user_id)
  if (first) return <Navigate to="/dashboards/$id" params={{ id: first }} replace />
  return (
    <Frame title={t('Dashboards')}>
      <Empty icon="dashboard" title={t('No dashboard yet')} action={<NewDashboard />}>
        {t('Dashboards that are shared with you appear here.')}
      </Empty>
    </Frame>
  )
}

/** The last one of this device, else one's default, else the first that comes with the product. */
function firstOf(all: Dashboard[], me: string): string | undefined {
  const last = localStorage.getItem(lastKey)
  const found =
    all.find(({ dashboard_id }) => dashboard_id === last) ??
    all.find(({ is_default, created_by }) => is_default && created_by?.user_id === me) ??
    all.find(({ dashboard_type, is_protected }) => is_protected && dashboard_type === 'overview') ??
    all[0]
  return found?.dashboard_id
}

/** Begins a dashboard of one's own. */
function NewDashboard() {
  const [isOpen, setOpen] = useState(false)
  const navigate = useNavigate()
  if (!useMay('dashboards', 'create')) return null
  return (
    <>
      <Button variant="primary" icon="plus" onClick={() => setOpen(true)}>
        {t('New dashboard')}
      </Button>
      {isOpen ? (
        <DashboardDialog
          onClose={() => setOpen(false)}
          onSaved={({ dashboard_id: id }) =>
            void navigate({ to: '/dashboards/$id', params: { id }, search: { edit: '1' } })
          }
        />
      ) : null}
    </>
  )
}

function Frame({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <div className={styles.page}>
      <PageHeader title={title} />
      {children}
    </div>
  )
}

function One({ id, all }: { id: string; all: Dashboard[] }) {
  const { data: dashboard, error, refetch } = useQuery(dashboardQuery(id))
  const isNarrow = useNarrow()
  const page = useRef<HTMLDivElement>(null)
  const navigate = useNavigate()
  const search = useSearch({ strict: false }) as Search
  const range = search.range ?? dashboard?.time_range_default ?? '30_days'
  useEffect(() => {
    if (dashboard) localStorage.setItem(lastKey, dashboard.dashboard_id)
  }, [dashboard])
  usePageTitle(dashboard?.dashboard_name ?? t('Dashboards'))
  if (error && !dashboard) {
    return (
      <Frame title={t('Dashboards')}>
        <ReadFault
          title={t('The dashboard could not be read')}
          missing={t('There is no such dashboard, or you may not see it')}
          error={error}
          onRetry={refetch}
        />
      </Frame>
    )
  }
  const { edit, ...shown } = search
  if (dashboard && edit && mayChange(dashboard))
    return (
      <Editor
        dashboard={dashboard}
        range={range}
        onClose={() =>
          void navigate({ to: '/dashboards/$id', params: { id }, search: shown, replace: true })
        }
      />
    )
  return (
    <div ref={page} className={styles.page}>
      <PageHeader
        title={dashboard?.dashboard_name ?? t('Dashboards')}
        note={isNarrow ? undefined : dashboard?.description}
        focusKey={id}
        actions={
          dashboard ? (
            <Actions
              dashboard={dashboard}
              search={shown}
              // a browser may refuse it
              onFull={() => void page.current?.requestFullscreen().catch(() => {})}
            />
          ) : null
        }
      />
      <Bar {...{ id, all, search, range }} name={dashboard?.dashboard_name ?? '…'} />
      {dashboard ? (
        <Widgets dashboard={dashboard} range={range} search={search} />
      ) : (
        <SkeletonRows count={6} />
      )}
    </div>
  )
}

/** Whether the person may change a dashboard, as its read says. */
function mayChange({ is_protected, can }: Dashboard): boolean {
  return !is_protected && can?.update === true
}

type ActionsProps = { dashboard: Dashboard; search: Search; onFull: () => void }

/** What can be done with a dashboard, and a new one. */
function Actions({ dashboard, search, onFull }: ActionsProps) {
  const { dashboard_id: id, dashboard_name: name } = dashboard
  const navigate = useNavigate()
  const isNarrow = useNarrow()
  const [asked, setAsked] = useState<'new' | 'share' | null>(null)
  const me = useSession().user.user_id
  const mayCreate = useMay('dashboards', 'create')
  const isMine = dashboard.created_by?.user_id === me && !dashboard.is_protected
  const isOpen = mayChange(dashboard)
  const open = (to: string, next: Search) =>
    void navigate({ to: '/dashboards/$id', params: { id: to }, search: next })
  const edit = () => open(id, { ...search, edit: '1' })
  const copy = () =>
    void createDashboard(copyOf(dashboard))
      .then((made) => open(made.dashboard_id, { edit: '1' }))
      .catch(notifyRefusal)
  const remove = async () => {
    // first away from it: its numbers would be read again
    localStorage.removeItem(lastKey)
    const all = queryClient.getQueryData(dashboardsQuery.queryKey) ?? []
    const others = all.filter(({ dashboard_id }) => dashboard_id !== id)
    const next = firstOf(others, me)
    await (next
      ? navigate({ to: '/dashboards/$id', params: { id: next }, search: {} })
      : navigate({ to: '/dashboards', search: {} }))
    await deleteRecord(dashboardPlace, id, name)
  }
  const makeDefault = async () => {
    await saveDashboard(id, { is_default: true }, {})
    notify({ message: t('{name} opens first', { name }) })
  }
  useShortcuts([
    ...(isOpen ? [{ keys: 'e', label: t('Edit'), group: t('Dashboards'), run: edit }] : []),
    { keys: 'Shift+f', label: t('Full screen'), group: t('Dashboards'), run: onFull },
  ])
  const { data: isMailed = false } = useQuery(dashboardMailQuery(id))
  const turnMail = async (is_on: boolean) => {
    await setDashboardMail(id, is_on)
    notify({
      message: is_on
        ? t('You get {name} by mail every Monday', { name })
        : t('{name} is not mailed any more', { name }),
      undo: () => setDashboardMail(id, !is_on).catch(notifyRefusal),
    })
  }
  const items: MenuItem[] = [
    {
      kind: 'checkbox',
      label: t('Mail on Mondays'),
      icon: 'mail',
      checked: isMailed,
      onChange: (checked) => void turnMail(checked).catch(notifyRefusal),
    },
    ...(isOpen
      ? [
          {
            label: t('Name and share…'),
            icon: 'user-plus' as const,
            onSelect: () => setAsked('share'),
          },
        ]
      : []),
    ...(mayCreate ? [{ label: t('Duplicate'), icon: 'copy' as const, onSelect: copy }] : []),
    ...(isMine && !dashboard.is_default
      ? [
          {
            label: t('Open it first'),
            icon: 'star' as const,
            onSelect: () => void makeDefault().catch(notifyRefusal),
          },
        ]
      : []),
    ...(mayCreate
      ? [{ label: t('New dashboard'), icon: 'plus' as const, onSelect: () => setAsked('new') }]
      : []),
    ...(isOpen && dashboard.can?.delete === true
      ? [
          {
            label: t('Delete'),
            icon: 'trash' as const,
            danger: true,
            onSelect: () => void remove().catch(notifyRefusal),
          },
        ]
      : []),
  ]
  return (
    <>
      {isOpen ? (
        <Button icon="pencil" onClick={edit}>
          {t('Edit')}
        </Button>
      ) : mayCreate && !isNarrow ? (
        <Button icon="copy" onClick={copy}>
          {t('Duplicate and edit')}
        </Button>
      ) : null}
      {isOpen && !isNarrow ? (
        <Button icon="user-plus" onClick={() => setAsked('share')}>
          {t('Share')}
        </Button>
      ) : null}
      {isNarrow ? null : (
        <IconButton icon="expand" label={t('Full screen')} shortcut="Shift+f" onClick={onFull} />
      )}
      <Menu
        align="end"
        items={items}
        trigger={<IconButton icon="more" label={t('More about {name}', { name })} />}
      />
      {asked ? (
        <DashboardDialog
          {...(asked === 'share' ? { dashboard } : {})}
          onClose={() => setAsked(null)}
          onSaved={(saved) => {
            setAsked(null)
            if (asked === 'new') open(saved.dashboard_id, { edit: '1' })
          }}
        />
      ) : null}
    </>
  )
}

type BarProps = { id: string; name: string; all: Dashboard[]; search: Search; range: string }

/** Which dashboard, which time, and whose: all in the address. */
function Bar({ id, name, all, search, range }: BarProps) {
  const { user } = useSession()
  const navigate = useNavigate()
  const change = (next: Search) =>
    void navigate({
      to: '/dashboards/$id',
      params: { id },
      // what is empty is not in the address
      search: Object.fromEntries(
        Object.entries({ ...search, ...next }).filter(([, value]) => value),
      ),
      replace: true,
    })
  const offered = ranges.includes(range) ? ranges : [range, ...ranges]
  const groups = [t('Mine'), t('Shared'), t('Shipped')]
  const groupOf = (each: Dashboard) => {
    if (each.is_protected) return 2
    return each.created_by?.user_id === user.user_id ? 0 : 1
  }
  const listed = all
    .toSorted((a, b) => groupOf(a) - groupOf(b))
    .map((each) => ({
      value: each.dashboard_id,
      label: each.dashboard_name,
      group: groups[groupOf(each)] ?? '',
    }))
  // the list may not be read yet, and does not have all of very many
  const isListed = listed.some(({ value }) => value === id)
  return (
    <Toolbar label={t('What is shown')} wrap>
      <Choice
        label={t('Dashboard')}
        className={styles.choice}
        value={id}
        options={isListed ? listed : [{ value: id, label: name }, ...listed]}
        onChange={(next) =>
          next && void navigate({ to: '/dashboards/$id', params: { id: next }, search })
        }
      />
      <Choice
        label={t('Time [period]')}
        className={styles.choice}
        value={range}
        options={offered.map((value) => ({ value, label: rangeWords(value) }))}
        onChange={(next) => change({ range: next ?? '' })}
      />
      <DashboardFilters search={search} onChange={change} />
      {Object.keys(search).length ? (
        <Button
          variant="quiet"
          onClick={() => change({ range: '', owner: '', account: '', pipeline: '' })}
        >
          {t('Reset')}
        </Button>
      ) : null}
      <ToolbarSpace />
    </Toolbar>
  )
}

type WidgetsProps = { dashboard: Dashboard; range: string; search: Search }

function Widgets({ dashboard, range, search }: WidgetsProps) {
  const navigate = useNavigate()
  const asked = askedOf(search)
  const shown = dashboard.widgets.filter(({ is_visible }) => is_visible)
  const refresh = Math.min(...shown.map(({ refresh_interval: each }) => each || Infinity))
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...widgetsQuery(dashboard.dashboard_id, asked),
    enabled: shown.length > 0,
    // no more often than a minute, whatever a dashboard says
    refetchInterval: Number.isFinite(refresh) ? Math.max(60, refresh) * 1000 : false,
  })
  if (!shown.length) {
    return (
      <Empty
        icon="dashboard"
        title={t('Nothing here yet')}
        action={
          mayChange(dashboard) ? (
            <Button
              variant="primary"
              icon="plus"
              onClick={() =>
                void navigate({
                  to: '/dashboards/$id',
                  params: { id: dashboard.dashboard_id },
                  search: { edit: '1' },
                })
              }
            >
              {t('Add a widget')}
            </Button>
          ) : undefined
        }
      >
        {t('This dashboard has no widgets.')}
      </Empty>
    )
  }
  if (error && !data) {
    return <ReadFault title={t('The numbers could not be read')} error={error} onRetry={refetch} />
  }
  return (
    <div className={styles.scroll}>
      {data ? <Movement widgets={shown} answers={data} /> : null}
      <div className={styles.grid} aria-busy={!data || isPlaceholderData}>
        {layOut(shown).map(({ widget, cells: { x, y, w, h } }) => (
          <div
            key={widget.widget_id}
            className={styles.cell}
            style={{
              gridColumn: `${x + 1} / span ${w}`,
              gridRow: `${y + 1} / span ${h}`,
            }}
          >
            <WidgetCard
              widget={widget}
              answer={data?.get(widget.widget_id)}
              range={range}
              filters={asked.filters}
            />
          </div>
        ))}
      </div>
    </div>
  )
}

type MovementProps = { widgets: DashboardWidget[]; answers: Map<string, WidgetAnswer> }

/** What has changed most since the time before, in a sentence; nothing where nothing can be compared. */
function Movement({ widgets, answers }: MovementProps) {
  const format = useFormat()
  const moves = widgets.flatMap((widget) => {
    const { data } = answers.get(widget.widget_id) ?? {}
    const headline = data && !data.is_filter_deleted ? drawn(data, format).headline : undefined
    const { before, value } = headline ?? {}
    if (!data || !before?.then || before.isPoints || !value) return []
    const share = (before.now - before.then) / Math.abs(before.then)
    const { title } = widget.config as WidgetConfig
    const name = title || widgetNames[widget.widget_type]
    return [{ name, value, share, before: before.value, range: data.time_filter }]
  })
  const [most] = moves.toSorted((a, b) => Math.abs(b.share) - Math.abs(a.share))
  if (!most || Math.abs(most.share) < 0.05) return null
  return (
    <p className={styles.movement}>
      {t('Most changed: {name}, {value} after {before} {period}', {
        name: most.name,
        value: most.value,
        before: most.before,
        period: beforeWords(most.range),
      })}
    </p>
  )
}

function askedOf({ range, owner, account, pipeline }: Search): Asked {
  return {
    ...(range ? { time_filter: range } : {}),
    filters: {
      ...(owner ? { owner } : {}),
      ...(account ? { account_id: account } : {}),
      ...(pipeline ? { pipeline_id: pipeline } : {}),
    },
  }
}
