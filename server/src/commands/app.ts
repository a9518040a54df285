import { issueApp, rotateApp } from '../records/apps/app.ts'
import { allScopes, namedScopes } from '../records/apps/scopes.ts'
import { asUsage, type Command, UsageError } from './command.ts'
import { organizationNamed } from './named.ts'
import { withDatabase } from './open.ts'
import { allOrganizations } from '../kit/ground/context.ts'

/** `perennial app issue` */
export const issue: Command = {
  summary: 'issue credentials to an automation app',
  about: `Issues client id, client secret and function key to an app of an organization, or updates the app with
this name (or --client-id). New secrets are shown once: they are stored encrypted or hashed. The server may be
running.`,
  examples: [
    'perennial app issue --name Connector --redirect-uri https://hook.example.com/callback \\\n    --scope company.read --scope company.write',
    'perennial app issue --org Acme --name Reader --scope contact.read --json',
  ],
  options: {
    org: { value: 'NAME', about: 'the organization, by name or id (the only one there is)' },
    name: { value: 'NAME', about: 'what people see on the consent page' },
    description: { value: 'TEXT', about: 'what the app is for' },
    scope: {
      value: 'SCOPE',
      multiple: true,
      about: 'a scope it needs; may be repeated, or "all"',
    },
    'redirect-uri': {
      value: 'URL',
      multiple: true,
      about: 'where people are sent back to; may be repeated',
    },
    endpoint: { value: 'PATH', multiple: true, about: 'a path it will call, for your records' },
    'client-id': { value: 'ID', about: 'a client id of your choice (generated)' },
    'client-secret': { value: 'SECRET', about: 'a client secret of your choice (generated)' },
    'function-key': { value: 'KEY', about: 'a function key of your choice (generated)' },
    'client-auth-on-refresh': { about: 'require the client secret for a refresh, too' },
    listed: {
      about:
        'let every organization connect it, each with its own consent; without it those connections end',
    },
    standard: { about: 'allow consent at /oauth/connect, with PKCE and without a signature' },
  },
  environment: ['DATABASE_URL', 'DATA_DIR', 'SECRET_KEY'],
  async run({ config, text, needed, list, flag, terminal }) {
    const scopes = list('scope').flatMap((each) => each.split(/[\s,]+/).filter(Boolean))
    if (!scopes.length) {
      throw new UsageError(`app issue needs --scope, some of ${allScopes.join(', ')}, or all`)
    }
    const request = {
      name: needed('name'),
      description: text('description'),
      scopes: namedScopes(scopes),
      redirect_uris: list('redirect-uri'),
      endpoints: list('endpoint'),
      client_id: text('client-id'),
      client_secret: text('client-secret'),
      function_key: text('function-key'),
      require_client_auth_on_refresh: flag('client-auth-on-refresh'),
      standard_authorize: flag('standard'),
      is_listed: flag('listed'),
    }
    return withDatabase(config, terminal.note, async ({ runtime }) => {
      const organization = await organizationNamed(runtime, text('org'))
      const app = await runtime.database.transaction(allOrganizations, (queries) =>
        issueApp(queries, runtime.secrets, organization.id, request).catch(asUsage),
      )
      const unchanged = 'unchanged'
      return {
        json: app,
        text: [
          `${app.is_new ? 'Issued' : 'Updated'} the app ${app.name} of ${organization.name}`,
          `client_id      ${app.client_id}`,
          `client_secret  ${app.client_secret ?? unchanged}`,
          `function_key   ${app.function_key ?? unchanged}`,
          ...(app.client_secret || app.function_key ? ['Secrets are shown only now.'] : []),
        ].join('\n'),
      }
    })
  },
}

/** `perennial app rotate` */
export const rotate: Command = {
  summary: "replace an app's secrets",
  about: `Generates a new client secret and a new function key for an app, or one of the two. The old ones stop working
at once, on every server of this database; the new ones are shown once.`,
  examples: [
    'perennial app rotate --client-id app_5Hh2…',
    'perennial app rotate --client-id app_5Hh2… --only function-key --json',
  ],
  options: {
    'client-id': { value: 'ID', about: 'the app' },
    only: { value: 'SECRET', about: 'client-secret or function-key (both)' },
  },
  environment: ['DATABASE_URL', 'DATA_DIR', 'SECRET_KEY'],
  async run({ config, text, needed, terminal }) {
    const client_id = needed('client-id')
    const only = text('only')
    if (only !== undefined && !['client-secret', 'function-key'].includes(only)) {
      throw new UsageError('--only must be client-secret or function-key')
    }
    const what = {
      client_secret: only !== 'function-key',
      function_key: only !== 'client-secret',
    }
    const rotated = await withDatabase(config, terminal.note, ({ runtime }) =>
      runtime.database.transaction(allOrganizations, (queries) =>
        rotateApp(queries, runtime.secrets, client_id, what),
      ),
    )
    const { client_secret, function_key } = rotated
    return {
      json: rotated,
      text: [
        `Rotated the secrets of ${client_id}; the old ones stopped working`,
        ...(client_secret ? [`client_secret  ${client_secret}`] : []),
        ...(function_key ? [`function_key   ${function_key}`] : []),
        'They are shown only now.',
      ].join('\n'),
    }
  },
}
