import { readDemos } from '../demo/credentials.ts'
import type { Access } from '../tour/connector.ts'
import { type Call, type Command, UsageError } from './command.ts'
import { ConfigError } from '../kit/ground/errors.ts'

/** The options of commands that act as an automation platform. */
export const accessOptions: Command['options'] = {
  url: { value: 'URL', about: 'the server (the one last started on this data folder)' },
  org: { value: 'NAME', about: 'which demonstration, by name (the newest)' },
  email: { value: 'EMAIL', about: 'who signs in and approves' },
  password: { value: 'PASSWORD', about: 'their password' },
  'client-id': { value: 'ID', about: 'the app' },
  'client-secret': { value: 'SECRET', about: "the app's secret" },
  'function-key': { value: 'KEY', about: "the app's function key" },
  'redirect-uri': { value: 'URL', about: 'one of the redirect addresses of the app' },
}

/** Server and credentials: from the options, else from the demonstration of the data folder. */
export function accessOf(call: Call): Access {
  const { config, text } = call
  const { demos } = readDemos(config.dataDir)
  const wanted = text('org')?.toLowerCase()
  const demo = demos.findLast(
    ({ name, organization_id }) =>
      !wanted || name.toLowerCase() === wanted || organization_id === wanted,
  )
  const credentials = {
    email: text('email') ?? demo?.email,
    password: text('password') ?? demo?.password,
    client_id: text('client-id') ?? demo?.app.client_id,
    client_secret: text('client-secret') ?? demo?.app.client_secret,
    function_key: text('function-key') ?? demo?.app.function_key,
    redirect_uri: text('redirect-uri') ?? demo?.app.redirect_uri,
  }
  const missing = Object.entries(credentials).filter(([, value]) => !value)
  if (missing.length) {
    const options = missing.map(([name]) => `--${name.replace('_', '-')}`).join(', ')
    throw new ConfigError(
      `There is no demonstration${wanted ? ` "${text('org')}"` : ''} in the data folder "${config.dataDir}": make one with perennial demo, or give ${options}`,
    )
  }
  // an e-mail may be in several organizations
  const organization = text('email') ? text('org') : demo?.organization_id
  return {
    ...(credentials as { [name in keyof typeof credentials]: string }),
    organization,
    url: serverOf(call),
    segment: config.automationSegment,
  }
}

/** The address of the server, without a trailing slash; UsageError if it is no URL. */
export function serverOf({ config, text }: Call): string {
  const base = text('url') ?? readDemos(config.dataDir).url ?? config.publicUrl
  if (!URL.canParse(base)) throw new UsageError(`--url "${base}" is not a URL`)
  return base.replace(/\/+$/, '')
}
