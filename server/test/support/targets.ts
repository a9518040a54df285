import type { World } from './world.ts'
import { addMember, fresh } from './world.ts'

/** How a record that can be linked to is made, by its table; gives its id. */
export const targets: { [table: string]: (world: World) => Promise<string> } = {
  people: async ({ service, org }) => (await addMember(service, org, {})).user_id,
  companies: made('/api/company/', () => ({ company_name: fresh('Company') })),
  contacts: made('/api/contact/', () => ({ full_name: fresh('Contact') })),
  accounts: made('/api/account/info/', () => ({ account_name: fresh('Account') })),
  projects: made('/api/project/info/', () => ({ project_name: fresh('Project') })),
  tasks: made('/api/tasks/', () => ({ title: fresh('Task') })),
  surveys: made('/api/surveys/', () => ({ name: fresh('Survey'), item_type: 'form' })),
  holiday_sets: made('/api/holidays/holinfo/', () => ({ country: 'FR', holidays: [] })),
  meetings: made('/api/calendar/info/', meeting),
  roles: made('/api/users/role/', () => ({ role_name: fresh('Role'), permission: {} })),
  milestones: async (world) => {
    const project = await targets.projects!(world)
    return made(`/api/project/info/${project}/milestones/`, () => ({ name: 'Kick-off' }))(world)
  },
  time_entries: async (world) => {
    const task_id = await targets.tasks!(world)
    return made('/api/time-entries/', () => ({ task_id, seconds: 60 }))(world)
  },
  meeting_insights: async (world) => {
    const calendar_id = await targets.meetings!(world)
    const body = { meeting_insight_id: fresh().slice(0, 25), calendar_id }
    return made('/api/calendar/insight/', () => body)(world)
  },
}

function made(path: string, body: () => object) {
  return async (world: World) => (await world.post(path, body())).headers.get('x-record-id')!
}

function meeting() {
  const start = '2030-05-01T10:00:00Z'
  return { calendar_id: fresh().slice(0, 25), title: 'Call', start, end: '2030-05-01T11:00:00Z' }
}
