import type { Who } from './support/workspace.ts'

/** A screen that every page test looks at, and who does. */
export type Screen = {
  path: string
  /** what stands in its one `h1` once it is there */
  heading: RegExp
  /** an admin, a member and a customer unless it says otherwise; null is nobody */
  seenBy?: readonly (Who | null)[]
}

/** Those who work here, not their customers. */
const staff = ['admin', 'member'] as const

/** Every address of the workspace: a new screen adds its line, and is then tested in all its looks. */
export const pages: readonly Screen[] = [
  { path: '/', heading: /./ },
  { path: '/companies', heading: /^Companies$/, seenBy: staff },
  { path: '/contacts?sort=-full_name&q=an', heading: /^Contacts$/, seenBy: staff },
  { path: '/accounts', heading: /^Accounts$/, seenBy: staff },
  { path: '/deals', heading: /^Deals$/, seenBy: staff },
  { path: '/deals?as=table', heading: /^Deals$/, seenBy: staff },
  { path: '/projects', heading: /^Projects$/, seenBy: staff },
  { path: '/tasks', heading: /^Tasks$/, seenBy: staff },
  { path: '/tasks?as=board', heading: /^Tasks$/, seenBy: staff },
  { path: '/tags', heading: /^Tags$/, seenBy: ['admin'] },
  { path: '/import', heading: /^Import$/, seenBy: ['admin'] },
]
