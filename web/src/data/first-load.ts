import { documentModule } from '../api/session.ts'
import { viewAs } from '../api/view-as.ts'
import { keys } from './keys.ts'
import type { Module } from './modules.ts'
import { withPath } from './modules.ts'
import { queryClient } from './query-client.ts'

/** Takes what the document brought as read now; it knows nothing of seeing as another person. */
export function takeFromDocument(): void {
  if (!documentModule || viewAs.current()) return
  queryClient.setQueryData<Module>(keys.module(documentModule.module), withPath(documentModule))
}
