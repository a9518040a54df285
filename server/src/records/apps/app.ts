import type { Queries } from '../../kit/ground/context.ts'
import { badField, badRequest, conflict, notFound } from '../../kit/ground/errors.ts'
import { newId } from '../../kit/ground/ids.ts'
import { sql } from '../../kit/ground/sql.ts'
import type { Secrets } from '../../secrets.ts'
import { randomToken } from '../../secrets.ts'
import { allScopes } from './scopes.ts'

/** An app as the operator declares it; omitted secrets are generated. */
export type AppRequest = {
  name: string
  description?: string | null
  redirect_uris?: string[]
  scopes?: string[]
  /** recorded for the operator's information; scopes decide */
  endpoints?: string[]
  client_id?: string
  client_secret?: string
  function_key?: string
  require_client_auth_on_refresh?: boolean
  /** may use the consent page at `/oauth/connect`, without a signature; default false */
  standard_authorize?: boolean
  /** any organization may connect it; default false */
  is_listed?: boolean
}

/** An app as shown to the operator once; a secret that is unchanged and was not supplied is null. */
export type IssuedApp = {
  id: string
  organization_id: string
  name: string
  description: string | null
  redirect_uris: string[]
  scopes: string[]
  endpoints: string[]
  require_client_auth_on_refresh: boolean
  standard_authorize: boolean
  is_listed: boolean
  client_id: string
  client_secret: string | null
  function_key: string | null
  is_new: boolean
}

type Stored = {
  organization_id: string
  id: string
  client_id: string
  client_secret: Buffer
  function_key_hash: Buffer
}

/**
 * Issues an app, or updates the one with this client id (without one, with this name); secrets
 * that are not supplied are not changed. Queries must be bound to the service itself ('*'), since a client id
 * is unique over all organizations: 409 if another one has it. Wrong values are 400.
 */
export async function issueApp(
  queries: Queries,
  secrets: Secrets,
  organization_id: string,
  request: AppRequest,
): Promise<IssuedApp> {
  const app = { ...checked(request), is_listed: request.is_listed ?? false }
  const known = await existing(queries, organization_id, request)
  const id = known?.id ?? newId()
  const client_id = known?.client_id ?? request.client_id ?? randomToken('app_').slice(0, 30)
  const client_secret = request.client_secret ?? (known ? null : randomToken('psk_'))
  const function_key = request.function_key ?? (known ? null : randomToken('pfk_'))
  // encrypting the same secret again would count as a change each time
  const isSame = !client_secret || (known && secrets.decrypt(known.client_secret) === client_secret)
  const row = {
    name: app.name,
    description: app.description,
    redirect_uris: JSON.stringify(app.redirect_uris),
    scopes: JSON.stringify(app.scopes),
    endpoints: JSON.stringify(app.endpoints),
    require_client_auth_on_refresh: app.require_client_auth_on_refresh,
    standard_authorize: app.standard_authorize,
    is_listed: app.is_listed,
    client_secret: isSame ? known?.client_secret : secrets.encrypt(client_secret),
    function_key_hash: function_key ? secrets.hash(function_key) : known?.function_key_hash,
  }
  const names = sql.join(Object.keys(row).map((name) => sql.ref(name)))
  const values = sql.join(Object.values(row))
  if (!known) {
    await queries.run(sql`insert into apps (organization_id, id, client_id, ${names})
      values (${organization_id}, ${id}, ${client_id}, ${values})`)
  } else {
    await queries.run(sql`update apps set (${names}) = row(${values}), last_update_time = now()
      where organization_id = ${organization_id} and id = ${id}
        and (${names}) is distinct from (${values})`)
    await updateListed(queries, { organization_id, id, client_id }, app)
  }
  return { id, organization_id, ...app, client_id, client_secret, function_key, is_new: !known }
}

/**
 * Gives an app a new client secret, a new function key, or both; the old ones are invalid at once. What is
 * not requested is null in the answer. 404 for an unknown client id.
 */
export async function rotateApp(
  queries: Queries,
  secrets: Secrets,
  client_id: string,
  what: { client_secret?: boolean; function_key?: boolean },
): Promise<{ client_id: string; client_secret: string | null; function_key: string | null }> {
  const client_secret = what.client_secret ? randomToken('psk_') : null
  const function_key = what.function_key ? randomToken('pfk_') : null
  const touched = await queries.run(sql`update apps set last_update_time = now(),
      client_secret = coalesce(${client_secret && secrets.encrypt(client_secret)}, client_secret),
      function_key_hash = coalesce(${function_key && secrets.hash(function_key)}, function_key_hash)
    where client_id = ${client_id} and not is_dynamic`)
  if (!touched) throw notFound(`App ${client_id}`)
  return { client_id, client_secret, function_key }
}

