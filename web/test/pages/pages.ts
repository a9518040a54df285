import type { Who } from '../support/workspace.ts'

/** A screen that every page test checks, and as whom. */
export type Screen = {
  path: string
  /** the module whose first record stands for `$id` in the path */
  module?: string
  /** the text of its only `h1` once it is loaded */
  heading: RegExp
  /** by default an admin, a member and a customer; null means not signed in */
  seenBy?: readonly (Who | null)[]
}

/** Members of the organization, not customers. */
const staff = ['admin', 'member'] as const

/** Every address of the workspace: a new screen adds its line, and is then tested in all its looks. */
export const pages: readonly Screen[] = [
  { path: '/', heading: /./ },
  { path: '/inbox', heading: /^Inbox/ },
  { path: '/settings', heading: /Profile|Settings/ },
  { path: '/settings/preferences', heading: /Preferences/, seenBy: ['member'] },
  { path: '/settings/notifications', heading: /Notifications/, seenBy: ['customer'] },
  { path: '/settings/sign-in', heading: /Sign-in and sessions/, seenBy: ['member'] },
  { path: '/settings/tokens', heading: /Access tokens/, seenBy: ['admin', 'customer'] },
  { path: '/settings/connections', heading: /Connected apps/, seenBy: ['member'] },
  { path: '/settings/organization', heading: /General/, seenBy: ['admin', 'member'] },
  { path: '/settings/health', heading: /Health/, seenBy: ['admin'] },
  { path: '/settings/mail', heading: /Mail/, seenBy: ['admin'] },
  { path: '/settings/sharing', heading: /Sharing/, seenBy: ['admin'] },
  { path: '/settings/security', heading: /Security/, seenBy: ['admin'] },
  { path: '/settings/people', heading: /People/, seenBy: ['admin', 'member'] },
  { path: '/settings/roles', heading: /Roles/, seenBy: ['admin'] },
  { path: '/settings/fields', heading: /Fields/, seenBy: ['admin', 'member'] },
  { path: '/settings/options', heading: /Option sets/, seenBy: ['admin'] },
  { path: '/settings/pipelines', heading: /Pipelines/, seenBy: ['admin', 'member'] },
  { path: '/settings/statuses', heading: /Statuses/, seenBy: ['admin'] },
  { path: '/settings/tags', heading: /Tags/, seenBy: ['admin'] },
  { path: '/settings/calendar', heading: /^Calendar$/, seenBy: ['member'] },
  { path: '/settings/signing', heading: /Signing/, seenBy: ['admin'] },
  { path: '/settings/openid', heading: /Single sign-on/, seenBy: ['admin'] },
  { path: '/settings/personal-data', heading: /Personal data/, seenBy: ['admin'] },
  { path: '/settings/holidays', heading: /Holidays/, seenBy: ['admin'] },
  { path: '/settings/feedback', heading: /Feedback form/, seenBy: ['admin'] },
  { path: '/settings/bin', heading: /^Bin$/, seenBy: ['admin'] },
  { path: '/settings/nowhere', heading: /There is no such page/, seenBy: ['member'] },
  { path: '/developers', heading: /Apps|Developers/, seenBy: ['admin', 'member'] },
  { path: '/developers/webhooks', heading: /Webhooks/, seenBy: ['admin'] },
  { path: '/developers/deliveries', heading: /Deliveries/, seenBy: ['admin'] },
  { path: '/developers/events', heading: /Events/, seenBy: ['admin'] },
  { path: '/developers/try', heading: /Try it/, seenBy: ['admin'] },
  { path: '/developers/inspector', heading: /Inspector/, seenBy: ['admin'] },
  { path: '/companies', heading: /^Companies$/, seenBy: staff },
  { path: '/contacts?sort=-full_name&q=an', heading: /^Contacts$/, seenBy: staff },
  { path: '/accounts', heading: /^Accounts$/, seenBy: staff },
  { path: '/deals', heading: /^Deals$/, seenBy: staff },
  { path: '/deals?as=table', heading: /^Deals$/, seenBy: staff },
  { path: '/projects', heading: /^Projects$/, seenBy: staff },
  { path: '/projects?as=timeline', heading: /^Projects$/, seenBy: staff },
  { path: '/projects?as=load', heading: /^Projects$/, seenBy: staff },
  { path: '/templates', heading: /^Templates$/, seenBy: staff },
  { path: '/templates?show=shipped', heading: /^Templates$/, seenBy: ['admin'] },
  { path: '/dashboards', heading: /Overview|Customers this quarter/ },
  { path: '/activity', heading: /^Activity$/, seenBy: staff },
  { path: '/time', heading: /^Time$/, seenBy: staff },
  { path: '/time?group=project', heading: /^Time$/, seenBy: ['admin'] },
  { path: '/tasks', heading: /^Tasks$/, seenBy: staff },
  { path: '/tasks?as=board', heading: /^Tasks$/, seenBy: staff },
  { path: '/documents', heading: /^Documents$/, seenBy: staff },
  { path: '/calendar', heading: /^Calendar$/, seenBy: staff },
  { path: '/calendar?as=month', heading: /^Calendar$/, seenBy: staff },
  { path: '/calendar?as=list', heading: /^Calendar$/, seenBy: staff },
  { path: '/meetings?as=table', heading: /^Meetings$/, seenBy: staff },
  { path: '/surveys', heading: /^Surveys$/, seenBy: staff },
  { path: '/tags', heading: /^Tags$/, seenBy: ['admin'] },
  { path: '/companies/$id', module: 'companies', heading: /./, seenBy: staff },
  { path: '/contacts/$id', module: 'contacts', heading: /./, seenBy: ['admin'] },
  { path: '/accounts/$id', module: 'accounts', heading: /./, seenBy: ['admin'] },
  { path: '/deals/$id', module: 'deals', heading: /./, seenBy: ['admin'] },
  { path: '/projects/$id', module: 'projects', heading: /./, seenBy: staff },
  { path: '/projects/$id/timeline', module: 'projects', heading: /./, seenBy: ['admin'] },
  { path: '/tasks/$id', module: 'tasks', heading: /./, seenBy: ['admin'] },
  { path: '/tasks/$id/time', module: 'tasks', heading: /./, seenBy: ['admin'] },
  { path: '/documents/$id', module: 'documents', heading: /./, seenBy: ['admin'] },
  { path: '/documents/$id/signatures', module: 'documents', heading: /./, seenBy: ['admin'] },
  { path: '/documents/$id/view', module: 'documents', heading: /./, seenBy: ['admin'] },
  {
    path: '/documents/$id/signatures/prepare',
    module: 'documents',
    heading: /./,
    seenBy: ['admin'],
  },
  { path: '/meetings/$id', module: 'calendar', heading: /./, seenBy: ['admin'] },
  { path: '/surveys/$id', module: 'surveys', heading: /./, seenBy: ['admin'] },
  { path: '/companies?peek=$id', module: 'companies', heading: /^Companies$/, seenBy: ['admin'] },
  { path: '/import', heading: /^Import$/, seenBy: ['admin'] },
]
