import { newId, newIdAt } from '../../src/kit/ground/ids.ts'
import { Survey } from '../../src/model/surveys/survey.ts'
import { createUser } from '../../src/records/users/create.ts'
import type { TestOrganization, TestService } from './service.ts'
import { seedNumber } from './depth.ts'
import { rows, sql, tokenFor } from './service.ts'

/** Numbers from 0 up to 1, the same for the same seed (mulberry32). */
export function randomly(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

/**
 * Records of every kind, scattered over the 500 days before `now` and over several people: private
 * and hidden ones, deleted ones, some of a customer. Written as rows, since no caller can set times.
 */
export async function scatter(
  service: TestService,
  org: TestOrganization,
  now: Date,
  seed: number,
) {
  const random = randomly(seed)
  const day = 86_400_000
  const one = <T>(list: T[]): T => list[Math.floor(random() * list.length)]!
  const chance = (share: number) => random() < share
  const many = (count: number) => Array.from({ length: count })
  // most of them lately, since the periods asked for mostly are
  const past = (least = 0) => new Date(+now - least - random() ** 2 * 500 * day).toISOString()
  const after = (time: string) =>
    new Date(Date.parse(time) + random() * (+now - Date.parse(time))).toISOString()
  const date = () => new Date(+now + (random() - 0.6) * 200 * day).toISOString().slice(0, 10)
  const { admin, manager, member } = org.users
  const owner = await ownReader(service, org)
  const someone = () => one([admin.user_id, manager.user_id, member.user_id, owner.user_id])
  const base = (creation_time = past()) => ({
    organization_id: org.id,
    id: newId(),
    created_by: someone(),
    version: 1,
    creation_time,
    last_update_time: now.toISOString(),
    deleted_at: chance(0.1) ? now.toISOString() : null,
  })
  const of = <T>(query: ReturnType<typeof sql>) => rows<T>(service, query)
  const write = (table: string, records: object[]) => writeRows(service, org, table, records)
  const statuses = await of<{ id: string; module: string; category: string }>(
    sql`select id, module, category from statuses where organization_id = ${org.id}`,
  )
  const stages = await of<{ id: string; pipeline_id: string; category: string }>(
    sql`select id, pipeline_id, category from stages where organization_id = ${org.id}
      order by position`,
  )

  const accounts = many(12).map((_, i) => ({
    ...base(),
    account_name: `Account ${i}`,
    health_score: chance(0.6) ? Math.floor(random() * 101) : null,
    account_owner: someone(),
    is_favourite: false,
    insight: {},
    is_internal_account: false,
    custom_fields: {},
  }))
  await write('accounts', accounts)
  const theirs = accounts.find(({ deleted_at }) => !deleted_at)!.id
  await service.runtime.database.transaction(org.id, (queries) =>
    queries.run(sql`update users set account_id = ${theirs}
      where organization_id = ${org.id} and id = ${org.users.customer.user_id}`),
  )

  const projects = many(90).map((_, i) => {
    const isDeal = chance(0.6)
    const stage = isDeal ? one(stages) : undefined
    const status = isDeal ? undefined : one(statuses.filter(({ module }) => module === 'projects'))
    const own = base()
    const entered = after(own.creation_time)
    return {
      ...own,
      project_type: isDeal ? 'deal' : 'project',
      project_name: `Project ${i}`,
      account_id: one(accounts).id,
      project_owner: someone(),
      status_id: status?.id ?? null,
      pipeline_id: stage?.pipeline_id ?? null,
      stage_id: stage?.id ?? null,
      stage_entered_at: stage ? entered : null,
      closed_at: stage && stage.category !== 'open' ? entered : null,
      lost_reason: stage?.category === 'lost' ? one(['price', 'timing']) : null,
      completed_at: status?.category === 'completed' ? entered : null,
      due_date: chance(0.8) ? date() : null,
      forecasted_date: chance(0.3) ? date() : null,
      expected_deal_value: chance(0.7) ? Math.floor(random() * 1000) : null,
      revenue: chance(0.5) ? Math.floor(random() * 1000) : null,
      visible_to_all: chance(0.85),
      is_private: chance(0.1),
      is_shared: true,
      show_forecasted_date: false,
      is_arr: false,
      object_source: 'application',
      custom_fields: {},
    }
  })
  await write('projects', projects)

  const stays = projects.flatMap(({ id, stage_id, stage_entered_at, creation_time }) => {
    if (!stage_id) return []
    const [a, b] = [Date.parse(creation_time), Date.parse(stage_entered_at!)]
    const times = many(Math.floor(random() * 4))
      .map(() => a + random() * (b - a))
      .sort((x, y) => x - y)
    times[0] = a
    return [...times, b].map((time, i, all) => ({
      organization_id: org.id,
      id: newId(),
      project_id: id,
      stage_id: i === all.length - 1 ? stage_id : one(stages).id,
      entered_at: new Date(time).toISOString(),
      left_at: i === all.length - 1 ? null : new Date(all[i + 1]!).toISOString(),
    }))
  })
  await write('stage_changes', stays)

  const milestones = many(80).map((_, i) => {
    const own = base()
    return {
      ...own,
      project_id: one(projects).id,
      name: `Milestone ${i}`,
      owner: someone(),
      due_date: chance(0.8) ? date() : null,
      completed_at: chance(0.5) ? after(own.creation_time) : null,
      position: i,
      is_private: chance(0.1),
      is_shared: true,
    }
  })
  await write('milestones', milestones)

  const tasks = many(220).map((_, i) => {
    const own = base()
    const status = one(statuses.filter(({ module }) => module === 'tasks'))
    const isDone = status.category === 'completed'
    return {
      ...own,
      title: `Task ${i}`,
      item_type: 1,
      project_id: chance(0.7) ? one(projects).id : null,
      status_id: status.id,
      is_completed: isDone,
      completed_at: isDone ? after(own.creation_time) : null,
      owner: chance(0.8) ? someone() : null,
      users: chance(0.1) ? [someone()] : [],
      due_date: chance(0.8) ? date() : null,
      is_private: chance(0.15),
      is_shared: true,
      is_starred: false,
      is_predefined: false,
      is_risk: false,
      is_blocked: false,
      total_elapsed_time: 0,
      position: i,
      is_recurring: false,
      custom_fields: {},
    }
  })
  await write('tasks', tasks)

  const surveys = many(6).map((_, i) => ({
    ...base(),
    item_type: 'survey',
    name: `Survey ${i}`,
    account_id: chance(0.5) ? theirs : null,
    form_structure: { pages: [], version: 1 },
    field_count: 2,
    form_style: 'IN_APP',
    form_container_style: 'POPUP',
    field_border: 'Rounded',
    status: 'published',
    is_active: true,
    one_per_email: false,
    view_count: 0,
    response_count: 0,
  }))
  await write('surveys', surveys)
  const fields = [
    { id: 'likely', type: 'nps', label: 'How likely?' },
    { id: 'stars', type: 'ratings', label: 'How good?' },
  ]
  await write(
    'survey_versions',
    surveys.map(({ id, creation_time }) => ({
      organization_id: org.id,
      survey_id: id,
      version: 1,
      pages: [{ id: 'p', title: 'Page', fields }],
      creation_time,
    })),
  )
  await write(
    'survey_responses',
    many(150).map(() => {
      const finished = chance(0.8)
      const finished_at = finished ? past() : null
      const likely = chance(0.85) ? { likely: Math.floor(random() * 11) } : {}
      return {
        ...base(),
        survey_id: one(surveys).id,
        structure_version: 1,
        answers: { ...likely, stars: 3 },
        finished,
        finished_at,
      }
    }),
  )

  await write(
    'meetings',
    many(60).map((_, i) => {
      const start = past(-30 * day)
      return {
        ...base(),
        title: `Meeting ${i}`,
        starts_at: start,
        ends_at: new Date(Date.parse(start) + 30 * 60_000).toISOString(),
        all_day: false,
        extended_props: {},
        project_id: chance(0.5) ? one(projects).id : null,
        repeat: chance(0.1) ? { rrule: 'FREQ=DAILY;INTERVAL=3', exdates: [] } : null,
        timezone: chance(0.3) ? { name: 'Asia/Tokyo' } : null,
        is_video_conference: false,
        is_meeting_cancelled: chance(0.2),
        attendees: chance(0.3) ? [attendee(someone())] : [],
        push_to_calendar_a: false,
        push_to_calendar_b: false,
        is_private: chance(0.15),
        is_shared: true,
      }
    }),
  )

  for (const [table, name] of [
    ['companies', 'company_name'],
    ['contacts', 'full_name'],
  ] as const) {
    await write(
      table,
      many(50).map((_, i) => ({
        ...base(),
        [name]: `${table} ${i}`,
        unique_key: `${i}@example.test`,
        record_source: 'application',
        custom_fields: {},
        do_not_contact: 'no',
      })),
    )
  }
  await write(
    'events',
    many(250).map(() => {
      const [module_id, table] = one([
        [1, tasks],
        [2, projects.filter(({ project_type }) => project_type === 'project')],
        [3, projects.filter(({ project_type }) => project_type === 'deal')],
        [8, accounts],
      ] as const)
      const { id, project_id = null } = one(table as { id: string; project_id?: string | null }[])
      return {
        organization_id: org.id,
        id: newId(),
        type: null,
        title: 'Something happened',
        module_id,
        reference_id: id,
        project_id: module_id === 2 || module_id === 3 ? id : project_id,
        actor_type: 'user',
        actor_id: someone(),
        actor_name: 'Someone',
        source: 'application',
        occurred_at: past(),
      }
    }),
  )
  return { callers: { ...org.users, owner } }
}

/** Only the columns that are supplied: the database computes some, and has defaults for others. */
async function writeRows(
  service: TestService,
  org: TestOrganization,
  table: string,
  records: object[],
) {
  const columns = await rows<{ name: string }>(
    service,
    sql`select column_name as name from information_schema.columns
      where table_schema = 'perennial' and table_name = ${table}`,
  )
  const supplied = columns.filter(({ name }) => name in records[0]!)
  const list = sql.join(supplied.map(({ name }) => sql.ref(name)))
  await service.runtime.database.transaction(org.id, (queries) =>
    queries.run(sql`insert into ${sql.table(table)} (${list}) select ${list} from
      jsonb_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(records)}::jsonb)`),
  )
}

/** A seed that follows from the commit, or TEST_SEED, and differs with the number. */
export function drawnSeed(number: number): number {
  return (seedNumber ^ Math.imul(number, 0x9e3779b1)) >>> 0
}

/** The first line of a template in every organization with histories: two milestones of two tasks each. */
export const scatteredTemplate = {
  template_id: 'scattered',
  stages: [
    { stage_id: 'data', name: 'Data', tasks: [line('export', 0, 3), line('import', 3, 4)] },
    {
      stage_id: 'start',
      name: 'Start',
      start_offset_days: 7,
      tasks: [line('train', 0, 2), line('switch', 1, 1)],
    },
  ],
}

function line(id: string, start_offset_days: number, duration_days: number) {
  return { id, title: `Task ${id}`, start_offset_days, duration_days }
}

/**
 * What else happened to the records of `scatter`: accounts in three currencies and several segments, days on which
 * projects began, projects of a template, answers about accounts, days of health, and days that deals were expected on
 * until they were moved.
 */
export async function scatterHistories(
  service: TestService,
  org: TestOrganization,
  now: Date,
  seed: number,
) {
  const random = randomly(seed)
  const day = 86_400_000
  const one = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!
  const chance = (share: number) => random() < share
  const ago = (days: number) => new Date(+now - days * day)
  const dateOf = (at: Date) => at.toISOString().slice(0, 10)
  const read = <T>(query: ReturnType<typeof sql>) => rows<T>(service, query)
  const run = (query: ReturnType<typeof sql>) =>
    service.runtime.database.transaction(org.id, (queries) => queries.run(query))
  const accounts = await read<{ id: string }>(
    sql`select id from accounts where organization_id = ${org.id} order by id`,
  )
  for (const [at, { id }] of accounts.entries()) {
    const currency = (['EUR', 'JPY', null] as const)[at % 3]!
    const segment = one(['enterprise', 'Mid-market', 'Small', null])
    await run(sql`update accounts set currency_unit = ${currency}, segment = ${segment}
      where organization_id = ${org.id} and id = ${id}`)
  }
  const projects = await read<{ id: string; project_type: string; creation_time: string }>(sql`
    select id, project_type, creation_time from projects where organization_id = ${org.id} order by id`)
  for (const { id, creation_time } of projects.filter(
    ({ project_type }) => project_type === 'project',
  )) {
    if (chance(0.3)) continue
    const start = dateOf(new Date(Date.parse(creation_time) + (random() - 0.3) * 20 * day))
    await run(
      sql`update projects set start_date = ${start} where organization_id = ${org.id} and id = ${id}`,
    )
  }
  await writeRows(service, org, 'templates', [
    {
      organization_id: org.id,
      id: scatteredTemplate.template_id,
      template_name: 'Onboarding',
      template_type: 'project',
      template_config: { stages: scatteredTemplate.stages },
      options: {},
      is_predefined: false,
      is_default: false,
      published_version: 1,
      version: 1,
      creation_time: ago(600).toISOString(),
      last_update_time: ago(600).toISOString(),
    },
  ])
  const statuses = await read<{ id: string; module: string; category: string }>(sql`
    select id, module, category from statuses where organization_id = ${org.id} order by id`)
  const statusOf = (module: string, isDone: boolean) =>
    statuses.find((each) => each.module === module && (each.category === 'completed') === isDone)!
      .id
  const base = (creation_time: string) => ({
    organization_id: org.id,
    id: newId(),
    created_by: org.users.admin.user_id,
    version: 1,
    creation_time,
    last_update_time: now.toISOString(),
    is_private: false,
    is_shared: true,
    custom_fields: {},
  })
  // Mondays, so that nothing begins or ends on a day that nobody works
  const monday = (weeks: number) => {
    const at = ago(7 * weeks)
    return new Date(+at - ((at.getUTCDay() + 6) % 7) * day)
  }
  const weekday = (from: Date, days: number) =>
    dateOf(new Date(+from + (days + 2 * Math.floor(days / 5)) * day))
  const people = Object.values(org.users).map(({ user_id }) => user_id)
  const made: object[] = []
  const tasks: object[] = []
  for (let at = 0; at < 14; at++) {
    const from = monday(4 + Math.floor(random() * 40))
    const own = base(new Date(+from - day).toISOString())
    const isDone = chance(0.8)
    const lines = scatteredTemplate.stages.flatMap((stage) => stage.tasks)
    let last = from
    for (const [position, { id, title }] of lines.entries()) {
      const start = Math.floor(random() * 15)
      const done = weekday(from, start + Math.floor(random() * 6))
      const isTaskDone = isDone && chance(0.85)
      const end = new Date(`${done}T12:00:00Z`)
      if (isTaskDone && end > last) last = end
      tasks.push({
        ...base(own.creation_time),
        title,
        item_type: 1,
        project_id: own.id,
        template_ref: `${scatteredTemplate.template_id}/${id}`,
        status_id: statusOf('tasks', isTaskDone),
        is_completed: isTaskDone,
        completed_at: isTaskDone ? end.toISOString() : null,
        owner: one(people),
        users: [],
        start_date: weekday(from, start),
        due_date: weekday(from, start + 3),
        is_starred: false,
        is_predefined: false,
        is_risk: false,
        is_blocked: false,
        total_elapsed_time: 0,
        position,
        is_recurring: false,
      })
    }
    made.push({
      ...own,
      project_type: 'project',
      project_name: `From a template ${at}`,
      account_id: one(accounts).id,
      project_owner: one(people),
      status_id: statusOf('projects', isDone),
      template_id: scatteredTemplate.template_id,
      template_version: 1,
      start_date: dateOf(from),
      completed_at: isDone ? new Date(+last + day).toISOString() : null,
      visible_to_all: true,
      show_forecasted_date: false,
      is_arr: false,
      object_source: 'application',
    })
  }
  await writeRows(service, org, 'projects', made)
  await writeRows(service, org, 'tasks', tasks)
  const answers = await read<{ id: string; survey_id: string; finished_at: string }>(sql`
    select id, survey_id, finished_at from survey_responses
    where organization_id = ${org.id} and finished order by id`)
  const about = answers.flatMap(({ id, survey_id, finished_at }) => {
    const its = chance(0.7) ? [one(accounts)] : chance(0.3) ? accounts.slice(0, 2) : []
    return its.map((account) => ({
      organization_id: org.id,
      id: newId(),
      subject_module: 8,
      subject_id: account.id,
      kind: 'answer',
      module_id: Survey.number,
      reference_id: survey_id,
      source_id: id,
      at: finished_at,
      is_private: false,
    }))
  })
  await writeRows(service, org, 'record_activity', about)
  await writeRows(
    service,
    org,
    'account_health_days',
    accounts.flatMap(({ id }) =>
      Array.from({ length: 12 }, () => Math.floor(random() * 400))
        .filter((days, at, all) => all.indexOf(days) === at)
        .map((days) => ({
          organization_id: org.id,
          account_id: id,
          day: dateOf(ago(days)),
          score: Math.floor(random() * 101),
          is_set: true,
          inputs: {},
        })),
    ),
  )
  const deals = projects.filter(({ project_type }) => project_type === 'deal')
  const moves = Array.from({ length: 120 }, () => {
    const at = new Date(+now - random() * 300 * day)
    return {
      at,
      deal: one(deals),
      field: one(['forecasted_date', 'due_date']),
      was: dateOf(ago((random() - 0.3) * 200)),
    }
  }).toSorted((a, b) => +a.at - +b.at)
  await writeRows(
    service,
    org,
    'events',
    moves.map(({ at, deal, field, was }) => ({
      organization_id: org.id,
      id: newIdAt(at),
      type: 'deal_updated',
      title: 'Deal updated',
      module_id: 3,
      reference_id: deal.id,
      project_id: deal.id,
      actor_type: 'user',
      actor_id: org.users.admin.user_id,
      actor_name: 'Someone',
      source: 'application',
      changes: [{ field, from: chance(0.2) ? null : was, to: dateOf(now) }],
      raw_description: { module: 'deals', action: 'updated' },
      occurred_at: at.toISOString(),
    })),
  )
}

/** Somebody whose role reads everything that is their own and nothing else. */
async function ownReader(service: TestService, org: TestOrganization) {
  const email = `owner@${org.id}.test`
  const role_id = newId()
  const user_id = await service.runtime.database.transaction(org.id, async (queries) => {
    await queries.run(sql`insert into roles (organization_id, id, role_name, kind, permission)
      select organization_id, ${role_id}, 'own reader', 'member',
        (select jsonb_object_agg(key, '{"read": "own"}'::jsonb) from jsonb_object_keys(permission) key)
      from roles where organization_id = ${org.id} and id = ${org.roles.member}`)
    return createUser(queries, org.id, { email, full_name: 'Own', password_hash: null, role_id })
  })
  const identity = { organization_id: org.id, user_id, email, full_name: 'Own', role: 'own reader' }
  return { user_id, email, token: await tokenFor(service, identity) }
}

/** An attendee as the service stores it. */
function attendee(id: string) {
  return { type: 'user', id, email: null, name: null, is_optional: false, response: 'needs_action' }
}
