import { documentModule } from '../api/session.ts'
import { viewAs } from '../api/view-as.ts'
import { keys } from './keys.ts'
import type { Module } from './modules.ts'
import { withPath } from './modules.ts'
import { queryClient } from './query-client.ts'

/** Puts the data in the document into the cache, as just read; not while viewing as another person, for whom it is wrong. */
export function takeFromDocument(): void {
  if (!documentModule || viewAs.current()) return
  queryClient.setQueryData<Module>(keys.module(documentModule.module), withPath(documentModule))
}
