import { availableParallelism } from 'node:os'
import type { Bounds } from './bounds.ts'
import { boundsOf } from './bounds.ts'
import { parseRanges } from './kit/ground/address.ts'
import { defaultSchedule, parseRetrySchedule } from './kit/ground/retry.ts'
import { ConfigError } from './kit/ground/errors.ts'
import type { CalendarProviders, Quotas } from './kit/ground/services.ts'
import type { Lanes, Limits } from './kit/ground/limits.ts'
import { readTuningFile, type Size, tuned, type Tuning, tuning } from './tuning.ts'

/** A limit as `count/seconds`; count 0 is off. */
export type RateLimit = { count: number; seconds: number }

/** A limit: a fixed number, or the initial value for a host and its maximum. 0 is no limit. */
export type HostBound = number | Readonly<{ from: number; most: number }>

/** All settings from the environment, checked once and frozen. */
export type Config = Readonly<{
  port: number
  host: string
  /** how callers reach the service; used in absolute URLs and as the tokens' issuer */
  publicUrl: string
  dataDir: string
  databaseUrl: string | null
  /** the connection of the tables' owner, if the service connects as another user */
  databaseMigrateUrl: string | null
  /** whether the owner may serve if there is no other role */
  databaseAllowOwner: boolean
  /** a pooler in transaction mode for reads and writes; everything else uses `databaseUrl` */
  databasePoolerUrl: string | null
  /** the connection for LISTEN, if `databaseUrl` is a pooler */
  databaseListenUrl: string | null
  /** pipelined connections for short reads */
  databasePoolRead: number
  provisionFile: string | null
  /** what this process does: answers requests, runs jobs and deliveries, or both */
  role: 'all' | 'web' | 'worker'
  /** the number of processes that share the port; if there are several, a parent starts and replaces them */
  processes: number
  /** the bucket for files; none for the data folder */
  s3: S3Place | null
  automationSegment: string
  secretKey: string | null
  /** the previous key, while something is still encrypted with it */
  previousSecretKey: string | null
  smtpUrl: string | null
  /** the sender of mails, such as `Perennial <no-reply@crm.example.com>` */
  mailFrom: string
  /** the domain for replies to mails, whose mail server passes them on to this service */
  inboundDomain: string | null
  /** for how many seconds mails to customers and partners are gathered; 0 mails each at once */
  gatherSeconds: number
  /** the port where the service receives them, by SMTP */
  inboundPort: number
  /** a language model with an OpenAI-compatible API: its base address, key and name */
  aiBaseUrl: string | null
  aiApiKey: string | null
  aiModel: string
  /** DocuSeal's API, which confirms signatures: its base address and key; none or both */
  docusealApiUrl: string | null
  docusealApiKey: string | null
  /** where video calls are, such as a Jitsi server */
  videoCallsUrl: string | null
  /** the providers at which people connect their calendars */
  calendarProviders: CalendarProviders
  /** whether OAuth clients may register themselves (RFC 7591) */
  oauthRegistration: boolean
  webhookAllowedCidrs: string[]
  webhookAllowHttp: boolean
  /** seconds before each attempt */
  webhookRetrySchedule: readonly number[]
  /** requests of one organization to one host, per second and concurrent; 0 is no limit */
  webhookHostRate: HostBound
  webhookHostConcurrency: HostBound
  /** concurrent deliveries of this process: per organization, and in total; 0 is no limit */
  webhookOrganizationConcurrency: number
  webhookConcurrency: number
  rateLimits: {
    integration: RateLimit
    application: RateLimit
    login: RateLimit
    /** submissions of one address to public pages */
    public: RateLimit
  }
  /** failed sign-ins of an account from all addresses that have never signed in to it */
  accountFailures: RateLimit
  /** the quotas of an organization */
  quotas: Quotas
  /** how database connections are shared between kinds of work and between organizations */
  lanes: Lanes
  /** the limits of one request's cost and size */
  limits: Limits
  /** days that sign-ins are listed; 0 keeps them */
  signInLogDays: number
  /** concurrent requests, 0 is no limit; above it the answer is 503 with Retry-After */
  maxInFlight: number
  /** processes for long computations, and the limits of one computation; 0 is no limit */
  computations: Readonly<{ processes: number; seconds: number; megabytes: number; waiting: number }>
  /** seconds that requests in flight get to finish when the service is stopped */
  stopTimeout: number
  /** the proxies whose X-Forwarded-For is trusted: their number, or their addresses */
  trustProxy: number | readonly string[]
  /** the limits for one caller */
  bounds: Bounds
  /** what the start does with the screens */
  workspace: 'build' | 'dev' | 'off'
  /** whether spans are sent to the collector in the standard `OTEL_` variables */
  isTracing: boolean
  logLevel: string
}>
const roles = ['all', 'web', 'worker']
const workspaceModes = ['build', 'dev', 'off']
const sizes = ['small', 'large', 'off']
const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']

