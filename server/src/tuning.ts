import { readFileSync } from 'node:fs'
import { ConfigError } from './kit/ground/errors.ts'
import { hintFor } from './kit/ground/nearest.ts'
import { usualLanes, usualLimits } from './kit/ground/limits.ts'

const { reads, heavyReads, writes, signIns, jobs } = usualLanes
const { filterCost, pageBytes, resultBytes, customFieldsBytes, customFieldsKeys, bulkBytes } =
  usualLimits
const most = 999_999_999

/**
 * A setting of the configuration file: a whole number from 0 to `most`. `isBound` marks what `LIMITS=off` sets to 0;
 * `large` is its value with `LIMITS=large`, if that differs.
 */
type Tuned = { otherwise: number; most: number; large?: number; about: string; isBound?: true }

type Values = Omit<Tuned, 'about' | 'isBound'>

function setting(about: string, values: Values): Tuned {
  return { about, ...values }
}

function bound(about: string, values: Values): Tuned {
  return { about, ...values, isBound: true }
}

/** Every setting of the configuration file, in the order of the guide. */
export const tuning = {
  max_in_flight: bound('concurrent requests, above which the answer is 503; 0 is off', {
    otherwise: 1000,
    large: 4000,
    most: 100_000,
  }),
  max_in_flight_address: bound('concurrent requests per address; 0 is off', {
    otherwise: 500,
    large: 2000,
    most: 100_000,
  }),
  max_in_flight_caller: bound('concurrent requests per user or app; 0 is off', {
    otherwise: 100,
    large: 400,
    most: 100_000,
  }),
  max_in_flight_organization: bound('concurrent requests per organization; 0 is off', {
    otherwise: 500,
    large: 2000,
    most: 100_000,
  }),
  in_flight_always: bound(
    'concurrent requests that are always admitted; under overload, more only if they can finish soon, and the others are refused by 503 with `Retry-After`',
    { otherwise: 8, large: 32, most: 100_000 },
  ),
  in_flight_refusal_ms: bound(
    'delay in milliseconds before a request above a limit of an address, caller or organization is refused (up to twice as long, at random); 0 is none',
    { otherwise: 1000, most: 60_000 },
  ),
  max_pipelined: bound(
    'requests that may wait on one connection, which are served in turn; 0 is off',
    { otherwise: 100, most: 10_000 },
  ),
  max_connections: bound('open connections; beyond it the least used are closed; 0 is off', {
    otherwise: 10_000,
    large: 50_000,
    most: 1_000_000,
  }),
  max_connections_address: bound('open connections per address; 0 is off', {
    otherwise: 2000,
    large: 10_000,
    most: 1_000_000,
  }),
  head_timeout: bound('seconds to receive the head of a request; 0 is off', {
    otherwise: 15,
    most: 3600,
  }),
  body_timeout: bound('seconds to receive a body, except for forms with files; 0 is off', {
    otherwise: 30,
    most: 3600,
  }),
  upload_timeout: bound('seconds to receive a form with a file; 0 is off', {
    otherwise: 900,
    most: 86_400,
  }),
  upload_min_rate: bound('minimum KiB per second of such a form, after the first 10 s; 0 is off', {
    otherwise: 16,
    most: 1_000_000,
  }),
  answer_timeout: bound(
    'seconds without progress after which sending an answer is given up; 0 is off',
    { otherwise: 30, most: 3600 },
  ),
  max_received_mib: bound('MiB of request bodies in memory, in total; 0 is off', {
    otherwise: 64,
    large: 512,
    most: 65_536,
  }),
  max_received_mib_address: bound('MiB of request bodies in memory, per address; 0 is off', {
    otherwise: 16,
    large: 128,
    most: 65_536,
  }),
  max_unread_mib: bound('MiB of answers that clients have not read yet, in total; 0 is off', {
    otherwise: 128,
    large: 1024,
    most: 65_536,
  }),
  max_form_text_kib: bound('KiB of text in a form with a file; 0 is off', {
    otherwise: 1024,
    most: 65_536,
  }),
  body_loop_percent: bound(
    "share of the event loop's time for bodies above 16 KiB, whose callers take turns; 0 is no limit",
    { otherwise: 33, most: 100 },
  ),
  max_body_values: bound('values in a JSON body or a form; 0 is off', {
    otherwise: 50_000,
    most: 1_000_000,
  }),
  password_hashes: bound('passwords hashed at once; 0 is off', {
    otherwise: 2,
    large: 8,
    most: 64,
  }),
  password_queue: bound('sign-ins that may wait for that; 0 is off', {
    otherwise: 200,
    large: 800,
    most: 100_000,
  }),
  password_queue_address: bound('the same per address; 0 is off', {
    otherwise: 50,
    large: 200,
    most: 100_000,
  }),
  password_queue_account: bound('the same per account and address; 0 is off', {
    otherwise: 10,
    most: 100_000,
  }),
  reads_per_organization: bound('concurrent short reads per organization; 0 is off', {
    otherwise: reads.each,
    large: 4 * reads.each,
    most: 100_000,
  }),
  reads_waiting: bound(
    'short reads that may wait per organization, above which the answer is 503; 0 is off',
    { otherwise: reads.waiting, large: 4 * reads.waiting, most: 100_000 },
  ),
  heavy_reads_per_organization: bound(
    'concurrent expensive reads per organization; 0 is first come, first served',
    { otherwise: heavyReads.each, most: 100 },
  ),
  heavy_reads_waiting: bound(
    'expensive reads that may wait per organization, above which the answer is 503; 0 is off',
    { otherwise: heavyReads.waiting, large: 4 * heavyReads.waiting, most: 100_000 },
  ),
  read_timeout: bound("seconds after which a request's read is cancelled; 0 is 15 s, as in jobs", {
    otherwise: heavyReads.timeout,
    most: 3600,
  }),
  writes_per_organization: bound(
    'connections for writes that one organization may use at once; 0 is first come, first served',
    { otherwise: writes.each, most: 1000 },
  ),
  writes_waiting: bound(
    'writes that may wait per organization, above which the answer is 503; 0 is off',
    { otherwise: writes.waiting, large: 4 * writes.waiting, most: 100_000 },
  ),
  max_filter_cost: bound(
    'the maximum cost of a filter: 1 for a condition, 2 for one on a part of a text, 5 for one on a linked record; 0 is off',
    { otherwise: filterCost, most },
  ),
  max_page_bytes: bound(
    'bytes of a page of a list, which has fewer records if they are large; 0 is off',
    { otherwise: pageBytes, most },
  ),
  max_result_bytes: bound('bytes that one statement may return; 0 is off', {
    otherwise: resultBytes,
    most,
  }),
  max_custom_fields_bytes: bound('bytes of the custom fields of a record; 0 is off', {
    otherwise: customFieldsBytes,
    most,
  }),
  max_custom_fields_keys: bound('keys of the custom fields of a record; 0 is off', {
    otherwise: customFieldsKeys,
    most,
  }),
  max_bulk_bytes: bound('bytes that one change of many records may write; 0 is off', {
    otherwise: bulkBytes,
    most,
  }),
  quota_mails_per_day: setting(
    'mails of an organization per day (UTC) for each of three counters (account, personal, automatic); further mails wait for the next day; 0 is off',
    { otherwise: 10_000, most: 100_000_000 },
  ),
  quota_mails_per_address: setting(
    'mails of an organization to one address per hour, for each of these counters; further mails wait; 0 is off',
    { otherwise: 60, most: 1_000_000 },
  ),
  mail_gather_seconds: setting(
    'for how long what a customer or partner is notified of is gathered, to be one mail; 0 mails each at once',
    { otherwise: 180, most: 3600 },
  ),
  quota_reminders: setting('manual reminders about one record per day; 0 is off', {
    otherwise: 5,
    most: 1_000_000,
  }),
  quota_streams_per_user: setting('live streams per user in one process; 0 is off', {
    otherwise: 10,
    most: 100_000,
  }),
  quota_streams: setting('live streams per organization in one process; 0 is off', {
    otherwise: 1000,
    most: 100_000,
  }),
  max_streams: setting('live streams in one process, above which the answer is 503; 0 is off', {
    otherwise: 5000,
    most: 1_000_000,
  }),
  quota_subscriptions: setting('webhook subscriptions per organization; 0 is off', {
    otherwise: 1000,
    most: 1_000_000,
  }),
  quota_subscriptions_per_host: setting(
    'webhook subscriptions of an organization to one event at one host; 0 is off',
    { otherwise: 100, most: 1_000_000 },
  ),
  quota_waiting_deliveries: setting(
    'waiting deliveries per organization, a quarter of them per subscription, beyond which the oldest are dropped; 0 is off',
    { otherwise: 200_000, most: 1_000_000_000 },
  ),
  quota_rows_mib: setting(
    'MiB of rows per organization, without indexes, counted every 20 minutes; 0 is off',
    { otherwise: 20_480, most },
  ),
  quota_storage_mib: setting('MiB of files per organization; 0 is off', {
    otherwise: 102_400,
    most,
  }),
  webhook_organization_concurrency: setting(
    'deliveries in flight from one process, per organization; 0 is off',
    { otherwise: 200, most: 100_000 },
  ),
  webhook_concurrency: setting('deliveries in flight from one process, in total; 0 is off', {
    otherwise: 2000,
    most: 100_000,
  }),
  database_pool_write: setting('connections for the writes of requests', {
    otherwise: writes.connections,
    most: 1000,
  }),
  database_pool_jobs: setting(
    'connections only for jobs and deliveries; 0 lets them use those for writes',
    { otherwise: jobs, most: 100 },
  ),
  sign_in_writers: setting(
    'connections only for sign-ins and tokens; 0 lets them use those for writes',
    { otherwise: signIns, most: 100 },
  ),
  heavy_readers: setting(
    'connections for expensive reads: filters, searches, counts, dashboards, exports; 0 lets them use those for short reads',
    { otherwise: heavyReads.connections, most: 100 },
  ),
  compute_processes: setting('processes for long computations; 0 runs them on the event loop', {
    otherwise: 2,
    most: 64,
  }),
  compute_timeout: setting('processor seconds that one computation may use; 0 is off', {
    otherwise: 10,
    most: 3600,
  }),
  compute_memory_mib: setting(
    'MiB of heap of one such process, and twice as much outside the heap; 0 is off',
    { otherwise: 128, most: 65_536 },
  ),
  compute_queue: setting('computations that may wait, per organization; 0 is off', {
    otherwise: 100,
    most: 100_000,
  }),
  mail_inbound_port: setting(
    'the port where the mail server of MAIL_INBOUND_DOMAIN passes replies on by SMTP',
    { otherwise: 2525, most: 65_535 },
  ),
  sign_in_log_days: setting('days that successful and failed sign-ins are listed; 0 keeps them', {
    otherwise: 90,
    most: 36_500,
  }),
  stop_timeout: setting('seconds that requests in flight get when the service stops', {
    otherwise: 10,
    most: 3600,
  }),
}

