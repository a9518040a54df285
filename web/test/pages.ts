import type { Who } from './support/workspace.ts'

/** A screen that every page test looks at, and who does. */
export type Screen = {
  path: string
  /** what stands in its one `h1` once it is there */
  heading: RegExp
  /** an admin, a member and a customer unless it says otherwise; null is nobody */
  seenBy?: readonly (Who | null)[]
}

/** Every address of the workspace: a new screen adds its line, and is then tested in all its looks. */
export const pages: readonly Screen[] = [
  { path: '/', heading: /./ },
  { path: '/inbox', heading: /^Inbox/ },
]
