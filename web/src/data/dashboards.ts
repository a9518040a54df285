import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import type { components } from '../api/schema.d.ts'
import { keys } from './keys.ts'

export type Dashboard = components['schemas']['Dashboard']
export type DashboardWidget = components['schemas']['DashboardWidget']
export type WidgetType = components['schemas']['WidgetType']
type Answer = components['schemas']['WidgetAnswer']

/** The numbers of a widget: those of its type, and what all types have. */
export type WidgetData = NonNullable<Answer['data']> & Common
type Common = { time_filter: string; from: string; to: string; is_filter_deleted: boolean }

/** The numbers of a widget, or why there are none. */
export type WidgetAnswer = Omit<Answer, 'data'> & { data: WidgetData | null }

/** What applies to all widgets of a dashboard. */
export type Asked = {
  time_filter?: string
  filters: { owner?: string; account_id?: string; pipeline_id?: string }
}

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

/** The numbers of all visible widgets of a dashboard, by the ids of the widgets. */
export function widgetsQuery(dashboard_id: string, asked: Asked) {
  return queryOptions({
    queryKey: keys.list('dashboards', { numbers: dashboard_id, ...asked }),
    queryFn: async ({ signal }) => {
      const body = { dashboard_id, ...asked }
      const { data } = await api.post('/api/dashboards/widgets/', { body, signal, isRead: true })
      return new Map(data.widgets.map((each) => [each.widget_id, each as WidgetAnswer]))
    },
    placeholderData: keepPreviousData,
  })
}
