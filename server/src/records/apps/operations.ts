import { Type } from 'typebox'
import { byId } from '../../kit/crud.ts'
import { arrayOf, enumeration, extend, orNull } from '../../kit/ground/json-schema.ts'
import { Answer, operation } from '../../kit/ground/operation.ts'
import { sql } from '../../kit/ground/sql.ts'
import { settableOf } from '../../kit/record/validate.ts'
import { connection, listConnections, revoke } from './connections.ts'
import type { ShownApp } from './manage.ts'
import { createApp, findApp, listApps, removeApp, rotateSecrets, updateApp } from './manage.ts'
import { allScopes, inPlainWords } from './scopes.ts'

const scope = enumeration(allScopes, { title: 'Scope' })
const instant = Type.String({ format: 'date-time' })

const app = Type.Object(
  {
    app_id: Type.String(),
    name: Type.String(),
    description: orNull(Type.String()),
    client_id: Type.String({ description: 'public; names the app in requests' }),
    redirect_uris: arrayOf(Type.String()),
    scopes: arrayOf(scope),
    endpoints: arrayOf(Type.String()),
    standard_authorize: Type.Boolean({
      description: 'may open consent at `/oauth/connect`, with PKCE and without a signature',
    }),
    is_dynamic: Type.Boolean({
      description:
        'whether it is a client that described or registered itself, stored when a user approved it',
    }),
    is_listed: Type.Boolean({
      description: 'whether every organization may connect it; the operator says so',
    }),
    require_client_auth_on_refresh: Type.Boolean({
      description: 'whether a refresh also needs the client secret',
    }),
    connections: Type.Integer({ description: 'live connections of users' }),
    subscriptions: Type.Integer({ description: 'its webhook subscriptions' }),
    creation_time: instant,
    last_update_time: instant,
    version: Type.Integer({ description: 'rises with every change; for `If-Match`' }),
  },
  { title: 'App' },
)

const withSecrets = extend(
  { ...app, title: 'AppWithSecrets' },
  {
    client_secret: orNull(
      Type.String({ description: 'shown only now; null where it stays as it was' }),
    ),
    function_key: orNull(
      Type.String({ description: 'shown only now; null where it stays as it was' }),
    ),
  },
)

const texts = { maxItems: 100 }
const settable = {
  description: Type.Optional(orNull(Type.String({ maxLength: 2000 }))),
  redirect_uris: Type.Optional(
    Type.Array(Type.String({ maxLength: 2000, format: 'uri' }), {
      ...texts,
      description: 'where people are sent back to after consent; must match exactly',
    }),
  ),
  scopes: Type.Optional(
    Type.Array(scope, { ...texts, description: 'the most that a user can approve' }),
  ),
  endpoints: Type.Optional(
    Type.Array(Type.String({ maxLength: 2000 }), {
      ...texts,
      description: 'paths that it calls, for your records: scopes decide',
    }),
  ),
  standard_authorize: Type.Optional(
    Type.Boolean({ description: 'open consent at `/oauth/connect`; false by default' }),
  ),
  require_client_auth_on_refresh: Type.Optional(
    Type.Boolean({
      description: 'whether a refresh also needs the client secret; false by default',
    }),
  ),
}
const name = Type.String({ minLength: 1, maxLength: 255, pattern: '\\S' })
const changes = Type.Object({ name: Type.Optional(name), ...settable })
const byConnection = Type.Object({ id: Type.String(), connection_id: Type.String() })

