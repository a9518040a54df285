import type { Credentials } from './authorize.ts'
import type { ClientOptions, RequestOptions, SaveTokens, Tokens } from './client.ts'
import { Client } from './client.ts'
import type { Condition, Page } from './pages.ts'
import { Pages } from './pages.ts'
import type { components, operations } from './schema.d.ts'
import type { EventName } from './webhooks.ts'

type Schemas = components['schemas']
type Operation = keyof operations

export type Company = Schemas['Company']
export type Contact = Schemas['Contact']
export type Project = Schemas['IntegrationProject']
export type Task = Schemas['Task']
export type User = Schemas['User']
export type Account = Schemas['Account']
export type Meeting = Schemas['Meeting']
export type Document = Schemas['Document']
export type Survey = Schemas['Survey']
export type SurveyResponse = Schemas['SurveyResponse']
export type Comment = Schemas['Interaction']
export type FieldDefinition = Schemas['CatalogueField']

/** The two names of a record's title, one of which a create needs. */
type Named<Draft, Name extends keyof Draft> = Omit<Draft, Name> &
  ({ [N in Name]: string } | { name: string })

export type CompanyDraft = Named<Schemas['CompanyCreate'], 'company_name'>
export type ProjectDraft = Named<Schemas['IntegrationProjectCreate'], 'project_name'>
export type TaskDraft = Named<Schemas['IntegrationTaskCreate'], 'title'>

/** Selects and sorts a list: `sort` names fields separated by commas, `-` in front sorts descending. */
export type ListQuery<O extends Operation> = Omit<
  NonNullable<operations[O]['parameters']['query']>,
  'filter' | 'next_cursor' | 'page' | 'offset' | Mode
> & { filter?: Condition[] }

/** Parameters of one GET that change its answer; each is a method here. */
type Mode = 'company_id' | 'contact_id' | 'options' | 'field_config' | 'milestone' | 'milestones'

type Answer<O extends Operation> = operations[O] extends {
  responses: { 200: { content: { 'application/json': infer Body } } }
}
  ? Body
  : never

/** The option lists among the several answers of a GET: neither record, fields nor page. */
type OptionSets<O extends Operation, Record> = Exclude<
  Answer<O>,
  Record | Schemas['FieldCatalogue'] | Page<Record>
>

/** The same `idempotencyKey` twice writes once; by default each call has its own key. */
export type WriteOptions = { idempotencyKey?: string }

/**
 * `match` names a unique custom field that identifies the record. `onDuplicate: 'update'` changes the
 * existing record; without it, it is a 409 whose `data` names the record.
 */
export type CreateOptions = WriteOptions & {
  match?: `custom_fields.${string}`
  onDuplicate?: Schemas['OnDuplicate']
}
/** `allowDuplicate` creates another one with the same domain, name or e-mail. */
export type DuplicateOptions = CreateOptions & { allowDuplicate?: boolean }

/** Changes only this `version`; if the record has another one, it is a 412. */
export type UpdateOptions = { version?: number }

/** `options` and `fields` are the catalogue for forms. */
export type Companies = UniqueRecords<
  Company,
  CompanyDraft,
  Schemas['CompanyUpdate'],
  ListQuery<'get_company'>,
  OptionSets<'get_company', Company>
>
export type Contacts = UniqueRecords<
  Contact,
  Schemas['ContactCreate'],
  Schemas['ContactUpdate'],
  ListQuery<'get_contact'>,
  OptionSets<'get_contact', Contact>
>
/** Tasks of all projects and deals; `update(id, { is_completed: true })` completes one. */
export type Tasks = Records<
  Task,
  TaskDraft,
  Schemas['TaskUpdate'],
  ListQuery<'page_tasks'>,
  CreateOptions
>
export type Accounts = Records<
  Account,
  Named<Schemas['AccountCreate'], 'account_name'>,
  Schemas['AccountUpdate'],
  ListQuery<'page_accounts'>,
  CreateOptions
>
export type Meetings = Records<
  Meeting,
  Schemas['MeetingCreate'],
  Schemas['MeetingUpdate'],
  ListQuery<'page_meetings'>,
  WriteOptions
