import type { EventName, EventOf, Perennial, WebhookEvent } from '../src/index.ts'

// Calls as a user would write them. The compiler is the test of the wrong ones; the right ones run.

/** What the calls work on; filled by the calls that create. */
export type Made = { company: string; contact: string; deal: string; task: string }

/** Eleven calls that must compile, and that a server must accept, in this order. */
export const right: { [name: string]: (perennial: Perennial, made: Made) => Promise<unknown> } = {
  async 'a company with custom fields and an owner'(perennial, made) {
    const { company_id, domain } = await perennial.companies.create(
      { company_name: 'Acme', domain: 'acme.example', custom_fields: { tier: 'gold', seats: 12 } },
      { onDuplicate: 'update' },
    )
    made.company = company_id
    return domain?.toUpperCase()
  },
  async 'a contact of that company, named by its domain'(perennial, made) {
    const contact = await perennial.contacts.create({
      full_name: 'Ada Lovelace',
      primary_email: 'ada@acme.example',
      company: { domain: 'acme.example' },
    })
    made.contact = contact.contact_id
  },
  async 'a deal with a value, created by its alias'(perennial, made) {
    const deal = await perennial.deals.create({
      name: 'Acme, first year',
      company_id: made.company,
      expected_deal_value: 12_000,
      external_map: { crm: 'A-1' },
    })
    made.deal = deal.project_id
  },
  'a task with a due date': async (perennial, made) => {
    const draft = {
      project_id: made.deal,
      title: 'Call Ada',
      due_date: '2027-02-03',
      tags: ['call'],
    }
    made.task = (await perennial.tasks.create(draft)).item_id
  },
  'the newest companies, by filter and sort': async (perennial) => {
    const names: string[] = []
    const changed = perennial.companies.list({
      filter: [{ field: 'last_update_time', operator: 'gte', value: '2020-01-01T00:00:00Z' }],
      sort: '-last_update_time',
      limit: 50,
    })
    for await (const { company_name } of changed) names.push(company_name)
    return names.join()
  },
  'one contact, and the address of its owner': async (perennial, made) => {
    const { contact_owner, custom_fields } = await perennial.contacts.get(made.contact)
    return [contact_owner?.full_name, custom_fields.anything]
  },
  'the choices of a form': async (perennial) => {
    const { industries } = await perennial.companies.options()
    return industries.map(({ label }) => label)
  },
  'the fields of a form': async (perennial) => {
    const fields = await perennial.contacts.fields()
    return fields.filter(({ type }) => type === 'select').map(({ key }) => key)
  },
  'a company changed, unless somebody else has changed it': async (perennial, made) => {
    const { version } = await perennial.companies.get(made.company)
    await perennial.companies.update(made.company, { tags: ['vip'] }, { version })
  },
  'a task completed': async (perennial, made) => {
    const { is_completed } = await perennial.tasks.update(made.task, { is_completed: true })
    if (!is_completed) throw new Error('it is still open')
  },
  'a deal with its plan': async (perennial, made) => {
    const { milestones } = await perennial.deals.get(made.deal)
    const titles = milestones.flatMap(({ tasks }) => tasks.map(({ title }) => title))
    if (titles.join() !== 'Call Ada') throw new Error(titles.join())
  },
}

/** Calls that must not compile. Never run. */
export const wrong: ((perennial: Perennial) => Promise<unknown>)[] = [
  // @ts-expect-error a company needs a name
  (perennial) => perennial.companies.create({ domain: 'acme.example' }),
  // @ts-expect-error no field is called so
  (perennial) => perennial.contacts.create({ full_name: 'Ada', e_mail: 'ada@acme.example' }),
  // @ts-expect-error a task belongs to a project
  (perennial) => perennial.tasks.create({ title: 'Call Ada' }),
  (perennial) =>
    perennial.companies
      // @ts-expect-error no operator is called so
      .list({ filter: [{ field: 'domain', operator: 'equals', value: 'acme.example' }] })
      .toArray(),
  (perennial) =>
    // @ts-expect-error records are matched by custom fields alone
    perennial.companies.create({ company_name: 'Acme' }, { match: 'domain' }),
  (perennial) =>
    perennial.tasks.create(
      { title: 'Call', project_id: '1' },
      // @ts-expect-error a task is no duplicate of another
      { allowDuplicate: true },
    ),
  (perennial) =>
    // @ts-expect-error there is no such event
    perennial.webhooks.subscribe({ events: ['company_renamed'], url: 'https://acme.example/' }),
]

/** Reads of every event what only its own record has: compiles only where `type` narrows `data`. */
export const idOf: { [E in EventName]: (data: EventOf<E>['data']) => string } = {
  company_created: (data) => data.company_id,
  company_updated: (data) => data.company_id,
  company_deleted: (data) => data.company_id,
  company_merged: (data) => data.company_id,
  contact_created: (data) => data.contact_id,
  contact_updated: (data) => data.contact_id,
  contact_deleted: (data) => data.contact_id,
  contact_merged: (data) => data.contact_id,
  deal_created: (data) => data.project_id,
  deal_updated: (data) => data.project_id,
  deal_stage_changed: (data) => data.project_id,
  deal_won: (data) => data.project_id,
  deal_lost: (data) => data.project_id,
  deal_deleted: (data) => data.project_id,
  project_created: (data) => data.project_id,
  project_updated: (data) => data.project_id,
  project_status_changed: (data) => data.project_id,
  project_completed: (data) => data.project_id,
  project_deleted: (data) => data.project_id,
  milestone_created: (data) => data.milestone_id,
  milestone_updated: (data) => data.milestone_id,
  milestone_completed: (data) => data.milestone_id,
  milestone_deleted: (data) => data.milestone_id,
  task_created: (data) => data.item_id,
  task_updated: (data) => data.item_id,
  task_assigned: (data) => data.item_id,
  task_status_changed: (data) => data.item_id,
  task_completed: (data) => data.item_id,
  task_overdue: (data) => data.item_id,
  task_deleted: (data) => data.item_id,
  template_created: (data) => data.template_id,
  template_updated: (data) => data.template_id,
  user_created: (data) => data.user_id,
  user_updated: (data) => data.user_id,
  user_deactivated: (data) => data.user_id,
  survey_published: (data) => data.survey_id,
  survey_closed: (data) => data.survey_id,
  survey_response_submitted: (data) => data.survey_id,
  account_created: (data) => data.account_id,
  account_updated: (data) => data.account_id,
  account_deleted: (data) => data.account_id,
  document_created: (data) => data.attach_id,
  document_updated: (data) => data.attach_id,
  document_deleted: (data) => data.attach_id,
  document_published: (data) => data.attach_id,
  document_signature_requested: (data) => data.attach_id,
  document_signed: (data) => data.attach_id,
  document_declined: (data) => data.attach_id,
  meeting_scheduled: (data) => data.calendar_id,
  meeting_updated: (data) => data.calendar_id,
  meeting_rescheduled: (data) => data.calendar_id,
  meeting_cancelled: (data) => data.calendar_id,
  interaction_created: (data) => data.interaction_id,
}

/** As a receiver would read an event: one comparison is enough for the compiler. */
export function sentenceOf(event: WebhookEvent): string {
  if (event.type === 'deal_won') return `${event.data.project_name} is won`
  if (event.type === 'task_completed') return `${event.data.title} is done`
  // @ts-expect-error other events have no title for sure
  return event.data.title
}