/** The apps of an organization, for those who manage them; secrets are shown once. */
export const apps = {
  list: operation({
    name: 'list_apps',
    summary: 'List apps',
    description: 'Newest first, at most 500.',
    can: { module: 'apps', action: 'read' },
    writes: false,
    input: {},
    output: arrayOf(app),
    run: (ctx) => listApps(ctx),
  }),
  create: operation({
    name: 'create_app',
    summary: 'Create an app',
    description:
      'Issues client id, client secret and function key. The secrets are in this answer and nowhere else.',
    can: { module: 'apps', action: 'create' },
    writes: true,
    input: { body: Type.Object({ name, ...settable }, { additionalProperties: false }) },
    output: withSecrets,
    async run(ctx, { body }) {
      const created = await createApp(ctx, body)
      const { app_id: id, version } = created
      return new Answer(created, { created: true, id, version })
    },
  }),
  scopes: operation({
    name: 'list_app_scopes',
    summary: 'List scopes',
    description: 'Every scope that an app may hold, with what it allows in plain words.',
    can: { module: 'apps', action: 'read' },
    writes: false,
    input: {},
    output: arrayOf(Type.Object({ scope, description: Type.String() }, { title: 'ScopeInWords' })),
    run: () =>
      Promise.resolve(
        allScopes.map((each) => ({ scope: each, description: inPlainWords([each]).join(' ') })),
      ),
  }),
  read: operation({
    name: 'read_app',
    summary: 'Retrieve an app',
    can: { module: 'apps', action: 'read' },
    writes: false,
    input: { params: byId },
    output: app,
    run: async (ctx, { params }) => versioned(await findApp(ctx, params.id, 'read')),
  }),
  update: operation({
    name: 'update_app',
    summary: 'Update an app',
    description:
      'What is left out stays as it is. A removed scope no longer applies to existing tokens.',
    can: { module: 'apps', action: 'update' },
    writes: true,
    isVersioned: true,
    input: { params: byId, body: changes },
    output: app,
    async run(ctx, { params, body, ifMatch }) {
      const changed = settableOf(body, changes, app)
      return versioned(await updateApp(ctx, params.id, changed, ifMatch))
    },
  }),
  rotate: operation({
    name: 'rotate_app_secrets',
    summary: 'Rotate the secrets of an app',
    description:
      'Issues a new client secret and a new function key, or one of them. The old ones stop working at once; the new ones are in this answer and nowhere else.',
    can: { module: 'apps', action: 'update' },
    writes: true,
    input: {
      params: byId,
      body: Type.Object(
        {
          client_secret: Type.Optional(
            Type.Boolean({ description: 'whether to replace it; true by default' }),
          ),
          function_key: Type.Optional(
            Type.Boolean({ description: 'whether to replace it; true by default' }),
          ),
        },
        { additionalProperties: false },
      ),
    },
    output: withSecrets,
    run: (ctx, { params, body }) => rotateSecrets(ctx, params.id, body),
  }),
  remove: operation({
    name: 'delete_app',
    summary: 'Delete an app',
    description:
      'Its connections, tokens and webhooks end at once; users who had connected it are notified.',
    can: { module: 'apps', action: 'delete' },
    writes: true,
    isVersioned: true,
    input: { params: byId },
    output: null,
    run: (ctx, { params, ifMatch }) => removeApp(ctx, params.id, ifMatch),
  }),
  connections: operation({
    name: 'list_connections_of_app',
    summary: 'List the connections of an app',
    description: 'Newest first, at most 500.',
    can: { module: 'apps', action: 'read' },
    writes: false,
    input: { params: byId },
    output: arrayOf(connection),
    async run(ctx, { params }) {
      await findApp(ctx, params.id, 'read')
      return listConnections(ctx, sql`t.app_id = ${params.id}`)
    },
  }),
  disconnect: operation({
    name: 'revoke_connection_of_app',
    summary: 'End a connection of an app',
    description: 'Its tokens stop working at once, and its webhooks end; its user is notified.',
    can: { module: 'apps', action: 'update' },
    writes: true,
    input: { params: byConnection },
    output: null,
    async run(ctx, { params }) {
      await findApp(ctx, params.id, 'update')
      await revoke(ctx, params.connection_id, sql`t.app_id = ${params.id}`, params.id)
    },
  }),
}

function versioned(body: ShownApp): Answer {
  return new Answer(body, { id: body.app_id, version: body.version })
}