>
/** Documents are written one by one. */
export type Documents = Omit<
  Records<
    Document,
    Schemas['DocumentCreate'],
    Schemas['DocumentInput'],
    ListQuery<'page_documents'>,
    CreateOptions
  >,
  'writeMany'
>
type NewComment = NonNullable<operations['log_note']['requestBody']>['content']['application/json']
/** Comments on records, of which apps write new ones. */
export type Comments = Omit<
  Records<Comment, NewComment, never, ListQuery<'page_comments'>, WriteOptions>,
  'writeMany' | 'update'
>
type ExportedModule =
  | 'companies'
  | 'contacts'
  | 'accounts'
  | 'deals'
  | 'projects'
  | 'tasks'
  | 'meetings'
type ExportQuery = Omit<ListQuery<'integration_export_companies'>, 'format'>
type ProjectQuery = Omit<ListQuery<'get_projects'>, 'project_type' | 'module'>
/** A project or deal with its milestones and their tasks. */
export type Plan = Project & { milestones: (Schemas['Milestone'] & { tasks: Task[] })[] }

/** A connection to Perennial. See `authorizeUrl` and `exchangeCode` for how to get `tokens`. */
export class Perennial {
  #client: Client
  companies: Companies
  contacts: Contacts
  projects: Projects
  deals: Deals
  tasks: Tasks
  accounts: Accounts
  meetings: Meetings
  documents: Documents
  surveys: Surveys
  comments: Comments
  webhooks: Webhooks

  constructor(
    credentials: Credentials,
    tokens: Tokens,
    saveTokens: SaveTokens,
    options?: ClientOptions,
  ) {
    const client = new Client(credentials, tokens, saveTokens, options)
    this.#client = client
    this.companies = new UniqueRecords(client, '/automation/company', 'company_id')
    this.contacts = new UniqueRecords(client, '/automation/contact', 'contact_id')
    this.projects = new Projects(client, 'project')
    this.deals = new Deals(client, 'deal')
    this.tasks = new Records(client, '/automation/task')
    this.accounts = new Records(client, '/automation/account')
    this.meetings = new Records(client, '/automation/meeting')
    this.documents = new Records(client, '/automation/document')
    this.surveys = new Surveys(client, '/automation/survey')
    this.comments = new Records(client, '/automation/comment')
    this.webhooks = new Webhooks(client)
  }

