import { newId } from '../../../src/kit/ground/ids.ts'
import type { TestOrganization, TestService } from '../service.ts'
import { sql } from '../service.ts'
import { randomly } from '../scattered.ts'

/** Dice that fall the same for the same seed. */
export class Dice {
  next: () => number
  constructor(seed: number) {
    this.next = randomly(seed)
  }
  chance(share: number): boolean {
    return this.next() < share
  }
  below(count: number): number {
    return Math.floor(this.next() * count)
  }
  one<T>(list: readonly T[]): T {
    const found = list[this.below(list.length)]
    if (found === undefined) throw new Error('an empty list')
    return found
  }
  maybe<T>(list: readonly T[], share = 0.7): T | null {
    return list.length && this.chance(share) ? this.one(list) : null
  }
  /** A word that nothing else has. */
  word(): string {
    const letters = 'bcdfghjklmnpqrstvwz'.split('')
    const vowels = 'aeiou'.split('')
    return Array.from({ length: 4 }, () => this.one(letters) + this.one(vowels)).join('')
  }
}

type Row = { id: string; [column: string]: unknown }

/**
 * A small organization in which everything is linked with everything: private and hidden records
 * among shared ones, of several people, so that whatever a caller may read leads to what it may not.
 * Written as rows; defaults come from the tables.
 */
