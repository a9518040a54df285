import type { AnyRecord } from '../data/record.ts'

/** What a template is used on: a new project, that of a won deal, or a running one. */
export type Target =
  | { kind: 'new' }
  | { kind: 'deal'; id: string; name: string; record: AnyRecord }
  | { kind: 'project'; id: string; name: string; record: AnyRecord }
