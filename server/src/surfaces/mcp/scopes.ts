import { tools } from './routes.ts'
import { toolsOf } from './tool.ts'

/** The scopes of all tools: the default of a connection that names none. */
export const toolScopes: readonly string[] = [
  ...new Set(tools.flatMap(toolsOf).flatMap(({ scopes }) => scopes)),
].sort()