export async function fillDensely(
  service: TestService,
  org: TestOrganization,
  people: string[],
  { now, dice }: { now: Date; dice: Dice },
) {
  const day = 86_400_000
  const of = service.runtime.database.reads(org.id)
  const times = (count: number) => Array.from({ length: count }, (_, i) => i)
  const past = () => new Date(+now - dice.next() * 200 * day).toISOString()
  const date = () => new Date(+now + (dice.next() - 0.5) * 120 * day).toISOString().slice(0, 10)
  const someone = () => dice.one(people)
  const amount = () => dice.below(9000) + 100
  const made = () => ({
    organization_id: org.id,
    id: newId(),
    created_by: someone(),
    creation_time: past(),
    last_update_time: past(),
  })
  const ids = (rows: Row[]) => rows.map(({ id }) => id)
  const [statuses, stages] = [
    await of.all<{ id: string; module: string }>(sql`select id, module from statuses
      where organization_id = ${org.id}`),
    await of.all<{ id: string; pipeline_id: string }>(sql`select id, pipeline_id from stages
      where organization_id = ${org.id}`),
  ]
  const statusOf = (module: string) =>
    dice.one(statuses.filter((each) => each.module === module)).id

  const isShared = () => dice.chance(0.6)
  const tagNames = times(6).map(() => dice.word())
  const tags = () => [dice.one(tagNames), dice.one(tagNames), dice.word()]
  const custom = () => ({ open: dice.word(), closed: dice.word(), loose: dice.word() })
  const definitions = [
    'companies',
    'contacts',
    'accounts',
    'projects',
    'tasks',
    'documents',
  ].flatMap((module) => [
    { module, key: 'open', label: 'Open', type: 'text', is_shared: true },
    { module, key: 'closed', label: 'Closed', type: 'text', is_shared: false },
  ])

  const companies = await write('companies', 9, (i, before) => ({
    company_name: `${dice.word()} ${i}`,
    domain: `${dice.word()}.test`,
    industry: dice.word(),
    estimated_arr: amount(),
    company_owner: someone(),
    parent_company: dice.maybe(ids(before), 0.5),
    unique_key: newId(),
    tags: tags(),
    custom_fields: custom(),
    record_source: 'application',
  }))
  const contacts = await write('contacts', 14, (_i, before) => ({
    full_name: `${dice.word()} ${dice.word()}`,
    primary_email: `${dice.word()}@${dice.word()}.test`,
    job_title: dice.word(),
    lead_score: amount(),
    company_id: dice.chance(0.3) ? ids(companies)[0] : dice.maybe(ids(companies), 0.85),
    reports_to: dice.maybe(ids(before), 0.4),
    contact_owner: someone(),
    tags: tags(),
    custom_fields: custom(),
    unique_key: newId(),
    record_source: 'application',
  }))
  // the first account is the customer's, to which much belongs
  const accounts = await write('accounts', 7, (i) => ({
    account_name: dice.word(),
    company_id: i ? dice.maybe(ids(companies)) : ids(companies)[0],
    customer_contact: dice.maybe(ids(contacts)),
    account_owner: someone(),
    tags: tags(),
    custom_fields: custom(),
    region: dice.word(),
  }))
  const templates = await write('templates', 3, () => ({
    template_name: dice.word(),
    description: dice.word(),
  }))
  const projects = await write('projects', 16, () => {
    const stage = dice.chance(0.5) ? dice.one(stages) : undefined
    return {
      project_type: stage ? 'deal' : 'project',
      project_name: `${dice.word()} plan`,
      description: dice.word(),
      account_id: dice.chance(0.4) ? ids(accounts)[0] : dice.maybe(ids(accounts), 0.8),
      company_id: dice.maybe(ids(companies), 0.5),
      customer_contact: dice.maybe(ids(contacts), 0.5),
      template_id: dice.maybe(ids(templates), 0.3),
      project_owner: someone(),
      project_manager: dice.maybe(people),
      pipeline_id: stage?.pipeline_id ?? null,
      stage_id: stage?.id ?? null,
      status_id: stage ? null : statusOf('projects'),
      revenue: dice.chance(0.6) ? amount() : null,
      expected_deal_value: amount(),
      due_date: date(),
      is_private: dice.chance(0.25),
      is_shared: isShared(),
      tags: tags(),
      custom_fields: custom(),
      visible_to_all: dice.chance(0.8),
    }
  })
  const milestones = await write('milestones', 18, (i) => ({
    project_id: dice.one(ids(projects)),
    name: `${dice.word()} step`,
    status_id: statusOf('milestones'),
    owner: someone(),
    due_date: date(),
    position: i,
    is_private: dice.chance(0.3),
    is_shared: isShared(),
  }))
  const theirs = ids(projects.filter((each) => each.account_id === accounts[0]?.id))
  const meetings = await write('meetings', 16, () => {
    const start = past()
    const who = someone()
    return {
      title: `${dice.word()} call`,
      location: dice.word(),
      starts_at: start,
      ends_at: new Date(Date.parse(start) + 1_800_000).toISOString(),
      project_id: dice.chance(0.5) ? dice.one(theirs) : dice.maybe(ids(projects)),
      milestone_id: dice.maybe(ids(milestones), 0.3),
      is_private: dice.chance(0.3),
      is_shared: isShared(),
      attendees: [
        {
          type: 'user',
          id: who,
          email: null,
          name: null,
          is_optional: false,
          response: 'accepted',
        },
      ],
    }
  })
  const insights = await write('meeting_insights', 8, (i) => ({
    calendar_id: ids(meetings)[i],
    summary: dice.word(),
  }))
  const surveys = await write('surveys', 5, (i) => ({
    name: `${dice.word()} survey`,
    item_type: i % 2 ? 'form' : 'survey',
    account_id: dice.maybe(ids(accounts)),
    status: 'published',
  }))
  const tasks = await write('tasks', 40, (i, before) => {
    const project_id = dice.maybe(ids(projects), 0.8)
    const steps = milestones.filter((each) => each.project_id === project_id)
    return {
      title: `${dice.word()} task`,
      description: dice.word(),
      item_type: 1,
      account_id: dice.maybe(ids(accounts), 0.4),
      project_id,
      milestone_id: dice.maybe(ids(steps)),
      parent_id: dice.maybe(ids(before), 0.4),
      status_id: statusOf('tasks'),
      owner: someone(),
      users: dice.chance(0.2) ? [someone()] : [],
      due_date: date(),
      is_private: dice.chance(0.3),
      is_shared: isShared(),
      tags: tags(),
      custom_fields: custom(),
      form_id: dice.maybe(ids(surveys), 0.3),
      meeting_summary_id: dice.maybe(ids(insights), 0.3),
      calendar_id: dice.maybe(ids(meetings), 0.3),
      total_elapsed_time: dice.below(1000),
      position: i,
    }
  })
  const documents = await write('documents', 18, (_i, _before, id) => ({
    chain_id: id,
    document_name: `${dice.word()} paper`,
    file_name: `${dice.word()}.pdf`,
    module_id: 1,
    reference_id: dice.one(ids(tasks)),
    account_id: dice.chance(0.3) ? ids(accounts)[0] : dice.maybe(ids(accounts), 0.6),
    project_id: dice.maybe(ids(projects), 0.5),
    document_owner: someone(),
    is_private: dice.chance(0.3),
    is_shared: isShared(),
    tags: tags(),
    custom_fields: custom(),
    document_status: dice.chance(0.7) ? 'published' : 'draft',
    view_count: dice.below(50),
  }))
  const subjects = [
    { module_id: 1, rows: tasks },
    { module_id: 4, rows: companies },
    { module_id: 5, rows: contacts },
    { module_id: 8, rows: accounts },
    { module_id: 8, rows: accounts.slice(0, 1) },
    { module_id: 2, rows: projects.filter((each) => each.project_type === 'project') },
    { module_id: 3, rows: projects.filter((each) => each.project_type === 'deal') },
  ]
  const threads = await write('interactions', 20, (_i, _before, id) => {
    const { module_id, rows } = dice.one(subjects)
    return {
      module_id,
      reference_id: dice.one(rows).id,
      content: `${dice.word()} said`,
      thread_id: id,
      is_private: dice.chance(0.3),
      is_shared: isShared(),
      visible_to_users: dice.chance(0.3) ? [someone()] : [],
    }
  })
  const replies = await write('interactions', 20, () => {
    const { id, module_id, reference_id, is_private, is_shared } = dice.one(threads)
    return {
      module_id,
      reference_id,
      content: `${dice.word()} replied`,
      thread_id: id,
      parent_interaction_id: id,
      thread_level: 1,
      is_private: is_private || dice.chance(0.4),
      is_shared: is_shared && dice.chance(0.7),
    }
  })
  await write('tags', 6, (i) => ({ tag_name: tagNames[i], is_shared: i % 2 === 0 }))
  await write('field_definitions', definitions.length, (i) => ({ ...definitions[i] }))
  await write('dashboards', 4, () => ({
    dashboard_name: dice.word(),
    visibility: dice.one(['public', 'private']),
  }))
  await write('filters', 4, () => ({
    name: dice.word(),
    module: 'companies',
    visibility: dice.one(['public', 'private']),
  }))
  const each = (count: number, make: () => object) =>
    times(count).map(() => ({ organization_id: org.id, ...make() }))
  await insert(
    'project_members',
    each(16, () => ({ project_id: dice.one(ids(projects)), user_id: someone() })),
  )
  await insert(
    'task_dependencies',
    each(40, () => ({ task_id: dice.one(ids(tasks)), predecessor_id: dice.one(ids(tasks)) })),
  )
  await insert(
    'interaction_attachments',
    each(20, () => ({
      interaction_id: dice.one(ids([...threads, ...replies])),
      document_id: dice.one(ids(documents)),
      position: dice.below(100),
    })),
  )
  await insert(
    'meeting_contacts',
    each(14, () => ({
      id: newId(),
      calendar_id: dice.one(ids(meetings)),
      contact_id: dice.one(ids(contacts)),
    })),
  )
  await insert(
    'events',
    each(140, () => {
      const { module_id, rows } = dice.one(subjects)
      const row = dice.one(rows)
      const project = module_id === 2 || module_id === 3 ? row.id : (row.project_id ?? null)
      return {
        id: newId(),
        title: `${dice.word()} happened`,
        module_id,
        reference_id: row.id,
        project_id: project,
        actor_type: 'user',
        actor_id: someone(),
        actor_name: 'Someone',
        source: 'application',
        occurred_at: past(),
        changes: [],
        raw_description: { action: 'updated' },
        record_version: 1,
      }
    }),
  )
  return { accounts: ids(accounts) }

  async function write(
    table: string,
    count: number,
    make: (i: number, before: Row[], id: string) => object,
  ): Promise<Row[]> {
    const all: Row[] = []
    for (const i of times(count)) {
      const base = made()
      all.push({ ...base, ...make(i, all, base.id) })
    }
    await insert(table, all)
    return all
  }

  /** Only the columns that are named: others have defaults, or are computed. */
  async function insert(table: string, rows: object[]) {
    const [first = {}] = rows
    const known = await of.all<{ name: string }>(sql`select column_name as name
      from information_schema.columns where table_schema = 'perennial' and table_name = ${table}`)
    const present = known.filter(({ name }) => name in first)
    const list = sql.join(present.map(({ name }) => sql.ref(name)))
    await service.runtime.database.transaction(org.id, (queries) =>
      queries.run(sql`insert into ${sql.table(table)} (${list}) select ${list} from
        jsonb_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)}::jsonb)
        on conflict do nothing`),
    )
  }
}
