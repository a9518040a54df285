import type { RawBuilder } from 'kysely'
import type { Files } from './files.ts'
import type { Emit, EmitMany } from './event.ts'
import type { Cost, Limits } from './limits.ts'
import type { Services } from './services.ts'

/** Levels from widest to narrowest; see `scope.ts` for what they mean in SQL. */
export type Level = 'all' | 'team' | 'own' | 'none'

export type Permission = { [module: string]: { [action: string]: Level } }

/** Who is calling, loaded once and cached until something about them changes. */
export type Actor = {
  type: 'user' | 'app' | 'system' | 'anonymous'
  /** the user on whose behalf things happen; null for jobs and for callers without credentials */
  user_id: string | null
  full_name: string
  /** the language of the words that the service puts beside records, such as labels; English without one */
  language?: string
  role_id: string | null
  role_name: string
  /** true for the kind of role that administers the organization */
  is_admin: boolean
  /** true for customer, partner and observer: they see only what they are attached to */
  is_confined: boolean
  /** true for customer and partner: they see only what is shared of what they are attached to */
  is_external: boolean
  permission: Permission
  /** the caller and everyone below in `reports_to` */
  team: string[]
  account_id: string | null
  /** the app and its granted scopes, on the integration surface */
  app?: { id: string; name: string; client_id: string; scopes: string[]; grant_id: string }
  session_id?: string
  /**
   * the personal access token that acts for the user; `isWhole` if it may do everything that the user
   * may
   */
  access_token?: { id: string; scopes: readonly string[]; isWhole: boolean }
}

/** A query: Kysely's `sql` fragment. */
// oxlint-disable-next-line typescript/no-explicit-any -- rows are typed where they are used
export type Query = RawBuilder<any>

export type Cells = (string | null)[]

/** Runs queries for one organization; inside a write it is that write's transaction. */
export type Queries = {
  /** rows with JavaScript values; instants as ISO text */
  all<T = { [column: string]: unknown }>(query: Query): Promise<T[]>
  one<T = { [column: string]: unknown }>(query: Query): Promise<T | undefined>
  /** rows as PostgreSQL's own text, for writing JSON without parsing */
  cells(query: Query): Promise<Cells[]>
  /** the same, as long as they fit into so many bytes; the first row always does, and 0 is no limit */
  page(query: Query, mostBytes: number): Promise<{ rows: Cells[]; isCut: boolean }>
  /** number of rows touched */
  run(query: Query): Promise<number>
  /**
   * Sent at once, awaited together with the commit. `then` runs when the commit has been sent, so it cannot
   * refuse the write: a check is awaited with `run`.
   */
  later(query: Query, then?: (rows: number) => void): void
  /**
   * The same for three inserts that do not read each other's rows, the last two from the same common tables, as one
   * statement if the database allows an insert inside a statement; `then` gets the number of rows of `main`
   */
  laterTogether(
    first: Query,
    others: { tables: Query; main: Query; beside: Query },
    then?: (rows: number) => void,
  ): void
}

export type Log = {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** Requests an object from a language model; throws when there is no answer. */
export type Suggest = ((prompt: { instructions: string; question: string }) => Promise<unknown>) & {
  /** its name */
  model: string
}

/** A tenant: its name, its IANA time zone, and the first day of its weeks (1, Monday, where absent). */
export type Organization = { id: string; name: string; timezone: string; week_start?: number }

/**
 * Enqueues a job: `at` a time (now), `as` the caller or another user with the rights that they then
 * have, or as the service.
 */
export type Enqueue = <Data>(
  job: { name: string },
  data: Data,
  options?: { at?: Date; as?: 'caller' | 'service' | { user_id: string } },
) => void

/** Everything an operation needs, in one value. Pass it as a whole, never its parts. */
export type Context = Queries & {
  /**
   * the same on the connections for reads of that cost; inside a write it is the write's transaction
   */
  reading(cost: Cost, table?: string): Queries
  limits: Limits
  organization: Organization
  actor: Actor
  /** application, integration, mcp, import or job */
  source: string
  request_id: string
  /** how callers reach the service, for absolute URLs */
  public_url: string
  now(): Date
  log: Log
  /** encryption and hashes with SECRET_KEY: see `secrets.ts` */
  secrets: {
    encrypt(text: string): Buffer
    decrypt(bytes: Buffer): string
    /** of a token in strict base64url; throws for anything else */
    open(token: string): string
    /** a value as a url-safe token that only `unseal` with the same purpose reads */
    seal(value: object, purpose?: string): string
    /** undefined for a token that this installation did not issue, or that has another purpose */
    unseal(token: string, purpose?: string): unknown
    /** of a token of high entropy, to find it again */
    hash(token: string): Buffer
  }
  /** a language model, where one is configured */
  suggest?: Suggest
  /** the store of files; never called inside a transaction */
  files: Files
  /** what the running service offers besides the database */
  services: Services<Context>
  emit: Emit
  emitMany: EmitMany
  /** enqueues a job that runs after the commit; a rollback cancels it */
  enqueue: Enqueue
  /** runs after the commit; lost if the process dies, so use it only for hints */
  afterCommit(hint: () => void): void
  /** a value cached per organization until something it is computed from changes */
  cached<T>(name: string, load: (committed: Queries) => Promise<T>): Promise<T>
  /** marks that this write changes cached data of the organization */
  forget(): void
}

/**
 * What an operation that anyone may call gets. Without credentials it belongs to no organization: its
 * queries find no tenant's rows, and its actor has no permissions. So it has to identify somebody, by a
 * password, a token or a public key, and act as that user.
 */
export type PublicContext = Context & {
  /** reads over all organizations, to identify the caller and for nothing else */
  lookup: Queries
  /** contexts of a caller whom the operation has identified; each write is a separate transaction */
  actAs(caller: { organization: Organization; actor: Actor }): {
    reads: Context
    write<T>(run: (ctx: Context) => Promise<T>): Promise<T>
  }
}

/** The id under which the service itself works on every organization: lookups, jobs, housekeeping. */
export const allOrganizations = '*'

/** The organization of a caller without credentials: no id is empty, so no row belongs to it. */
export const noOrganization: Organization = { id: '', name: '', timezone: 'UTC' }