/** Settings that were removed, each with what takes its place. */
const removed: { [name: string]: string } = {
  SURVEY_PROOF_WORK: 'surveys are protected by RATE_LIMIT_PUBLIC',
  RATE_LIMIT_LOGIN_ACCOUNT: 'it is ten times RATE_LIMIT_LOGIN',
  S3_PREFIX: 'write S3_BUCKET as bucket/prefix',
  ...Object.fromEntries(
    Object.keys(tuning).map((name) => [
      name.toUpperCase(),
      `write "${name}" into the JSON file that CONFIG_FILE or --config names`,
    ]),
  ),
}

/**
 * Reads the environment, and the configuration file that it names. A wrong value or a removed setting throws
 * `ConfigError` with one clear sentence.
 */
export function readConfig(env: Env, given = fileOf(env)): Config {
  for (const [name, instead] of Object.entries(removed)) {
    if (name in env && env[name])
      throw new ConfigError(`${name} is no longer a setting: ${instead}`)
  }
  const values = tuned(given, oneOf(env, 'LIMITS', 'small', sizes) as Size)
  const signIns = limit(env, 'RATE_LIMIT_LOGIN', { count: 20, seconds: 60 })
  const host = listening(env.HOST || '127.0.0.1')
  const port = whole(env, 'PORT', 3000, 65535)
  const shown =
    host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host
  const reached = publicUrl(env) ?? `http://${shown}:${port}`
  return Object.freeze({
    port,
    host,
    publicUrl: reached,
    dataDir: env.DATA_DIR || './data',
    databaseUrl: postgresUrl(env, 'DATABASE_URL'),
    databaseMigrateUrl: urlBesideDatabase(env, 'DATABASE_MIGRATE_URL'),
    databaseAllowOwner: flag(env, 'DATABASE_ALLOW_OWNER'),
    databasePoolerUrl: urlBesideDatabase(env, 'DATABASE_POOLER_URL'),
    databaseListenUrl: urlBesideDatabase(env, 'DATABASE_LISTEN_URL'),
    databasePoolRead: whole(env, 'DATABASE_POOL_READ', 4, 100) || 4,
    provisionFile: env.PROVISION_FILE || null,
    processes: whole(env, 'PROCESSES', 1, 64) || availableParallelism(),
    role: oneOf(env, 'ROLE', 'all', roles) as Config['role'],
    s3: s3Place(env),
    automationSegment: segment(env.AUTOMATION_SEGMENT || 'automation'),
    secretKey: secret('SECRET_KEY', env.SECRET_KEY),
    previousSecretKey: secret('SECRET_KEY_PREVIOUS', env.SECRET_KEY_PREVIOUS),
    smtpUrl: url(env, 'SMTP_URL', ['smtp:', 'smtps:']),
    gatherSeconds: values.mail_gather_seconds,
    inboundDomain: domain(env, 'MAIL_INBOUND_DOMAIN'),
    inboundPort: values.mail_inbound_port,
    mailFrom: mailFrom(env.MAIL_FROM) ?? `Perennial <no-reply@${new URL(reached).hostname}>`,
    aiBaseUrl: url(env, 'AI_BASE_URL', ['http:', 'https:']),
    aiApiKey: env.AI_API_KEY || null,
    aiModel: env.AI_MODEL || 'gpt-4o-mini',
    ...docusealApi(env),
    videoCallsUrl: url(env, 'VIDEO_CALLS_URL', ['http:', 'https:']),
    calendarProviders: { google: google(env), microsoft: microsoft(env) },
    oauthRegistration: flag(env, 'OAUTH_REGISTRATION'),
    webhookAllowedCidrs: cidrs('WEBHOOK_ALLOWED_CIDRS', env.WEBHOOK_ALLOWED_CIDRS),
    webhookAllowHttp: flag(env, 'WEBHOOK_ALLOW_HTTP'),
    webhookRetrySchedule: schedule(env.WEBHOOK_RETRY_SCHEDULE),
    webhookHostRate: hostBound(env, 'WEBHOOK_HOST_RATE', '20-1000', 1_000_000),
    webhookHostConcurrency: hostBound(env, 'WEBHOOK_HOST_CONCURRENCY', '10-100', 10_000),
    webhookOrganizationConcurrency: values.webhook_organization_concurrency,
    webhookConcurrency: values.webhook_concurrency,
    rateLimits: {
      integration: limit(env, 'RATE_LIMIT_INTEGRATION', { count: 600, seconds: 10 }),
      application: limit(env, 'RATE_LIMIT_APPLICATION', { count: 2000, seconds: 10 }),
      login: signIns,
      public: limit(env, 'RATE_LIMIT_PUBLIC', { count: 120, seconds: 60 }),
    },
    accountFailures: { ...signIns, count: 10 * signIns.count },
    quotas: quotas(values),
    lanes: lanes(values),
    limits: limits(values),
    signInLogDays: values.sign_in_log_days,
    maxInFlight: values.max_in_flight,
    computations: {
      processes: values.compute_processes,
      seconds: values.compute_timeout,
      megabytes: values.compute_memory_mib,
      waiting: values.compute_queue,
    },
    stopTimeout: values.stop_timeout,
    trustProxy: proxies(env.TRUST_PROXY),
    bounds: boundsOf(values),
    workspace: oneOf(env, 'WORKSPACE', 'build', workspaceModes) as Config['workspace'],
    isTracing: isTracing(env),
    logLevel: oneOf(env, 'LOG_LEVEL', 'info', levels),
  })
}

