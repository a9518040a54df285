import type { Queries } from '../../kit/ground/context.ts'
import { newId } from '../../kit/ground/ids.ts'
import { sql } from '../../kit/ground/sql.ts'

const shipped = [
  {
    type: 'overview',
    name: 'Overview',
    description: 'What is new, what is due and how the customers are',
    widgets: [
      'activities',
      'new_companies',
      'new_contacts',
      'overdue_tasks',
      'accounts_health',
      'survey_nps',
    ],
  },
  {
    type: 'deals',
    name: 'Deals',
    description: 'The pipeline, what it promises and what became of it',
    widgets: ['deals_by_stage', 'deal_funnel', 'revenue_forecast', 'deals_won_lost'],
  },
  {
    type: 'projects',
    name: 'Projects',
    description: 'How the onboarding projects are coming along',
    widgets: [
      'projects_by_status',
      'milestone_progress',
      'tasks_by_status',
      'overdue_tasks',
      'meetings',
    ],
  },
]

/** The dashboards that every organization has from the start; they cannot be changed. */
export async function shipDashboards(queries: Queries, organization_id: string): Promise<void> {
  const rows = shipped.map(({ type, name, description, widgets }) => {
    const placed = widgets.map((widget_type, i) => ({
      widget_id: `${type}-${widget_type}`,
      widget_type,
      position: { x: (i % 2) * 6, y: Math.floor(i / 2) * 4, w: 6, h: 4 },
      config: {},
      is_visible: true,
      refresh_interval: 300,
      last_refreshed: null,
    }))
    return sql`(${organization_id}, ${newId()}, ${name}, ${description}, ${type}, true, 'public',
      ${JSON.stringify(placed)}::jsonb)`
  })
  await queries.run(sql`
    insert into dashboards (organization_id, id, dashboard_name, description, dashboard_type,
      is_protected, visibility, widgets)
    values ${sql.join(rows)}`)
}