/** The name of a setting of the configuration file. */
export type TunedName = keyof typeof tuning

/** The values of all settings of the configuration file. */
export type Tuning = { readonly [name in TunedName]: number }

/** Which values the bounds have that the file does not set. */
export type Size = 'small' | 'large' | 'off'

const settings = Object.entries(tuning) as [TunedName, Tuned][]

/** All values: those given, and for the others what the size says. A wrong name or value throws `ConfigError`. */
export function tuned(given: { [name: string]: unknown }, size: Size): Tuning {
  for (const name of Object.keys(given)) {
    if (!Object.hasOwn(tuning, name)) throw new ConfigError(unknown(name))
  }
  const values = settings.map(([name, setting]) => {
    const value = Object.hasOwn(given, name) ? given[name] : usual(setting, size)
    const isFine = Number.isInteger(value) && Number(value) >= 0 && Number(value) <= setting.most
    if (isFine) return [name, value] as const
    throw new ConfigError(
      `${name} must be a whole number from 0 to ${setting.most}, not ${JSON.stringify(value)}`,
    )
  })
  return Object.freeze(Object.fromEntries(values)) as Tuning
}

function usual({ otherwise, large, isBound }: Tuned, size: Size): number {
  if (size === 'off' && isBound) return 0
  return size === 'large' ? (large ?? otherwise) : otherwise
}

function unknown(name: string): string {
  const lower = name.toLowerCase()
  if (Object.hasOwn(tuning, lower)) return `"${name}" must be written "${lower}"`
  return `"${name}" is no setting of this file; ${hintFor(name, Object.keys(tuning))}`
}

/** The object in a configuration file. `ConfigError` if there is none. */
export function readTuningFile(path: string): { [name: string]: unknown } {
  const value = parsed(path)
  if (value && typeof value === 'object' && !Array.isArray(value)) return { ...value }
  throw new ConfigError(
    `CONFIG_FILE must be a JSON object such as {"max_in_flight": 2000}; "${path}" is none`,
  )
}

function parsed(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new ConfigError(`CONFIG_FILE cannot be read: ${(error as Error).message}`, {
      cause: error,
    })
  }
}