function docusealApi(env: Env) {
  const docusealApiUrl = url(env, 'DOCUSEAL_API_URL', ['http:', 'https:'])
  const docusealApiKey = env.DOCUSEAL_API_KEY || null
  if (Boolean(docusealApiUrl) !== Boolean(docusealApiKey)) {
    throw new ConfigError('DOCUSEAL_API_URL and DOCUSEAL_API_KEY must be set together')
  }
  return { docusealApiUrl, docusealApiKey }
}

/** Google Calendar; none without a client. */
function google(env: Env): CalendarProviders['google'] {
  const client = clientOf(env, 'GOOGLE')
  const oauth = url(env, 'GOOGLE_OAUTH_URL', ['https:', 'http:']) ?? 'https://oauth2.googleapis.com'
  const signIn = url(env, 'GOOGLE_SIGN_IN_URL', ['https:', 'http:'])
  const apiUrl = url(env, 'GOOGLE_API_URL', ['https:', 'http:']) ?? 'https://www.googleapis.com'
  return (
    client && {
      ...client,
      authorizeUrl: signIn ?? 'https://accounts.google.com/o/oauth2/v2/auth',
      tokenUrl: `${oauth}/token`,
      revokeUrl: `${oauth}/revoke`,
      apiUrl: `${apiUrl}/calendar/v3`,
    }
  )
}

