import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { notifyRefusal } from '../data/change.ts'
import type { Dashboard, DashboardWidget, WidgetConfig } from '../data/dashboards.ts'
import {
  createDashboard,
  dashboardQuery,
  dashboardsQuery,
  newWidgetId,
  saveDashboard,
} from '../data/dashboards.ts'
import { notify } from '../data/notices.ts'
import { queryClient } from '../data/query-client.ts'
import { levelOf, useMay, useSession } from '../data/session.ts'
import { Button } from '../ui/button.tsx'
import { Menu } from '../ui/menu.tsx'
import { added } from './grid.ts'
import { typeOfReport } from './words.ts'
import { t } from '../locales/text.ts'

type Props = {
  /** of the report, and of a new dashboard */
  name: string
  /** whose records it counts */
  module: string
  config: WidgetConfig
}

/** Puts a report on one of the dashboards that the person may change, or on a new one. */
export function AddToDashboard({ name: title, module, config }: Props) {
  const session = useSession()
  const navigate = useNavigate()
  const mayCreate = useMay('dashboards', 'create')
  const { data: all = [] } = useQuery({
    ...dashboardsQuery,
    enabled: useMay('dashboards', 'read'),
  })
  const isWide = levelOf(session, 'dashboards', 'update') === 'all'
  const mine = all.filter(
    ({ is_protected, created_by, visibility }) =>
      !is_protected &&
      (created_by?.user_id === session.user.user_id || (isWide && visibility !== 'private')),
  )
  if (!mine.length && !mayCreate) return null
  const widget = (): DashboardWidget => ({
    widget_id: newWidgetId(),
    widget_type: typeOfReport(module),
    config,
    position: { w: 6, h: 4 },
    is_visible: true,
    refresh_interval: 300,
    last_refreshed: null,
  })
  const open = (id: string) => navigate({ to: '/dashboards/$id', params: { id }, search: {} })
  const add = async ({ dashboard_id: id, dashboard_name: name }: Dashboard) => {
    const { widgets, version } = await queryClient.fetchQuery({
      ...dashboardQuery(id),
      staleTime: 0,
    })
    const next = { widgets: added(widgets, widget()) }
    await saveDashboard(id, next, { 'if-match': `"${version}"` })
    notify({
      message: t('Added to {name}', { name }),
      action: { label: t('Open'), run: () => open(id) },
    })
  }
  const begin = async () => {
    const widgets = added<DashboardWidget>([], widget())
    const made = await createDashboard({ dashboard_name: title, widgets })
    await open(made.dashboard_id)
  }
  return (
    <Menu
      align="end"
      trigger={<Button icon="dashboard">{t('Add to a dashboard')}</Button>}
      items={[
        ...mine.map((each) => ({
          label: each.dashboard_name,
          onSelect: () => void add(each).catch(notifyRefusal),
        })),
        ...(mine.length && mayCreate ? [{ kind: 'separator' as const }] : []),
        ...(mayCreate
          ? [
              {
                label: t('New dashboard'),
                icon: 'plus' as const,
                onSelect: () => void begin().catch(notifyRefusal),
              },
            ]
          : []),
      ]}
    />
  )
}
