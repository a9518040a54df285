import { tools } from './routes.ts'

/** Every scope that some tool takes: what a connection that names none is for. */
export const toolScopes: readonly string[] = [
  ...new Set(tools.flatMap(({ scopes }) => scopes)),
].sort()