/** Calendars of Microsoft 365; none without a client. */
function microsoft(env: Env): CalendarProviders['microsoft'] {
  const client = clientOf(env, 'MICROSOFT')
  const signIn = url(env, 'MICROSOFT_SIGN_IN_URL', ['https:', 'http:'])
  const graph = url(env, 'MICROSOFT_GRAPH_URL', ['https:', 'http:'])
  const oauth = `${signIn ?? 'https://login.microsoftonline.com/common'}/oauth2/v2.0`
  return (
    client && {
      ...client,
      authorizeUrl: `${oauth}/authorize`,
      tokenUrl: `${oauth}/token`,
      revokeUrl: null,
      apiUrl: `${graph ?? 'https://graph.microsoft.com'}/v1.0`,
    }
  )
}

/** How the service is registered at a provider; none or both. */
function clientOf(env: Env, provider: string) {
  const [id, key] = [`${provider}_CLIENT_ID`, `${provider}_CLIENT_SECRET`]
  const [clientId, clientSecret] = [env[id]?.trim(), env[key]?.trim()]
  if (Boolean(clientId) !== Boolean(clientSecret)) {
    throw new ConfigError(`${id} and ${key} must be set together`)
  }
  return clientId && clientSecret ? { clientId, clientSecret } : null
}

/** Whether only this machine reaches the address. */
export function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d+){3}|::1|\[::1\])$/.test(host)
}

type Env = { [name: string]: string | undefined }

function fileOf(env: Env): { [name: string]: unknown } {
  return env.CONFIG_FILE ? readTuningFile(env.CONFIG_FILE) : {}
}

