import type { Operation } from '../../kit/ground/operation.ts'
import type { ImportModule } from '../../model/imports/import.ts'
import { exportOf } from '../../records/imports/export.ts'
import type { Kind } from './kinds.ts'
import { kinds, openedBy } from './kinds.ts'

/** The kinds that can be exported as on the application surface. */
const exported = [
  'companies',
  'contacts',
  'accounts',
  'deals',
  'projects',
  'tasks',
  'meetings',
] as const satisfies (ImportModule & keyof typeof kinds)[]

/** The exports for apps, by their modules: of the records that their lists have. */
export const exportsForApps: { [module: string]: Operation } = Object.fromEntries(
  exported.map((module) => {
    const { scopes, only }: Kind = kinds[module]
    const operation: Operation = {
      ...(exportOf(module, (ctx) => only?.(ctx, {})) as Operation),
      ...openedBy(scopes),
    }
    return [module, operation]
  }),
)
