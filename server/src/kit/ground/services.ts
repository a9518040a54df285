import type { Computations } from './computation.ts'
import type { StoredEvent } from './event.ts'

/** Limits failed attempts, counted over all processes by keys such as an address or an account. */
export type FailureLimiter = {
  /** 429 when one of the keys has failed too often */
  check(...keys: string[]): Promise<void>
  /** counts a failure; 429 if concurrent ones have used up the limit */
  failed(...keys: string[]): Promise<void>
}

/** The keys under which sign-ins of an account, and from an address, are counted. */
export type SignInAttempt = { address: string; account: string }

/**
 * Limits failed sign-ins: of an address, of an account from one address, and of an account from all
 * addresses together, except those from which it was signed in to before.
 */
export type SignInLimiter = {
  /** 429 after too many failures */
  check(attempt: SignInAttempt): Promise<void>
  /** counts a failure; 429 if concurrent ones have used up the limit */
  failed(attempt: SignInAttempt): Promise<void>
  /** caches the address as one of the account's own */
  succeeded(attempt: SignInAttempt): void
}

/** Hashes and verifies passwords in a queue; 429 or 503 with `Retry-After` if too many wait. */
export type Passwords = {
  /** 429 when too many of the account or the address wait already */
  checkRoom(attempt: SignInAttempt): void
  hash(password: string, attempt: SignInAttempt): Promise<string>
  /** without a hash it takes as long and returns false */
  verify(password: string, hash: string | null, attempt: SignInAttempt): Promise<boolean>
}

/** Signs access tokens. */
export type TokenIssuer = {
  /** seconds that a token lives */
  lifetime: number
  /** `org` is the organization's id, `sid` that of the application session */
  sign(audience: 'application', claims: { sub: string; org: string; sid: string }): Promise<string>
}

/** Sends webhooks to addresses that users chose: checked, and limited per organization and host. */
export type WebhookSender<Context> = {
  /** 400 naming `url` when webhooks must not go there; looks up its host */
  checkUrl(url: string): Promise<void>
  /** one POST, outside any transaction; 429 when the organization's limit for the host is reached */
  post(
    organization: string,
    request: { url: string; headers: { [name: string]: string }; body: string },
  ): Promise<{ status?: number; error?: string; durationMs: number; responseExcerpt: string }>
  /** the organization has deliveries to make */
  wake(organization: string): void
  /**
   * the body of a delivery as it would be sent now, without what the caller may not see; null if none
   * would be sent
   */
  bodyShownTo(ctx: Context, delivery_id: string): Promise<string | null>
}

/** One open stream of a user. */
export type StreamSlot = {
  /**
   * resolves when there may be something new, with whether the user was notified or something else
   * happened; null after `ms` without
   */
  woken(ms: number): Promise<'notified' | 'other' | null>
  /** there may be something new */
  wake(): void
  /** the stream has ended */
  release(): void
}

/**
 * How far a reader has come: the id of an event of about then, and the transaction below which whatever
 * was committed has been seen, where it is known (`pg_snapshot_xmin`).
 */
export type StreamPosition = { id: string; horizon?: string | undefined }

/** The live streams of this process, woken when their user is notified. */
export type LiveStreams = {
  /**
   * Reserves a place and returns a function that opens the stream within seconds: 429 if the user or
   * the organization has too many, 503 if there are too many in total
   */
  reserve(organization: string, user_id: string | null): (signal: AbortSignal) => StreamSlot
  /**
   * Calls back with events of an organization that any process commits from now on, at most a second
   * later; returns a function that ends it
   */
  follow(organization: string, received: (events: StoredEvent[]) => void): Promise<() => void>
  /** the events that may have been committed after a position; undefined above `most` */
  since(
    organization: string,
    position: StreamPosition,
    most: number,
  ): Promise<StoredEvent[] | undefined>
  /** a write of this process has committed events: they are read at once where somebody follows */
  written(organization: string): void
  /** users may have new notifications: their streams are woken, in every process */
  notified(organization: string, user_ids: string[]): void
  /** the open streams of an organization in this process */
  count(organization: string): number
  /** the time now; that of a context stays the time of its request */
  now(): Date
}

/** How much an organization may use; 0 is no limit. */
export type Quotas = {
  /** mails of an organization in a day; account mails are not counted */
  mailsPerDay: number
  /** mails of an organization to one address in an hour */
  mailsPerAddress: number
  /** reminders by hand about one record in a day */
  remindersPerRecord: number
  /** open live streams of a user, of an organization, and of all together, in one process */
  streamsPerUser: number
  streamsPerOrganization: number
  streams: number
  /** webhook subscriptions of an organization: each write asks which of them it is for */
  subscriptions: number
  /** of an organization to one event at one host */
  subscriptionsPerHost: number
  /** of an organization; a quarter of them of a subscription */
  waitingDeliveries: number
  /** bytes of files of an organization */
  storageBytes: number
  /** bytes of rows of an organization, without indexes */
  rowBytes: number
}

/** What the quota of rows asks about an operation. */
export type Storing = {
  writes: boolean
  can: string | { module: string; action: string }
  mayFree?: boolean
}

/** The quota of rows, by the last count. */
export type RowQuota = {
  /** 413 `row_quota_exceeded` if the operation would store more for an organization that is over it */
  check(organization: string, operation: Storing): void
  /** the same for an answer of somebody who need not have an account: without figures */
  checkAnswer(organization: string): void
  /** reads who is over it now */
  refresh(): Promise<void>
}

