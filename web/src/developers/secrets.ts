import type { AppWithSecrets } from './queries.ts'

/** What a page of developers knows of an app's secrets, until the page is left; stored nowhere. */
export type Secrets = { clientSecret?: string; functionKey?: string }

const known = new Map<string, Secrets>()

/** The secrets that were shown in this page, so that they need not be pasted into the next one. */
export function secretsOf(appId: string): Secrets {
  return known.get(appId) ?? {}
}

/** Notes the secrets that an answer has shown. */
export function noteSecrets({ app_id, client_secret, function_key }: AppWithSecrets): void {
  known.set(app_id, {
    ...known.get(app_id),
    ...(client_secret ? { clientSecret: client_secret } : {}),
    ...(function_key ? { functionKey: function_key } : {}),
  })
}
