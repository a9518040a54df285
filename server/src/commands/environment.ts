/** Every environment variable: its default and what it decides. The help and the README say these. */
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
    about: 'the owner of the tables, for migrations; DATABASE_URL is then a user that owns nothing',
  },
  DATABASE_ALLOW_OWNER: {
    otherwise: 'false',
    about: 'whether the owner of the tables may serve where there is no other role',
  },
  DATABASE_POOLER_URL: {
    otherwise: 'none',
    about:
      'a pooler in transaction mode before DATABASE_URL, such as PgBouncer, for reads and writes; migrations, jobs and notifications go to DATABASE_URL itself',
  },
  DATABASE_LISTEN_URL: {
    otherwise: 'DATABASE_URL',
    about:
      'PostgreSQL itself, for the one connection that listens, where a pooler is in DATABASE_URL',
  },
  DATABASE_POOL_READ: { otherwise: '4', about: 'connections for short reads, which share them' },
  ROLE: {
    otherwise: 'all',
    about:
      'what this process does: `web` answers requests, `worker` runs jobs, deliveries and mail',
  },
  PROCESSES: {
    otherwise: '1',
    about: 'processes that share the port; 0 for as many as there are processors',
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
      'the previous SECRET_KEY, while something is encrypted with it: see `perennial keys encrypt`',
  },
  AUTOMATION_SEGMENT: {
    otherwise: 'automation',
    about: 'the name of the automation platform in the integration paths',
  },
  MAIL_FROM: {
    otherwise: 'no-reply@ the host of PUBLIC_URL',
    about: 'whom mails are from, such as "Perennial <no-reply@crm.example.com>"',
  },
  MAIL_INBOUND_DOMAIN: {
    otherwise: 'none',
    about: 'the domain at which replies to mails arrive, such as reply.example.com',
  },
  MAIL_INBOUND_PORT: {
    otherwise: '2525',
    about: 'where the mail server of that domain hands them over, by SMTP',
  },
  S3_BUCKET: {
    otherwise: 'none',
    about: 'a bucket for the files of documents, instead of DATA_DIR',
  },
  S3_ENDPOINT: { otherwise: 'Amazon S3', about: 'the address of another service that speaks S3' },
  S3_REGION: { otherwise: 'us-east-1', about: 'the region of the bucket' },
  S3_ACCESS_KEY_ID: { otherwise: "the machine's role", about: 'the key to the bucket' },
  S3_SECRET_ACCESS_KEY: { otherwise: "the machine's role", about: 'the secret of that key' },
  S3_PREFIX: { otherwise: 'none', about: 'what all names in the bucket begin with' },
  SMTP_URL: { otherwise: 'none', about: 'the mail server, smtp://… or smtps://…' },
  AI_BASE_URL: {
    otherwise: 'none',
    about: 'a language model for suggestions, by the protocol of OpenAI, https://…/v1',
  },
  AI_API_KEY: { otherwise: 'none', about: 'its key' },
  AI_MODEL: { otherwise: 'gpt-4o-mini', about: 'its name' },
  OAUTH_REGISTRATION: {
    otherwise: 'false',
    about: 'whether OAuth clients for MCP may register themselves',
  },
  WEBHOOK_ALLOWED_CIDRS: {
    otherwise: 'none',
    about: 'address ranges that webhooks may go to besides public ones',
  },
  WEBHOOK_ALLOW_HTTP: { otherwise: 'false', about: 'whether webhooks may go over http' },
  WEBHOOK_RETRY_SCHEDULE: {
    otherwise: '0,5,300,1800,7200,18000,36000,36000',
    about: 'seconds before each attempt at a delivery',
  },
  WEBHOOK_HOST_RATE: {
    otherwise: '20-1000',
    about:
      'deliveries a second from one organization to one host: where it begins, and how far it grows while the host keeps up; one number holds; 0 is off',
  },
  WEBHOOK_HOST_CONCURRENCY: {
    otherwise: '10-100',
    about: 'deliveries in flight from one organization to one host, in the same way; 0 is off',
  },
  WEBHOOK_ORGANIZATION_CONCURRENCY: {
    otherwise: '200',
    about: 'deliveries of one organization in flight from this process; 0 is off',
  },
  WEBHOOK_CONCURRENCY: {
    otherwise: '2000',
    about: 'deliveries in flight from this process; 0 is off',
  },
  RATE_LIMIT_INTEGRATION: {
    otherwise: '600/10',
    about: 'requests/seconds of an app in an organization; 0 is off',
  },
  RATE_LIMIT_APPLICATION: { otherwise: '2000/10', about: 'requests/seconds of a user; 0 is off' },
  RATE_LIMIT_LOGIN: {
    otherwise: '20/60',
    about: 'failed sign-ins/seconds of an address, and of an account from one address; 0 is off',
  },
  RATE_LIMIT_LOGIN_ACCOUNT: {
    otherwise: '200/60',
    about: 'failed sign-ins/seconds of an account from all addresses new to it; 0 is off',
  },
  RATE_LIMIT_PUBLIC: {
    otherwise: '120/60',
    about: 'submissions/seconds of an address to surveys, signing and other public pages; 0 is off',
  },
  SURVEY_PROOF_WORK: {
    otherwise: '0',
    about:
      'hashes that a browser tries at most before it answers a survey by a public link, such as 200000; 0 is off',
  },
  QUOTA_MAILS_PER_DAY: {
    otherwise: '10000',
    about: 'mails of an organization in a day (UTC); more wait for the next one; 0 is off',
  },
  QUOTA_MAILS_PER_ADDRESS: {
    otherwise: '60',
    about: 'mails of an organization to one address in an hour; more wait; 0 is off',
  },
  QUOTA_REMINDERS: {
    otherwise: '5',
    about: 'reminders by hand about one record in a day; 0 is off',
  },
  QUOTA_STREAMS_PER_USER: {
    otherwise: '10',
    about: 'live streams that a user holds in one process; 0 is off',
  },
  QUOTA_STREAMS: {
    otherwise: '1000',
    about: 'live streams that an organization holds in one process; 0 is off',
  },
  MAX_STREAMS: {
    otherwise: '5000',
    about: 'live streams of one process; above it the answer is 503; 0 is off',
  },
  QUOTA_SUBSCRIPTIONS: {
    otherwise: '1000',
    about: 'webhook subscriptions of an organization; 0 is off',
  },
  QUOTA_STORAGE_MIB: {
    otherwise: '102400',
    about: 'MiB of files that an organization stores; 0 is off',
  },
  COMPUTE_PROCESSES: {
    otherwise: '2',
    about: 'processes for what may take long to compute; 0 computes it on the event loop',
  },
  COMPUTE_TIMEOUT: {
    otherwise: '10',
    about: 'seconds of a processor that one computation may take; 0 is off',
  },
  COMPUTE_MEMORY_MIB: {
    otherwise: '128',
    about: 'MiB of the heap of one such process, and twice as many outside of it; 0 is off',
  },
  COMPUTE_QUEUE: {
    otherwise: '100',
    about: 'computations of an organization that may wait; 0 is off',
  },
  SIGN_IN_LOG_DAYS: {
    otherwise: '90',
    about: 'days that sign-ins and failed ones are listed; 0 keeps them',
  },
  MAX_IN_FLIGHT: {
    otherwise: '1000',
    about: 'requests worked on at once; above it the answer is 503; 0 is off',
  },
  MAX_IN_FLIGHT_ADDRESS: {
    otherwise: '500',
    about: 'requests of one address worked on at once; 0 is off',
  },
  MAX_IN_FLIGHT_CALLER: {
    otherwise: '100',
    about: 'requests of one user or app worked on at once; 0 is off',
  },
  MAX_IN_FLIGHT_ORGANIZATION: {
    otherwise: '500',
    about: 'requests of one organization worked on at once; 0 is off',
  },
  IN_FLIGHT_ALWAYS: {
    otherwise: '8',
    about:
      'requests at once that are let in whatever the load; more only as far as they are soon done',
  },
  IN_FLIGHT_REFUSAL_MS: {
    otherwise: '1000',
    about: 'milliseconds after which a request above these three is refused; 0 is at once',
  },
  MAX_PIPELINED: {
    otherwise: '100',
    about: 'requests that may wait on a connection, which are served in turn; 0 is off',
  },
  MAX_CONNECTIONS: {
    otherwise: '10000',
    about: 'open connections; the least used make room; 0 is off',
  },
  MAX_CONNECTIONS_ADDRESS: {
    otherwise: '2000',
    about: 'open connections of one address; 0 is off',
  },
  HEAD_TIMEOUT: { otherwise: '15', about: 'seconds for the head of a request; 0 is off' },
  BODY_TIMEOUT: {
    otherwise: '30',
    about: 'seconds for a body, but for forms with files; 0 is off',
  },
  UPLOAD_TIMEOUT: { otherwise: '900', about: 'seconds for a form with a file; 0 is off' },
  UPLOAD_MIN_RATE: {
    otherwise: '16',
    about: 'KiB a second that such a form brings at least, after 10 s; 0 is off',
  },
  ANSWER_TIMEOUT: {
    otherwise: '30',
    about: 'seconds after which an answer that nobody reads is given up; 0 is off',
  },
  MAX_RECEIVED_MIB: {
    otherwise: '64',
    about: 'MiB of request bodies in memory together; 0 is off',
  },
  MAX_RECEIVED_MIB_ADDRESS: {
    otherwise: '16',
    about: 'MiB of request bodies in memory of one address; 0 is off',
  },
  MAX_UNREAD_MIB: {
    otherwise: '128',
    about: 'MiB of answers that wait for their readers together; 0 is off',
  },
  MAX_FORM_TEXT_KIB: {
    otherwise: '1024',
    about: 'KiB of the texts of a form with a file together; 0 is off',
  },
  BODY_LOOP_PERCENT: {
    otherwise: '33',
    about: "share of the event loop's time for large bodies; 0 is no bound",
  },
  MAX_BODY_VALUES: { otherwise: '50000', about: 'values in a JSON body or a form; 0 is off' },
  PASSWORD_HASHES: { otherwise: '2', about: 'passwords hashed at once; 0 is off' },
  PASSWORD_QUEUE: { otherwise: '200', about: 'sign-ins that wait for that; 0 is off' },
  PASSWORD_QUEUE_ADDRESS: { otherwise: '50', about: 'those of one address; 0 is off' },
  PASSWORD_QUEUE_ACCOUNT: { otherwise: '10', about: 'those of one account and address; 0 is off' },
  DATABASE_POOL_WRITE: {
    otherwise: '12',
    about: 'connections to the database for the writes of requests',
  },
  WRITES_PER_ORGANIZATION: {
    otherwise: '8',
    about: 'of those, how many one organization may use at once; 0 is first come, first served',
  },
  WRITES_WAITING: {
    otherwise: '500',
    about: 'writes of one organization that may wait; above it the answer is 503; 0 is off',
  },
  SIGN_IN_WRITERS: {
    otherwise: '3',
    about: 'connections for sign-ins and tokens alone; 0 leaves them among the writers',
  },
  DATABASE_POOL_JOBS: {
    otherwise: '4',
    about: 'connections for jobs and deliveries alone; 0 leaves them among the writers',
  },
  READS_PER_ORGANIZATION: {
    otherwise: '16',
    about: 'short reads of one organization at once; 0 is off',
  },
  READS_WAITING: {
    otherwise: '500',
    about: 'short reads of one organization that may wait; above it the answer is 503; 0 is off',
  },
  HEAVY_READERS: {
    otherwise: '4',
    about:
      'connections for expensive reads: filters, searches, counts, dashboards, exports; 0 leaves them among the others',
  },
  HEAVY_READS_PER_ORGANIZATION: {
    otherwise: 'half the processors',
    about: 'expensive reads of one organization at once; 0 is first come, first served',
  },
  HEAVY_READS_WAITING: {
    otherwise: '300',
    about:
      'expensive reads of one organization that may wait; above it the answer is 503; 0 is off',
  },
  READ_TIMEOUT: {
    otherwise: '5',
    about: 'seconds after which a read of a request is stopped; 0 is the 15 s of jobs',
  },
  MAX_FILTER_COST: {
    otherwise: '100',
    about:
      'what a filter may cost: 1 a condition, 2 on a part of a text, 5 on a linked record; 0 is off',
  },
  MAX_PAGE_BYTES: {
    otherwise: '8388608',
    about: 'bytes of a page of a list, which is shorter where records are large; 0 is off',
  },
  MAX_RESULT_BYTES: {
    otherwise: '16777216',
    about: 'bytes that one statement may answer; 0 is off',
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
    about: 'bytes that a change of many records may write; 0 is off',
  },
  STOP_TIMEOUT: {
    otherwise: '10',
    about: 'seconds that requests in flight get when the service is stopped',
  },
  TRUST_PROXY: {
    otherwise: '0',
    about: 'proxies in front, whose X-Forwarded-For is believed: how many, or their address ranges',
  },
  WORKSPACE: {
    otherwise: 'build',
    about:
      'the screens: build builds them at the start where their sources changed; off shows none; dev is for `npm run dev`',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    otherwise: 'none',
    about:
      "a collector of OpenTelemetry traces, by OTLP over HTTP; the standard's other OTEL_ variables hold too",
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
