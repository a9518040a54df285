/** Every environment variable: its default and its meaning, for the command-line help. */
export const environment: { [variable: string]: { otherwise: string; about: string } } = {
  PORT: { otherwise: '3000', about: 'the port to listen on; 0 for any free one' },
  HOST: { otherwise: '127.0.0.1', about: 'the address to listen on; 0.0.0.0 for all' },
  PUBLIC_URL: {
    otherwise: 'http://HOST:PORT',
    about: 'how callers reach the service; the issuer of its tokens',
  },
  DATA_DIR: {
    otherwise: './data',
    about: 'the folder of the database, the secret key, files and mail',
  },
  DATABASE_URL: {
    otherwise: 'none',
    about: 'a PostgreSQL 15 or newer of your own, instead of the embedded one',
  },
  DATABASE_MIGRATE_URL: {
    otherwise: 'DATABASE_URL',
    about:
      'the connection for migrations, as the owner of the tables; the user of DATABASE_URL then need not own them',
  },
  DATABASE_ALLOW_OWNER: {
    otherwise: 'false',
    about: 'allow serving as the owner of the tables if there is no other role',
  },
  DATABASE_POOLER_URL: {
    otherwise: 'none',
    about:
      'a pooler in transaction mode in front of the database, such as PgBouncer, for reads and writes; migrations, jobs and notifications use DATABASE_URL',
  },
  DATABASE_LISTEN_URL: {
    otherwise: 'DATABASE_URL',
    about: 'PostgreSQL itself, for the connection that uses LISTEN, if DATABASE_URL names a pooler',
  },
  DATABASE_POOL_READ: { otherwise: '4', about: 'connections shared by short reads' },
  ROLE: {
    otherwise: 'all',
    about:
      'what this process does: `web` answers requests, `worker` runs jobs, deliveries and mail',
  },
  PROCESSES: {
    otherwise: '1',
    about: 'processes that share the port; 0 for one per processor',
  },
  PROVISION_FILE: {
    otherwise: 'none',
    about: 'JSON with organizations, users and apps, applied at each start',
  },
  SECRET_KEY: {
    otherwise: 'stored in DATA_DIR',
    about: 'encrypts stored secrets; 32 characters or more, the same on every machine',
  },
  SECRET_KEY_PREVIOUS: {
    otherwise: 'none',
    about:
      'the previous SECRET_KEY, as long as something is still encrypted with it: see `perennial keys encrypt`',
  },
  AUTOMATION_SEGMENT: {
    otherwise: 'automation',
    about: 'the name of the automation platform in the integration paths',
  },
  MAIL_FROM: {
    otherwise: 'no-reply@ the host of PUBLIC_URL',
    about: 'the sender of mails, such as "Perennial <no-reply@crm.example.com>"',
  },
  MAIL_INBOUND_DOMAIN: {
    otherwise: 'none',
    about: 'the domain that receives replies to mails, such as reply.example.com',
  },
  MAIL_INBOUND_PORT: {
    otherwise: '2525',
    about: 'the port where the mail server of that domain passes them on by SMTP',
  },
  S3_BUCKET: {
    otherwise: 'none',
    about: 'a bucket for document files, instead of DATA_DIR',
  },
  S3_ENDPOINT: { otherwise: 'Amazon S3', about: 'the address of another S3-compatible service' },
  S3_REGION: { otherwise: 'us-east-1', about: 'the region of the bucket' },
  S3_ACCESS_KEY_ID: { otherwise: "the machine's role", about: 'the key to the bucket' },
  S3_SECRET_ACCESS_KEY: { otherwise: "the machine's role", about: 'the secret of that key' },
  S3_PREFIX: { otherwise: 'none', about: 'a prefix for all names in the bucket' },
  SMTP_URL: { otherwise: 'none', about: 'the mail server, smtp://… or smtps://…' },
  AI_BASE_URL: {
    otherwise: 'none',
    about: 'a language model for suggestions, with an OpenAI-compatible API, https://…/v1',
  },
  AI_API_KEY: { otherwise: 'none', about: 'its key' },
  AI_MODEL: { otherwise: 'gpt-4o-mini', about: 'its name' },
  DOCUSEAL_API_URL: {
    otherwise: 'none',
    about: 'the API of DocuSeal that confirms signatures, such as https://api.docuseal.com',
  },
  DOCUSEAL_API_KEY: { otherwise: 'none', about: 'its key' },
  OAUTH_REGISTRATION: {
    otherwise: 'false',
    about: 'whether OAuth clients for MCP may register themselves',
  },
  WEBHOOK_ALLOWED_CIDRS: {
    otherwise: 'none',
    about: 'address ranges that webhooks may use besides public ones',
  },
  WEBHOOK_ALLOW_HTTP: { otherwise: 'false', about: 'whether webhooks may use plain http' },
  WEBHOOK_RETRY_SCHEDULE: {
    otherwise: '0,5,300,1800,7200,18000,36000,36000',
    about: 'seconds before each delivery attempt',
  },
  WEBHOOK_HOST_RATE: {
    otherwise: '20-1000',
    about:
      'deliveries per second from one organization to one host: the initial value, and the maximum it grows to while the host keeps up; a single number is fixed; 0 is off',
  },
  WEBHOOK_HOST_CONCURRENCY: {
    otherwise: '10-100',
    about: 'deliveries in flight from one organization to one host, in the same way; 0 is off',
  },
  WEBHOOK_ORGANIZATION_CONCURRENCY: {
    otherwise: '200',
    about: 'deliveries in flight from this process, per organization; 0 is off',
  },
  WEBHOOK_CONCURRENCY: {
    otherwise: '2000',
    about: 'deliveries in flight from this process, in total; 0 is off',
  },
  RATE_LIMIT_INTEGRATION: {
    otherwise: '600/10',
    about: 'requests/seconds per app in an organization; 0 is off',
  },
  RATE_LIMIT_APPLICATION: { otherwise: '2000/10', about: 'requests/seconds per user; 0 is off' },
  RATE_LIMIT_LOGIN: {
    otherwise: '20/60',
    about: 'failed sign-ins/seconds per address, and per account and address; 0 is off',
  },
  RATE_LIMIT_LOGIN_ACCOUNT: {
    otherwise: '200/60',
    about: 'failed sign-ins/seconds per account from all addresses new to it; 0 is off',
  },
  RATE_LIMIT_PUBLIC: {
    otherwise: '120/60',
    about:
      'submissions/seconds from one address to surveys, signing and other public pages; 0 is off',
  },
  QUOTA_MAILS_PER_DAY: {
    otherwise: '10000',
    about: 'mails of an organization per day (UTC); further mails wait for the next day; 0 is off',
  },
  QUOTA_MAILS_PER_ADDRESS: {
    otherwise: '60',
    about: 'mails of an organization to one address per hour; further mails wait; 0 is off',
  },
  QUOTA_REMINDERS: {
    otherwise: '5',
    about: 'manual reminders about one record per day; 0 is off',
  },
  QUOTA_STREAMS_PER_USER: {
    otherwise: '10',
    about: 'live streams per user in one process; 0 is off',
  },
  QUOTA_STREAMS: {
    otherwise: '1000',
    about: 'live streams per organization in one process; 0 is off',
  },
  MAX_STREAMS: {
    otherwise: '5000',
    about: 'live streams in one process, above which the answer is 503; 0 is off',
  },
  QUOTA_SUBSCRIPTIONS: {
    otherwise: '1000',
    about: 'webhook subscriptions per organization; 0 is off',
  },
  QUOTA_SUBSCRIPTIONS_PER_HOST: {
    otherwise: '100',
    about: 'webhook subscriptions of an organization to one event at one host; 0 is off',
  },
  QUOTA_WAITING_DELIVERIES: {
    otherwise: '200000',
    about: 'waiting deliveries per organization, a quarter of them per subscription; 0 is off',
  },
  QUOTA_ROWS_MIB: {
    otherwise: '20480',
    about: 'MiB of rows per organization, without indexes, counted every 20 minutes; 0 is off',
  },
  QUOTA_STORAGE_MIB: {
    otherwise: '102400',
    about: 'MiB of files per organization; 0 is off',
  },
  COMPUTE_PROCESSES: {
    otherwise: '2',
    about: 'processes for long computations; 0 runs them on the event loop',
  },
  COMPUTE_TIMEOUT: {
    otherwise: '10',
    about: 'processor seconds that one computation may use; 0 is off',
  },
  COMPUTE_MEMORY_MIB: {
    otherwise: '128',
    about: 'MiB of heap of one such process, and twice as much outside the heap; 0 is off',
  },
  COMPUTE_QUEUE: {
    otherwise: '100',
    about: 'computations that may wait, per organization; 0 is off',
  },
  SIGN_IN_LOG_DAYS: {
    otherwise: '90',
    about: 'days that successful and failed sign-ins are listed; 0 keeps them',
  },
  MAX_IN_FLIGHT: {
    otherwise: '1000',
    about: 'concurrent requests, above which the answer is 503; 0 is off',
  },
  MAX_IN_FLIGHT_ADDRESS: {
    otherwise: '500',
    about: 'concurrent requests per address; 0 is off',
  },
  MAX_IN_FLIGHT_CALLER: {
    otherwise: '100',
    about: 'concurrent requests per user or app; 0 is off',
  },
  MAX_IN_FLIGHT_ORGANIZATION: {
    otherwise: '500',
    about: 'concurrent requests per organization; 0 is off',
  },
  IN_FLIGHT_ALWAYS: {
    otherwise: '8',
    about:
      'concurrent requests that are always admitted; under overload, more only if they can finish soon',
  },
  IN_FLIGHT_REFUSAL_MS: {
    otherwise: '1000',
    about:
      'delay in milliseconds before a request above one of the three previous limits is refused; 0 is none',
  },
  MAX_PIPELINED: {
    otherwise: '100',
    about: 'requests that may wait on one connection, which are served in turn; 0 is off',
  },
  MAX_CONNECTIONS: {
    otherwise: '10000',
    about: 'open connections; beyond it the least used are closed; 0 is off',
  },
  MAX_CONNECTIONS_ADDRESS: {
    otherwise: '2000',
    about: 'open connections per address; 0 is off',
  },
  HEAD_TIMEOUT: { otherwise: '15', about: 'seconds to receive the head of a request; 0 is off' },
  BODY_TIMEOUT: {
    otherwise: '30',
    about: 'seconds to receive a body, except for forms with files; 0 is off',
  },
  UPLOAD_TIMEOUT: { otherwise: '900', about: 'seconds to receive a form with a file; 0 is off' },
  UPLOAD_MIN_RATE: {
    otherwise: '16',
    about: 'minimum KiB per second of such a form, after the first 10 s; 0 is off',
  },
  ANSWER_TIMEOUT: {
    otherwise: '30',
    about: 'seconds without progress after which sending an answer is given up; 0 is off',
  },
  MAX_RECEIVED_MIB: {
    otherwise: '64',
    about: 'MiB of request bodies in memory, in total; 0 is off',
  },
  MAX_RECEIVED_MIB_ADDRESS: {
    otherwise: '16',
    about: 'MiB of request bodies in memory, per address; 0 is off',
  },
  MAX_UNREAD_MIB: {
    otherwise: '128',
    about: 'MiB of answers that clients have not read yet, in total; 0 is off',
  },
  MAX_FORM_TEXT_KIB: {
    otherwise: '1024',
    about: 'KiB of text in a form with a file; 0 is off',
  },
  BODY_LOOP_PERCENT: {
    otherwise: '33',
    about: "share of the event loop's time for large bodies; 0 is no limit",
  },
  MAX_BODY_VALUES: { otherwise: '50000', about: 'values in a JSON body or a form; 0 is off' },
  PASSWORD_HASHES: { otherwise: '2', about: 'passwords hashed at once; 0 is off' },
  PASSWORD_QUEUE: { otherwise: '200', about: 'sign-ins that may wait for that; 0 is off' },
  PASSWORD_QUEUE_ADDRESS: { otherwise: '50', about: 'the same per address; 0 is off' },
  PASSWORD_QUEUE_ACCOUNT: { otherwise: '10', about: 'the same per account and address; 0 is off' },
  DATABASE_POOL_WRITE: {
    otherwise: '12',
    about: 'connections to the database for the writes of requests',
  },
  WRITES_PER_ORGANIZATION: {
    otherwise: '8',
    about: 'how many of them one organization may use at once; 0 is first come, first served',
  },
  WRITES_WAITING: {
    otherwise: '500',
    about: 'writes that may wait per organization, above which the answer is 503; 0 is off',
  },
  SIGN_IN_WRITERS: {
    otherwise: '3',
    about: 'connections only for sign-ins and tokens; 0 lets them use those for writes',
  },
  DATABASE_POOL_JOBS: {
    otherwise: '4',
    about: 'connections only for jobs and deliveries; 0 lets them use those for writes',
  },
  READS_PER_ORGANIZATION: {
    otherwise: '16',
    about: 'concurrent short reads per organization; 0 is off',
  },
  READS_WAITING: {
    otherwise: '500',
    about: 'short reads that may wait per organization, above which the answer is 503; 0 is off',
  },
  HEAVY_READERS: {
    otherwise: '4',
    about:
      'connections for expensive reads: filters, searches, counts, dashboards, exports; 0 lets them use those for short reads',
  },
  HEAVY_READS_PER_ORGANIZATION: {
    otherwise: 'half the processors',
    about: 'concurrent expensive reads per organization; 0 is first come, first served',
  },
  HEAVY_READS_WAITING: {
    otherwise: '300',
    about:
      'expensive reads that may wait per organization, above which the answer is 503; 0 is off',
  },
  READ_TIMEOUT: {
    otherwise: '5',
    about: "seconds after which a request's read is cancelled; 0 is 15 s, as in jobs",
  },
  MAX_FILTER_COST: {
    otherwise: '100',
    about:
      'the maximum cost of a filter: 1 for a condition, 2 for one on a part of a text, 5 for one on a linked record; 0 is off',
  },
  MAX_PAGE_BYTES: {
    otherwise: '8388608',
    about: 'bytes of a page of a list, which has fewer records if they are large; 0 is off',
  },
  MAX_RESULT_BYTES: {
    otherwise: '16777216',
    about: 'bytes that one statement may return; 0 is off',
  },
  MAX_CUSTOM_FIELDS_BYTES: {
    otherwise: '65536',
    about: 'bytes of the custom fields of a record; 0 is off',
  },
  MAX_CUSTOM_FIELDS_KEYS: {
    otherwise: '500',
    about: 'keys of the custom fields of a record; 0 is off',
  },
  MAX_BULK_BYTES: {
    otherwise: '16777216',
    about: 'bytes that one change of many records may write; 0 is off',
  },
  STOP_TIMEOUT: {
    otherwise: '10',
    about: 'seconds that requests in flight get when the service stops',
  },
  TRUST_PROXY: {
    otherwise: '0',
    about: 'trusted proxies, whose X-Forwarded-For is used: their number, or their address ranges',
  },
  WORKSPACE: {
    otherwise: 'build',
    about:
      'the screens: build builds them at start if their sources changed; off serves none; dev is for `npm run dev`',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    otherwise: 'none',
    about:
      "a collector for OpenTelemetry traces, by OTLP over HTTP; the standard's other OTEL_ variables apply too",
  },
  LOG_LEVEL: {
    otherwise: 'info',
    about: 'trace, debug, info, warn, error, fatal or silent',
  },
}

/** A variable in one line. */
export function about(variable: string): string {
  const { about: what, otherwise } = environment[variable]!
  return `${what} (${otherwise})`
}