  /** People of the organization. */
  users(query?: ListQuery<'get_users'>): Pages<User> {
    return pages(this.#client, '/automation/users', query)
  }

  /** Records of every kind by their names, the best match first. */
  async search(q: string, query?: SearchQuery): Promise<Entry<'search_records'>[]> {
    const sent = { query: { ...query, q } }
    const path = '/automation/search'
    return (await this.#client.request<Answer<'search_records'>>('GET', path, sent)).results
  }

  /**
   * What was created, updated and deleted since a cursor, in order and each write once; without one the cursor from
   * which on. Store `next_cursor` with what you did of it.
   */
  changes(query?: {
    since?: string
    modules?: string
    limit?: number
  }): Promise<Answer<'list_changes'>> {
    return this.#client.request('GET', '/automation/changes', { query: { ...query } })
  }

  /** A whole list as CSV: what `list` finds, the oldest first; `fields` are its columns. */
  export(module: ExportedModule, query?: ExportQuery): Promise<string> {
    const { filter, ...rest } = query ?? {}
    const sent = { ...rest, ...(filter && { filter: JSON.stringify(filter) }) }
    return this.#client.request('GET', `/automation/exports/${module}`, { query: sent })
  }

  /** The organization of this connection; fails if the connection has ended. */
  test(): Promise<Schemas['Connection']> {
    return this.#client.request('GET', '/automation/test')
  }

  /** Ends the connection for good, with its subscriptions. */
  disconnect(): Promise<Schemas['RemovedConnection']> {
    return this.#client.request('DELETE', '/automation/invalidate')
  }

  /** Any operation of the integration surface, signed and retried like the methods. */
  request<T>(method: string, path: string, options?: RequestOptions): Promise<T> {
    return this.#client.request<T>(method, path, options)
  }
}

/** The list of a kind, and its records one by one. */
export class Reads<Record, Query> {
  protected client: Client
  protected path: string

  constructor(client: Client, path: string) {
    this.client = client
    this.path = path
  }

  /** 404 if there is none that this connection may read. */
  async get(id: string): Promise<Record> {
    return this.client.request('GET', at(this.path, id))
  }

  /** All records that match the query, page by page. */
  list(query?: Query): Pages<Record> {
    return pages(this.client, this.path, { ...query })
  }

  /** Every field, including custom ones. */
  async fields(): Promise<FieldDefinition[]> {
    const query = { field_config: true }
    return (await this.client.request<Schemas['FieldCatalogue']>('GET', this.path, { query }))
      .fields
  }
}

/** Surveys, and what was answered. */
export class Surveys extends Reads<Survey, ListQuery<'page_surveys'>> {
  /** The answers to a survey, newest first. */
  responses(survey_id: string, query?: ListQuery<'page_survey_responses'>): Pages<SurveyResponse> {
    return pages(this.client, `${at(this.path, survey_id)}/response`, { ...query })
  }
}

/** Records that are also created and updated at their path; `{data}` in an answer is unwrapped. */
export class Records<
  Record,
  Draft extends object,
  Patch extends object,
  Query,
  Options extends CreateOptions,
> extends Reads<Record, Query> {
  async create(draft: Draft, options?: Options): Promise<Record> {
    return (await this.send('POST', this.path, { body: draft, ...createRequest(options) })).data
  }

  /** Changes the fields in `patch`. */
  async update(id: string, patch: Patch, options?: UpdateOptions): Promise<Record> {
    return (await this.send('PUT', at(this.path, id), { body: patch, ...options })).data
  }

  /**
   * Creates or, where one names its id, updates up to 500 records. Each has its answer at the same place; one that is
   * refused does not concern the others.
   */
  async writeMany(
    records: (Draft | (Patch & { [id: string]: unknown }))[],
    options?: Options,
  ): Promise<Schemas['BulkAnswer'][]> {
    const sent = { body: { records }, ...createRequest(options) }
    type Written = { results: Schemas['BulkAnswer'][] }
    return (await this.client.request<Written>('POST', `${this.path}/bulk`, sent)).results
  }

  protected send(method: string, path: string, options: RequestOptions): Promise<{ data: Record }> {
    return this.client.request(method, path, options)
  }
}

/** Companies and contacts, which are unique; their GET has four kinds of answers, each a method here. */
export class UniqueRecords<Record, Draft extends object, Patch extends object, Query, Sets> //
  extends Records<Record, Draft, Patch, Query, DuplicateOptions>
{
  #key: string

  constructor(client: Client, path: string, key: string) {
    super(client, path)
    this.#key = key
  }

  override async get(id: string): Promise<Record> {
    return this.client.request('GET', this.path, { query: { [this.#key]: checked(id) } })
  }

  /** The options for forms. */
  options(): Promise<Sets> {
    return this.client.request('GET', this.path, { query: { options: true } })
  }
}

type ProjectBody = Named<Omit<Schemas['IntegrationProjectCreate'], 'project_type'>, 'project_name'>

/** Projects, or deals. `get` includes the milestones and their tasks. */
export class Projects //
  extends Records<Project, ProjectBody, Schemas['ProjectUpdate'], ProjectQuery, CreateOptions>
{
  protected type: Schemas['ProjectType']

  constructor(client: Client, type: Schemas['ProjectType']) {
    super(client, '/automation/project')
    this.type = type
  }

  override async get(id: string): Promise<Plan> {
    return this.client.request('GET', at(this.path, id))
  }

  override list(query?: ProjectQuery): Pages<Project> {
    return pages(this.client, this.path, { ...query, project_type: this.type })
  }

  override create(draft: ProjectBody, options?: CreateOptions): Promise<Project> {
    return super.create(Object.assign({ ...draft }, { project_type: this.type }), options)
  }
}

/** Deals; `update(id, { stage_id })` moves one. */
export class Deals extends Projects {
  /** The pipelines with their stages, and the options for forms. */
  options(): Promise<Answer<'get_deal_options'>> {
    return this.client.request('GET', '/automation/deal/options')
  }
}

/**
 * The address and the events of a subscription. `project_id` restricts task events to one project, `where` any event by
 * its record, `fields` the delivered fields of the record; `name` is shown in lists.
 */
export type SubscriptionDraft = {
  events: EventName[]
  url: string
  project_id?: string
  name?: string
  where?: Condition[]
  fields?: string[]
}
/** With the secret that `verifyWebhook` needs. */
export type Subscription = Answer<'subscribe'>

/** Subscriptions to events, and their deliveries. */
export class Webhooks {
  #client: Client

  constructor(client: Client) {
    this.#client = client
  }

  /** Subscribing twice with the same events and address is one subscription. */
  subscribe(body: SubscriptionDraft, options?: WriteOptions): Promise<Subscription> {
    return this.#client.request('POST', '/webhook/subscribe', { body, ...options })
  }

  unsubscribe(subscriptionId: string): Promise<Answer<'unsubscribe'>> {
    return this.#client.request('DELETE', '/webhook/unsubscribe', { query: { subscriptionId } })
  }

  list(query?: ListQuery<'list_subscriptions'>): Pages<Entry<'list_subscriptions'>> {
    return pages(this.#client, '/webhook/subscriptions', query)
  }

  /** Every event with a sample, and whether this connection may subscribe to it. */
  async events(): Promise<Entry<'list_events'>[]> {
    return (await this.#client.request<Answer<'list_events'>>('GET', '/webhook/events')).results
  }

  /** Creates a new secret; the previous one also signs for a while. */
  async rotateSecret(subscriptionId: string): Promise<Subscription> {
    return this.#client.request(
      'POST',
      `${at('/webhook/subscriptions', subscriptionId)}/rotate-secret`,
    )
  }

  /** Delivers a sample at once; the answer contains the receiver's. */
  sendTest(body: { subscriptionId: string; event?: EventName }): Promise<Answer<'test_webhook'>> {
    return this.#client.request('POST', '/webhook/test', { body })
  }

  deliveries(query?: ListQuery<'list_deliveries'>): Pages<Entry<'list_deliveries'>> {
    return pages(this.#client, '/webhook/deliveries', query)
  }

  /** Resends failed deliveries of a subscription since a time, at most 10,000, in a job. */
  resendFailed(body: {
    subscriptionId: string
    since: string
    until?: string
    event?: EventName
  }): Promise<Answer<'resend_failed_deliveries'>> {
    return this.#client.request('POST', '/webhook/deliveries/resend-failed', { body })
  }

  async resend(deliveryId: string): Promise<Answer<'resend_delivery'>> {
    return this.#client.request('POST', `${at('/webhook/deliveries', deliveryId)}/resend`)
  }
}

type SearchQuery = Omit<NonNullable<operations['search_records']['parameters']['query']>, 'q'>

type Entry<O extends Operation> = Answer<O> extends { results: (infer Each)[] } ? Each : never

function pages<T>(client: Client, path: string, query?: object): Pages<T> {
  return new Pages((position) => client.request('GET', path, { query: { ...query, ...position } }))
}

/** The query of a create, and its idempotency key. */
function createRequest(options: DuplicateOptions = {}): RequestOptions {
  const {
    onDuplicate: on_duplicate,
    allowDuplicate: allow_duplicate,
    match,
    idempotencyKey,
  } = options
  const query = { on_duplicate, allow_duplicate, match }
  return idempotencyKey === undefined ? { query } : { query, idempotencyKey }
}

function at(path: string, id: string): string {
  return `${path}/${encodeURIComponent(checked(id))}`
}

/** Checks an id: an empty one would result in the address of the list. */
function checked(id: string): string {
  if (!id) throw new TypeError('The id is empty')
  return id
}