/** What organizations have of a listed app follows it, and goes when it is no longer listed; scopes only become fewer. */
async function updateListed(
  queries: Queries,
  { organization_id, id, client_id }: { organization_id: string; id: string; client_id: string },
  {
    name,
    description,
    redirect_uris,
    scopes,
    is_listed,
  }: ReturnType<typeof checked> & { is_listed: boolean },
) {
  const own = sql`client_id = ${client_id} and listed_in = ${organization_id} and listed_as = ${id}`
  if (!is_listed) {
    await queries.run(sql`delete from apps where ${own}`)
    return
  }
  await queries.run(sql`update apps set name = ${name}, description = ${description},
      redirect_uris = ${JSON.stringify(redirect_uris)}, last_update_time = now(),
      scopes = (select coalesce(jsonb_agg(s), '[]') from jsonb_array_elements_text(scopes) s
        where s = any(${scopes}::text[]))
    where ${own}`)
}

async function existing(
  queries: Queries,
  organization_id: string,
  { client_id, name }: AppRequest,
): Promise<Stored | undefined> {
  const bound = await queries.one<{ to: string }>(sql`
    select current_setting('app.organization') as to,
      pg_advisory_xact_lock(hashtextextended('perennial apps', 0))::text`)
  if (bound?.to !== '*') throw new Error('issueApp needs queries of the service itself')
  const same = client_id
    ? sql`client_id = ${client_id}`
    : sql`organization_id = ${organization_id} and name = ${name.trim()}`
  const found = await queries.one<Stored>(sql`
    select organization_id, id, client_id, client_secret, function_key_hash
    from apps where ${same} and not is_dynamic order by id limit 1`)
  if (found && found.organization_id !== organization_id) {
    throw conflict(`The client_id ${client_id} belongs to another organization`, 'duplicate')
  }
  return found
}

/** The checked declaration of an app; 400 naming the field for anything that may not be set. */
export function checked(request: AppRequest) {
  const { name, scopes = [], redirect_uris = [], endpoints = [] } = request
  const description = request.description ?? null
  if (typeof name !== 'string' || !name.trim() || name.length > 255)
    throw badField('name', 'must be 1 to 255 characters')
  if (description !== null && (typeof description !== 'string' || description.length > 2000))
    throw badField('description', 'must be at most 2000 characters')
  // they are sent in headers and in the signed message
  credential('client_id', request.client_id, /^[\x21-\x39\x3b-\x7e]{1,200}$/)
  credential('client_secret', request.client_secret, /^[\x21-\x7e]{1,500}$/)
  credential('function_key', request.function_key, /^[\x21-\x7e]{1,500}$/)
  for (const [field, list] of Object.entries({ scopes, redirect_uris, endpoints })) {
    if (!Array.isArray(list) || list.length > 100 || list.some((each) => typeof each !== 'string'))
      throw badField(field, 'must be a list of at most 100 texts')
  }
  const unknown = scopes.filter((scope) => !allScopes.includes(scope))
  if (unknown.length) {
    throw badField('scopes', `${unknown.join(', ')} not known; there are ${allScopes.join(', ')}`)
  }
  for (const uri of redirect_uris) {
    const problem = wrongRedirect(uri)
    if (problem) throw badField('redirect_uris', `${uri} ${problem}`)
  }
  return {
    name: name.trim(),
    description,
    scopes: [...new Set(scopes)],
    redirect_uris: [...new Set(redirect_uris)],
    endpoints,
    require_client_auth_on_refresh: request.require_client_auth_on_refresh ?? false,
    standard_authorize: request.standard_authorize ?? false,
  }
}

function credential(field: string, value: unknown, pattern: RegExp) {
  if (value === undefined || (typeof value === 'string' && pattern.test(value))) return
  const message = 'must be printable ASCII characters without blanks'
  const colon = field === 'client_id' ? ' and without a colon' : ''
  // the value may be a secret, so it is not repeated
  throw badRequest(`${field}: ${message}${colon}`, [{ field, message: message + colon }])
}

/** Schemes that cannot be an app's address: they would run or read something in the browser, or start any app. */
const refusedSchemes =
  /^(javascript|data|vbscript|blob|file|filesystem|about|ftp|ws|wss|intent|mailto|tel|sms|market|view-source):$/

/**
 * An app's own scheme: named by its domain (`com.example.app:/oauth`, RFC 8252 7.1), or before a host (`myapp://oauth`).
 * What has neither is a command to another program, such as `ms-excel:ofe|u|…`.
 */
const ownScheme = /^([a-z][a-z0-9+-]*\.[a-z0-9.+-]*:|[a-z][a-z0-9.+-]*:\/\/.)/i

/** What is wrong with a redirect address; undefined if it is valid (RFC 6749 3.1.2, RFC 8252). */
export function wrongRedirect(uri: string): string | undefined {
  if (uri.length > 2000 || !/^[\x21-\x7e]+$/.test(uri) || !URL.canParse(uri)) {
    return 'must be an absolute URL of at most 2000 ASCII characters'
  }
  const { protocol, hostname, username, password } = new URL(uri)
  if (uri.includes('#')) return 'must have no fragment'
  if (refusedSchemes.test(protocol)) return `must not use ${protocol}`
  if (username || password) return 'must hold no credentials'
  const isLoopback =
    /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname) || hostname.endsWith('.localhost')
  if (protocol === 'http:' && !isLoopback) return 'must use https, or http on a loopback address'
  if (!ownScheme.test(uri)) {
    return "must use https, or a scheme of the app's own, as in com.example.app:/oauth or myapp://oauth"
  }
  return undefined
}
