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
  S3_BUCKET: {
    otherwise: 'none',
    about: 'a bucket for document files, or bucket/prefix, instead of DATA_DIR',
  },
  S3_ENDPOINT: { otherwise: 'Amazon S3', about: 'the address of another S3-compatible service' },
  S3_REGION: { otherwise: 'us-east-1', about: 'the region of the bucket' },
  S3_ACCESS_KEY_ID: { otherwise: "the machine's role", about: 'the key to the bucket' },
  S3_SECRET_ACCESS_KEY: { otherwise: "the machine's role", about: 'the secret of that key' },
  SMTP_URL: { otherwise: 'none', about: 'the mail server, smtp://… or smtps://…' },
  AI_BASE_URL: {
    otherwise: 'none',
    about: 'a language model for suggestions, with an OpenAI-compatible API, https://…/v1',
  },
  AI_API_KEY: { otherwise: 'none', about: 'its key' },
  AI_MODEL: { otherwise: 'gpt-4o-mini', about: 'its name' },
  VIDEO_CALLS_URL: {
    otherwise: 'none',
    about: 'where video calls are, such as https://meet.jit.si',
  },
  GOOGLE_CLIENT_ID: {
    otherwise: 'none',
    about: 'the client with which people connect their Google Calendar',
  },
  GOOGLE_CLIENT_SECRET: { otherwise: 'none', about: 'its secret' },
  GOOGLE_SIGN_IN_URL: {
    otherwise: 'https://accounts.google.com/o/oauth2/v2/auth',
    about: 'where people give access to their Google Calendar',
  },
  GOOGLE_OAUTH_URL: {
    otherwise: 'https://oauth2.googleapis.com',
    about: 'where Google exchanges and revokes tokens: the address before /token and /revoke',
  },
  GOOGLE_API_URL: {
    otherwise: 'https://www.googleapis.com',
    about: 'the address before /calendar/v3',
  },
  MICROSOFT_CLIENT_ID: {
    otherwise: 'none',
    about: 'the application with which people connect their calendar of Microsoft 365',
  },
  MICROSOFT_CLIENT_SECRET: { otherwise: 'none', about: 'its secret' },
  MICROSOFT_SIGN_IN_URL: {
    otherwise: 'https://login.microsoftonline.com/common',
    about: 'the sign-in of Microsoft with its tenant; sovereign clouds have their own',
  },
  MICROSOFT_GRAPH_URL: {
    otherwise: 'https://graph.microsoft.com',
    about: 'the address before /v1.0; sovereign clouds have their own',
  },
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
  RATE_LIMIT_INTEGRATION: {
    otherwise: '600/10',
    about: 'requests/seconds per app in an organization; 0 is off',
  },
  RATE_LIMIT_APPLICATION: { otherwise: '2000/10', about: 'requests/seconds per user; 0 is off' },
  RATE_LIMIT_LOGIN: {
    otherwise: '20/60',
    about:
      'failed sign-ins/seconds per address, and per account and address, and ten times as many per account; 0 is off',
  },
  RATE_LIMIT_PUBLIC: {
    otherwise: '120/60',
    about:
      'submissions/seconds from one address to surveys, signing and other public pages; 0 is off',
  },
  LIMITS: {
    otherwise: 'small',
    about:
      'the bounds of what one caller may cost: small suits two processors and 1 GiB of heap, large a machine with eight and 8 GiB; off takes them away',
  },
  CONFIG_FILE: {
    otherwise: 'none',
    about: 'a JSON file with single bounds, quotas and pool sizes, such as {"max_in_flight": 2000}',
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
