import type { Calendar, Line } from '../step.ts'

/** The plan of every onboarding; parts visible to customers are shared. */
const plan = {
  stages: [
    {
      name: 'Kick-off',
      start_offset_days: 0,
      duration_days: 3,
      color: '#3B82F6',
      is_shared: true,
      tasks: [
        task('Introduce the teams', 0, 1),
        task('Agree on goals and dates', 0, 3),
        { ...task('Note who decides what', 1, 2), is_shared: false },
      ],
    },
    {
      name: 'Set-up',
      start_offset_days: 3,
      duration_days: 7,
      color: '#8B5CF6',
      is_shared: true,
      tasks: [
        task('Create the workspace', 0, 1),
        task('Connect single sign-on', 1, 3),
        { ...task('Import the data', 2, 4), depends_on: ['Create the workspace'] },
        { ...task('Check the imported data', 5, 2), depends_on: ['Import the data'] },
      ],
    },
    {
      name: 'Training',
      start_offset_days: 10,
      duration_days: 5,
      color: '#F59E0B',
      is_shared: true,
      tasks: [task('Train the administrators', 0, 2), task('Train the users', 2, 3)],
    },
    {
      name: 'Go-live',
      start_offset_days: 15,
      duration_days: 5,
      color: '#22C55E',
      is_shared: true,
      tasks: [
        task('Go live', 0, 1),
        { ...task('Watch the first week', 0, 5), is_shared: false },
        task('Review with the customer', 4, 1),
      ],
    },
  ],
}

function task(title: string, start_offset_days: number, duration_days: number) {
  const assignee_role = 'project_manager'
  return { title, start_offset_days, duration_days, assignee_role, is_shared: true }
}

/** The survey at the end of an onboarding. */
export const onboardingSurvey = [
  {
    id: 'p1',
    title: 'Your onboarding',
    fields: [
      {
        id: 'nps',
        type: 'nps',
        label: 'Would you recommend us?',
        required: true,
        minLabel: 'Not at all',
        maxLabel: 'Certainly',
      },
      { id: 'csat', type: 'csat', label: 'How satisfied are you with the training?' },
      { id: 'why', type: 'long-text', label: 'What could be better?' },
    ],
  },
]

/** The organization's own setup: colors, tags, the plan, surveys, holidays, and dashboards. */
export function house({ day }: Calendar): Line[] {
  const holidays = [
    { name: 'Founders’ day', date: day(45), is_repeat_annually: true },
    { name: 'Summer outing', date: day(140), is_repeat_annually: false },
  ]
  return [
    [-199, 'admin', 'change settings', '', { primary_color: '#14532D', accent_color: '#15803D' }],
    [
      -198,
      'success',
      'create template',
      'onboarding plan',
      {
        template_name: 'Onboarding in four weeks',
        description: 'What we agree on in the first call, and who does what until the review',
        template_config: plan,
        is_default: true,
      },
    ],
    [
      -197,
      'admin',
      'create holidays',
      'holidays',
      { country: 'House calendar', state: null, holidays },
    ],
    [
      -70,
      'success',
      'create survey',
      'onboarding survey',
      {
        name: 'How was your onboarding?',
        description: 'Three questions after the first weeks',
        status: 'published',
        action_color: '#14532D',
        form_structure: onboardingSurvey,
      },
    ],
    [
      -60,
      'sales',
      'create filter',
      'big deals',
      {
        name: 'Deals above 20,000',
        module: 'deals',
        visibility: 'public',
        conditions: [{ field: 'expected_deal_value', operator: 'gte', value: 20_000 }],
        columns: ['project_name', 'current_pipe_stage', 'expected_deal_value', 'forecasted_date'],
        sort: '-expected_deal_value',
      },
    ],
    [
      -58,
      'success',
      'create filter',
      'overdue tasks',
      {
        name: 'Overdue and open',
        module: 'tasks',
        visibility: 'public',
        conditions: [
          { field: 'is_completed', operator: 'eq', value: false },
          { field: 'due_date', operator: 'last_x_days', value: 90 },
        ],
        columns: ['title', 'project_name', 'owner', 'due_date'],
        sort: 'due_date',
      },
    ],
    [
      -56,
      'csm',
      'create filter',
      'own customers',
      {
        name: 'Customers in Germany',
        module: 'companies',
        visibility: 'private',
        conditions: [
          { field: 'hq_country', operator: 'eq', value: 'Germany' },
          { field: 'company_type', operator: 'eq', value: 'customer' },
        ],
        columns: ['company_name', 'company_owner', 'customer_segment'],
      },
    ],
    [
      -50,
      'success',
      'create dashboard',
      'team dashboard',
      {
        dashboard_id: 'customers-this-quarter',
        dashboard_name: 'Customers this quarter',
        description: 'How our customers are, what is late, and what they say',
        dashboard_type: 'custom',
        visibility: 'public',
        is_system_defined: false,
        time_range_default: '90_days',
        widgets: widgets(
          'accounts_health',
          'survey_nps',
          'overdue_tasks',
          'milestone_progress',
          'meetings',
          'activities',
        ),
      },
    ],
    [
      -49,
      'sales',
      'create dashboard',
      'sales dashboard',
      {
        dashboard_id: 'sales-desk',
        dashboard_name: 'Sales desk',
        description: 'The pipeline of the sales team',
        dashboard_type: 'deals',
        visibility: 'restricted',
        is_system_defined: false,
        widgets: widgets('deals_by_stage', 'revenue_forecast', 'deals_won_lost', 'deal_funnel'),
        access_list: [
          { access_type: 'user', access_id: { $: 'seller' }, permission_level: 'view' },
          { access_type: 'user', access_id: { $: 'hunter' }, permission_level: 'view' },
          { access_type: 'user', access_id: { $: 'auditor' }, permission_level: 'view' },
        ],
      },
    ],
    [
      -2,
      'success',
      'automate survey',
      'onboarding survey',
      {
        name: 'Call back whoever is unhappy',
        trigger: { type: 'score_below', value: 7, field_id: 'nps' },
        actions: [
          {
            type: 'create_task',
            config: { title: 'Call back an unhappy customer', owner: { $: 'csm' }, due_in_days: 2 },
          },
        ],
      },
    ],
  ]
}

function widgets(...types: string[]) {
  return types.map((widget_type, i) => ({
    widget_id: `w${i + 1}`,
    widget_type,
    position: { x: (i % 2) * 6, y: Math.floor(i / 2) * 4, w: 6, h: 4 },
    config: {},
    is_visible: true,
    refresh_interval: 300,
  }))
}

/** What scheduled jobs did: announced due and overdue tasks, and measured health. */
export function scheduledWork(): Line[] {
  const measured = Array.from({ length: 12 }, (_each, i): Line => [
    -58 + 5 * i,
    'admin',
    'measure health',
    '',
  ])
  const announced = Array.from({ length: 8 }, (_each, i): Line => [
    -24 + 3 * i,
    'admin',
    'notify of due tasks',
    '',
  ])
  return [...measured, ...announced]
}
