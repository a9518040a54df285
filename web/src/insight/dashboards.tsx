import { useQuery } from '@tanstack/react-query'
import { Navigate, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { Asked, Dashboard } from '../data/dashboards.ts'
import { dashboardQuery, dashboardsQuery, widgetsQuery } from '../data/dashboards.ts'
import { levelOf, useSession } from '../data/session.ts'
import { usePageTitle } from '../records/page-title.ts'
import { ReadFault } from '../records/read-fault.tsx'
import { Button } from '../ui/button.tsx'
import { Choice } from '../ui/choice.tsx'
import { Empty } from '../ui/empty.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { Toolbar, ToolbarSpace } from '../ui/toolbar.tsx'
import { useNarrow } from '../ui/use-narrow.ts'
import { DashboardFilters } from './filters.tsx'
import type { Search } from './filters.tsx'
import { layOut } from './grid.ts'
import styles from './insight.module.css'
import { WidgetCard } from './widget-card.tsx'
import { ranges, rangeWords } from './words.ts'
import { t } from '../locales/text.ts'

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
      <Empty icon="dashboard" title={t('No dashboard yet')}>
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
  return (
    <div className={styles.page}>
      <PageHeader
        title={dashboard?.dashboard_name ?? t('Dashboards')}
        note={isNarrow ? undefined : dashboard?.description}
        focusKey={id}
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
  const shown = dashboard.widgets.filter(({ is_visible }) => is_visible)
  const refresh = Math.min(...shown.map(({ refresh_interval: each }) => each || Infinity))
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...widgetsQuery(dashboard.dashboard_id, askedOf(search)),
    enabled: shown.length > 0,
    // no more often than a minute, whatever a dashboard says
    refetchInterval: Number.isFinite(refresh) ? Math.max(60, refresh) * 1000 : false,
  })
  if (!shown.length) {
    return (
      <Empty icon="dashboard" title={t('Nothing here yet')}>
        {t('This dashboard has no widgets.')}
      </Empty>
    )
  }
  if (error && !data) {
    return <ReadFault title={t('The numbers could not be read')} error={error} onRetry={refetch} />
  }
  return (
    <div className={styles.scroll}>
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
            <WidgetCard widget={widget} answer={data?.get(widget.widget_id)} range={range} />
          </div>
        ))}
      </div>
    </div>
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
