import type { AppWithSecrets } from './queries.ts'

/** The secrets of an app that the developer pages know until they are left; stored nowhere. */
export type Secrets = { clientSecret?: string; functionKey?: string }

const known = new Map<string, Secrets>()

/** The secrets that were shown on these pages, so that they need not be pasted again. */
export function secretsOf(appId: string): Secrets {
  return known.get(appId) ?? {}
}

/** Remembers the secrets in an answer. */
export function rememberSecrets({ app_id, client_secret, function_key }: AppWithSecrets): void {
  known.set(app_id, {
    ...known.get(app_id),
    ...(client_secret ? { clientSecret: client_secret } : {}),
    ...(function_key ? { functionKey: function_key } : {}),
  })
}
