import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import type { components } from '../api/schema.d.ts'
import { rememberOwnChange } from './change.ts'
import { keys } from './keys.ts'
import { queryClient } from './query-client.ts'
import { t } from '../locales/text.ts'

export type Dashboard = components['schemas']['Dashboard']
export type DashboardWidget = components['schemas']['DashboardWidget']
export type WidgetType = components['schemas']['WidgetType']
export type DashboardAccess = components['schemas']['DashboardAccess']
type Answer = components['schemas']['WidgetAnswer']

/** The numbers of a widget: those of its type, and what all types have. */
export type WidgetData = NonNullable<Answer['data']> & Common
type Common = {
  time_filter: string
  from: string
  to: string
  is_filter_deleted: boolean
  generated_at: string
} & Lead

/** How the records behind a number are found: in the list of a module, by conditions. */
export type Lead = {
  module: string | null
  filter: components['schemas']['FilterCondition'][] | null
  filters: { [member: string]: components['schemas']['FilterCondition'][] }
}

/** The numbers of a widget, or why there are none. */
export type WidgetAnswer = Omit<Answer, 'data'> & { data: WidgetData | null }

/** What applies to all widgets of a dashboard. */
export type Asked = {
  time_filter?: string
  filters: { owner?: string; account_id?: string; pipeline_id?: string }
}

/** The configuration of a widget, as the screens know it. */
export type WidgetConfig = {
  title?: string
  time_filter?: string
  owner?: string
  account_id?: string
  pipeline_id?: string
  /** the saved report that is shown in place of the numbers of the type, or the name of a shipped one */
  report_id?: string
  /** what the rows of a shipped report are */
  by?: string | null
  currency_unit?: string
}

/** Dashboards as records of a module, for what all records have. */
export const dashboardPlace = {
  module: 'dashboards',
  path: '/api/dashboards/info/',
  key: 'dashboard_id',
  title_field: 'dashboard_name',
  word: { one: t('dashboard'), many: t('dashboards') },
} as const

/** The dashboards that the person sees, by their names. */
export const dashboardsQuery = queryOptions({
  queryKey: keys.list('dashboards', { names: true }),
  queryFn: async ({ signal }) => {
    const query = { page: 1, items_per_page: 200, sort: 'dashboard_name' }
    const fields =
      'dashboard_id,dashboard_name,dashboard_type,is_protected,is_default,visibility,created_by'
    return (await api.get('/api/dashboards/info/', { query: { ...query, fields }, signal })).data
  },
})

/** A dashboard with its widgets. */
export function dashboardQuery(id: string) {
  return queryOptions({
    queryKey: keys.record('dashboards', id),
    queryFn: async ({ signal }) =>
      (await api.get('/api/dashboards/info/{id}/', { path: { id }, signal })).data,
  })
}

/** The numbers of all visible widgets of a dashboard, or of these, by the ids of the widgets. */
export function widgetsQuery(dashboard_id: string, asked: Asked, edited?: DashboardWidget[]) {
  const widgets = edited?.map(({ widget_id, widget_type, config }) => ({
    widget_id,
    widget_type,
    config,
  }))
  return queryOptions({
    queryKey: keys.list('dashboards', { numbers: dashboard_id, ...asked, widgets }),
    queryFn: async ({ signal }) => {
      const body = { dashboard_id, ...asked, ...(widgets ? { widgets } : {}) }
      const { data } = await api.post('/api/dashboards/widgets/', { body, signal, isRead: true })
      return new Map(data.widgets.map((each) => [each.widget_id, each as WidgetAnswer]))
    },
    placeholderData: keepPreviousData,
  })
}

type Content = Partial<
  Pick<
    Dashboard,
    | 'dashboard_name'
    | 'description'
    | 'visibility'
    | 'is_default'
    | 'widgets'
    | 'time_range_default'
    | 'layout_config'
  >
> & {
  access_list?: Pick<DashboardAccess, 'access_type' | 'access_id' | 'permission_level'>[]
}

/** Creates a dashboard; the same id never creates two. Throws the `Problem`. */
export async function createDashboard(
  content: Content & { dashboard_name: string },
  dashboard_id = newDashboardId(),
): Promise<Dashboard> {
  const { data } = await api.post('/api/dashboards/info/', {
    body: { dashboard_id, ...content },
    idempotencyKey: dashboard_id,
  })
  await queryClient.invalidateQueries({ queryKey: keys.lists('dashboards') })
  return data
}

/**
 * Changes a dashboard as it was read at a version; 412 if somebody has changed the same since then. Throws the
 * `Problem`.
 */
export async function saveDashboard(
  id: string,
  content: Content,
  headers: { [name: string]: string },
): Promise<Dashboard> {
  const { data } = await api.put('/api/dashboards/info/{id}/', {
    path: { id },
    body: content,
    headers,
  })
  rememberOwnChange('dashboards', id, data.version)
  await readAgain(data)
  return data
}

/** Whether the person gets a dashboard by mail every Monday. */
export function dashboardMailQuery(id: string) {
  return queryOptions({
    queryKey: ['dashboard-mail', id],
    queryFn: async ({ signal }) =>
      (await api.get('/api/dashboards/info/{id}/mail/', { path: { id }, signal })).data.is_on,
  })
}

/** Switches the weekly mail of a dashboard on or off, for the person alone. Throws the `Problem`. */
export async function setDashboardMail(id: string, is_on: boolean): Promise<void> {
  await api.put('/api/dashboards/info/{id}/mail/', { path: { id }, body: { is_on } })
  queryClient.setQueryData(dashboardMailQuery(id).queryKey, is_on)
}

/** What a copy of a dashboard begins with: the same widgets, under ids of their own. */
export function copyOf({
  dashboard_name,
  description,
  widgets,
  time_range_default,
}: Dashboard): Content & {
  dashboard_name: string
} {
  return {
    dashboard_name: t('{name} (copy)', { name: dashboard_name }).slice(0, 100),
    description,
    time_range_default,
    widgets: widgets.map((widget) => ({ ...widget, widget_id: newWidgetId() })),
  }
}

/** An id for a dashboard, which whoever creates it chooses. */
export function newDashboardId(): string {
  return crypto.randomUUID().replaceAll('-', '').slice(0, 25)
}

/** An id for a widget. */
export function newWidgetId(): string {
  return crypto.randomUUID()
}

/** The dashboard as it was answered, and the list of all anew. */
async function readAgain(dashboard: Dashboard): Promise<void> {
  // what the person may do with it is said by its read alone
  queryClient.setQueryData<Dashboard>(
    keys.record('dashboards', dashboard.dashboard_id),
    (before) => before && { ...before, ...dashboard },
  )
  await queryClient.invalidateQueries({ queryKey: keys.lists('dashboards') })
}