/** How the service is known at an OpenID Connect provider. */
export type OpenIdProvider = { issuer: string; client_id: string; client_secret: string }

/** Values of one sign-in that have to come back with the provider's answer. */
export type OpenIdProof = { state: string; nonce: string; verifier: string }

/** Whom a provider has signed in. */
export type OpenIdPerson = {
  /** the provider's own id of the person, which stays */
  subject: string
  email: string | null
  email_verified: boolean
  name: string | null
}

/** How an OAuth client describes itself, with members that nobody has checked but `client_id`. */
export type ClientDocument = { client_id: string; [member: string]: unknown }

/** Reads the documents of clients whose id is the address of one. */
export type ClientDocuments = {
  /** whether it is cached, so that nothing is requested */
  isKnown(url: string): boolean
  /**
   * the document at an https address; 400 `invalid_client` if there is none, or it names another
   * address
   */
  read(url: string): Promise<ClientDocument>
}

/** Signs people in at OpenID Connect providers, which tenants choose: guarded as webhooks are. */
export type OpenIdClient = {
  /** 400 naming `issuer` when there is no provider, or one that must not be reached */
  check(provider: OpenIdProvider): Promise<void>
  /** the address to redirect the browser to; 503 if the provider cannot be reached */
  begin(provider: OpenIdProvider, request: OpenIdProof & { redirect_uri: string }): Promise<string>
  /** the person who came back to `url` (with its query); 401 if anything about it is wrong */
  finish(provider: OpenIdProvider, url: URL, proof: OpenIdProof): Promise<OpenIdPerson>
}

/**
 * Asks time stamp services (RFC 3161), which tenants choose, and those who say whether certificates are revoked: guarded as
 * webhooks are.
 */
export type SealAuthorities = {
  /**
   * The bytes of the answer to a query, at most 64 KiB; without a query, of what stands at the address, at most 1 MiB.
   * Throws for more, for a status other than 200, and where there is none within ten seconds.
   */
  ask(
    url: string,
    query?: { type: 'timestamp-query' | 'ocsp-request'; content: Uint8Array },
  ): Promise<Uint8Array>
}

/** A request to a server that a user chose. */
export type OutboundRequest = {
  url: string
  method: string
  headers: { [name: string]: string }
  body?: string
}

/** What it answered; headers by their names in small letters. */
export type OutboundAnswer = { status: number; headers: { [name: string]: string }; text: string }

/** Asks servers that users choose, such as those of their calendars: guarded as webhooks are. */
export type Outbound = {
  /**
   * the answer, whatever its status, without following redirects; throws an `OutboundError` where there is none of at
   * most 4 MiB in twenty seconds
   */
  ask(request: OutboundRequest): Promise<OutboundAnswer>
}

/** Why there is no answer: the address is none that may be reached, or nothing answers there. */
export class OutboundError extends Error {
  readonly isForbidden: boolean
  /** whether there is an answer, which is larger than what is read */
  readonly isTooLarge: boolean

  constructor(message: string, isForbidden: boolean, isTooLarge = false) {
    super(message)
    this.isForbidden = isForbidden
    this.isTooLarge = isTooLarge
  }
}

/** How the service is known at a provider whose calendars people connect (OAuth 2.0), and where it is. */
export type CalendarProvider = {
  clientId: string
  clientSecret: string
  /** where a person gives access, and where codes and refresh tokens are exchanged */
  authorizeUrl: string
  tokenUrl: string
  /** where access is given up; null where the provider has no such address */
  revokeUrl: string | null
  /** the base address of its calendars */
  apiUrl: string
}

/** The providers that the operator has registered the service at. */
export type CalendarProviders = {
  google: CalendarProvider | null
  microsoft: CalendarProvider | null
}

/** The names of all organizations, which a transaction of one cannot see. */
export type OrganizationNames = {
  /** whether an organization besides `own` has a name that looks like this one */
  isTaken(name: string, own: string): Promise<boolean>
}

/** What mail domains say in the DNS. */
export type MailDomains = {
  /** whether the domain names the organization as its own; 503 if that cannot be found out */
  names(domain: string, organization_id: string): Promise<boolean>
}

/** What operations use of the running service besides the database. Built once by `service.ts`. */
export type Services<Context> = {
  tokens: TokenIssuer
  /** failed refreshes, password resets and invitations */
  failures: FailureLimiter
  signIns: SignInLimiter
  passwords: Passwords
  /** what one address submits to public pages and forms */
  submissions: FailureLimiter
  webhooks: WebhookSender<Context>
  openid: OpenIdClient
  authorities: SealAuthorities
  outbound: Outbound
  /** the base address of video calls; null where there are none */
  videoCallsUrl: string | null
  calendarProviders: CalendarProviders
  organizationNames: OrganizationNames
  mailDomains: MailDomains
  clientDocuments: ClientDocuments
  streams: LiveStreams
  quotas: Quotas
  rowQuota: RowQuota
  /** the domain at which replies to mails arrive; null where they do not */
  inboundDomain: string | null
  /** for how many seconds mails to customers and partners are gathered; 0 mails each at once */
  gatherSeconds: number
  computations: Computations
}
