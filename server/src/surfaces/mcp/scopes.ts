import { tools } from './routes.ts'

/** The scopes of all tools: the default of a connection that names none. */
export const toolScopes: readonly string[] = [
  ...new Set(tools.flatMap(({ scopes }) => scopes)),
].sort()