function listening(host: string): string {
  const isAddress = URL.canParse(`http://${host.includes(':') ? `[${host}]` : host}`)
  if (isAddress && !/[/?#@[\]\s]/.test(host)) return host
  throw new ConfigError(`HOST must be an address or a name such as 127.0.0.1, not "${host}"`)
}

function whole(env: Env, name: string, fallback: number, max: number): number {
  const text = env[name]
  if (!text) return fallback
  const value = /^\d{1,9}$/.test(text.trim()) ? Number(text) : NaN
  if (value <= max) return value
  throw new ConfigError(`${name} must be a whole number from 0 to ${max}, not "${text}"`)
}

function hostBound(env: Env, name: string, fallback: string, max: number): HostBound {
  const text = env[name]?.trim() || fallback
  const [, from, most = from] = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(text) ?? []
  const [least, top] = [Number(from), Number(most)]
  if (least === top && top <= max) return top
  if (least > 0 && least < top && top <= max) return { from: least, most: top }
  throw new ConfigError(
    `${name} must be a whole number from 0 to ${max}, or a range such as ${fallback}, not "${text}"`,
  )
}

function flag(env: Env, name: string): boolean {
  const text = (env[name] ?? '').toLowerCase()
  if (['', '0', 'false', 'no', 'off'].includes(text)) return false
  if (['1', 'true', 'yes', 'on'].includes(text)) return true
  throw new ConfigError(`${name} must be true or false, not "${env[name]}"`)
}

function oneOf(env: Env, name: string, fallback: string, words: string[]): string {
  const text = (env[name] || fallback).toLowerCase()
  if (words.includes(text)) return text
  throw new ConfigError(`${name} must be one of ${words.join(', ')}, not "${env[name]}"`)
}

function url(env: Env, name: string, protocols: string[]): string | null {
  const text = env[name]
  if (!text) return null
  // the value may contain a password, so it is not repeated
  if (!URL.canParse(text) || !protocols.includes(new URL(text).protocol)) {
    const shapes = protocols.map((protocol) => `${protocol}//…`).join(' or ')
    const hint = protocols.includes('http:')
      ? ''
      : '; in a password, write characters such as @ : / # percent-encoded'
    throw new ConfigError(`${name} must be a URL such as ${shapes}${hint}`)
  }
  return text.replace(/\/+$/, '')
}

/** Reads the variables of OpenTelemetry's specification that decide whether and how spans are sent. */
function isTracing(env: Env): boolean {
  const names = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT']
  const places = names.map((name) => url(env, name, ['http:', 'https:']))
  for (const name of ['OTEL_EXPORTER_OTLP_PROTOCOL', 'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL']) {
    oneOf(env, name, 'http/json', ['http/json'])
  }
  const exporter = oneOf(env, 'OTEL_TRACES_EXPORTER', 'otlp', ['otlp', 'none'])
  return places.some(Boolean) && !flag(env, 'OTEL_SDK_DISABLED') && exporter === 'otlp'
}

function quotas(values: Tuning): Quotas {
  return {
    mailsPerDay: values.quota_mails_per_day,
    mailsPerAddress: values.quota_mails_per_address,
    remindersPerRecord: values.quota_reminders,
    streamsPerUser: values.quota_streams_per_user,
    streamsPerOrganization: values.quota_streams,
    streams: values.max_streams,
    subscriptions: values.quota_subscriptions,
    subscriptionsPerHost: values.quota_subscriptions_per_host,
    waitingDeliveries: values.quota_waiting_deliveries,
    rowBytes: values.quota_rows_mib * 1024 * 1024,
    storageBytes: values.quota_storage_mib * 1024 * 1024,
  }
}

function lanes(values: Tuning): Lanes {
  return {
    reads: { each: values.reads_per_organization, waiting: values.reads_waiting },
    heavyReads: {
      connections: values.heavy_readers,
      each: values.heavy_reads_per_organization,
      waiting: values.heavy_reads_waiting,
      timeout: values.read_timeout,
    },
    writes: {
      connections: values.database_pool_write || tuning.database_pool_write.otherwise,
      each: values.writes_per_organization,
      waiting: values.writes_waiting,
    },
    signIns: values.sign_in_writers,
    jobs: values.database_pool_jobs,
  }
}

function limits(values: Tuning): Limits {
  return {
    filterCost: values.max_filter_cost,
    pageBytes: values.max_page_bytes,
    resultBytes: values.max_result_bytes,
    customFieldsBytes: values.max_custom_fields_bytes,
    customFieldsKeys: values.max_custom_fields_keys,
    bulkBytes: values.max_bulk_bytes,
  }
}

/**
 * The URL of a database. The driver treats every `sslmode` with TLS as `verify-full`, and warns at each start that this
 * will change. What libpq does with them is used only where the URL says `uselibpqcompat=true`.
 */
function postgresUrl(env: Env, name: string): string | null {
  const found = url(env, name, ['postgres:', 'postgresql:'])
  if (found?.includes('uselibpqcompat=true')) return found
  return found?.replace(/([?&]sslmode=)(prefer|require|verify-ca)(?=&|$)/, '$1verify-full') ?? null
}

/** Another connection to the operator's own database; not for the embedded one, which has its own owner and no pooler. */
function urlBesideDatabase(env: Env, name: string): string | null {
  const found = postgresUrl(env, name)
  if (found && !env.DATABASE_URL) {
    throw new ConfigError(
      `${name} needs DATABASE_URL, the address at which the service connects to the same database`,
    )
  }
  return found
}

function s3Place(env: Env): S3Place | null {
  const { S3_BUCKET: place, S3_ACCESS_KEY_ID: id, S3_SECRET_ACCESS_KEY: key } = env
  const endpoint = url(env, 'S3_ENDPOINT', ['http:', 'https:'])
  if (!place) return null
  const [, bucket = '', prefix = ''] = /^([^/]*)\/*(.*?)\/*$/.exec(place) ?? []
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket)) {
    throw new ConfigError(
      `S3_BUCKET must be the name of a bucket, or bucket/prefix, not "${place}"`,
    )
  }
  if (Boolean(id) !== Boolean(key)) {
    throw new ConfigError('S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY must be set together')
  }
  return {
    bucket,
    region: env.S3_REGION || 'us-east-1',
    endpoint,
    accessKeyId: id || null,
    secretAccessKey: key || null,
    prefix: prefix ? `${prefix}/` : '',
  }
}

function publicUrl(env: Env): string | null {
  const text = url(env, 'PUBLIC_URL', ['http:', 'https:'])
  if (text === null) return null
  const { username, search, hash } = new URL(text)
  if (!username && !search && !hash) return text
  throw new ConfigError(
    'PUBLIC_URL must be the bare address of the service, such as https://crm.example.com, without user, query or fragment',
  )
}

function domain(env: Env, name: string): string | null {
  const text = env[name]?.trim().toLowerCase()
  if (!text) return null
  if (/^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*$/.test(text)) return text
  throw new ConfigError(`${name} must be a domain such as reply.example.com, not "${env[name]}"`)
}

function mailFrom(text: string | undefined): string | null {
  if (!text) return null
  if (/^([^<>\r\n]+<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/.test(text.trim()))
    return text.trim()
  throw new ConfigError(
    `MAIL_FROM must be an address such as "Perennial <no-reply@crm.example.com>", not "${text}"`,
  )
}

function segment(text: string): string {
  const taken = [
    'api',
    'mcp',
    'oauth',
    'auth_refresh',
    'webhook',
    'docs',
    's',
    'sign',
    'invite',
    'reset',
    'unsubscribe',
    'meeting',
    'calendar',
  ]
  if (/^[a-z][a-z0-9_-]{0,40}$/.test(text) && !taken.includes(text)) return text
  throw new ConfigError(
    `AUTOMATION_SEGMENT must be a lower-case word such as "automation" and none of ${taken.join(', ')}, not "${text}"`,
  )
}

function secret(name: string, text: string | undefined): string | null {
  if (!text) return null
  if (text.length >= 32) return text
  throw new ConfigError(
    `${name} must be at least 32 characters, such as \`openssl rand -hex 32\` prints`,
  )
}

function limit(env: Env, name: string, fallback: RateLimit): RateLimit {
  const text = env[name]
  if (!text) return fallback
  if (text === '0') return { count: 0, seconds: 1 }
  const [, count, seconds] = /^(\d{1,9})\/(\d{1,6})$/.exec(text) ?? []
  if (count && seconds && +seconds > 0) return { count: +count, seconds: +seconds }
  throw new ConfigError(
    `${name} must be count/seconds, such as ${fallback.count}/${fallback.seconds}, or 0 for off; not "${text}"`,
  )
}

function cidrs(name: string, text: string | undefined): string[] {
  const list = (text ?? '')
    .split(',')
    .map((each) => each.trim())
    .filter(Boolean)
  explained(`${name}: `, () => parseRanges(list))
  return list
}

/** The number of proxies, or their ranges. What a caller adds beyond them is never trusted. */
function proxies(text = ''): number | readonly string[] {
  const word = text.trim().toLowerCase()
  if (['', '0', 'false', 'no', 'off'].includes(word)) return 0
  if (['true', 'yes', 'on'].includes(word)) return 1
  if (/^\d{1,2}$/.test(word)) return Number(word)
  return cidrs('TRUST_PROXY', text)
}

function schedule(text: string | undefined): readonly number[] {
  return text ? explained('', () => parseRetrySchedule(text)) : defaultSchedule
}

function explained<T>(prefix: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw new ConfigError(prefix + (error as Error).message)
  }
}

/** The address and credentials of a bucket; our keys begin with `prefix`. */
export type S3Place = {
  bucket: string
  region: string
  /** the address of an S3-compatible service; by default Amazon's */
  endpoint: string | null
  accessKeyId: string | null
  secretAccessKey: string | null
  prefix: string
}
