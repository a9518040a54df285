import pg from 'pg'
import { connect } from '../server/src/database/connect.ts'
import { firstIdAt, newId } from '../server/src/kit/ground/ids.ts'
// the levels of roles follow from the records
import '../server/src/model/all.ts'
import { sql } from '../server/src/kit/ground/sql.ts'
import { createOrganization } from '../server/src/records/organizations/organization.ts'
import { createUser } from '../server/src/records/users/create.ts'

const log = { info() {}, warn() {}, error() {} }

/** The number of records of each type in an organization of size 1. */
export const whole = {
  users: 300,
  companies: 30_000,
  contacts: 150_000,
  accounts: 20_000,
  projects: 10_000,
  deals: 60_000,
  milestones: 40_000,
  tasks: 300_000,
  meetings: 100_000,
  documents: 100_000,
  comments: 200_000,
  notifications: 200_000,
  surveys: 200,
  responses: 50_000,
  entries: 1_000_000,
}
export type Numbers = { [table in keyof typeof whole]: number }

/** The readers: an administrator, a member, roles that see only their own or their team's records, and confined ones. */
export const readers = [
  'admin',
  'member',
  'team',
  'own',
  'customer',
  'partner',
  'observer',
] as const
export type Seeded = {
  organization: string
  users: { [reader in (typeof readers)[number]]: string }
  numbers: Numbers
}

/**
 * Fills one organization with years of work: records that belong to all users in turn and are linked to each other,
 * with the indexes of filters and the search. `size` is the fraction of `whole`.
 */
export async function seedOrganization(url: string, size: number): Promise<Seeded> {
  const numbers = Object.fromEntries(
    Object.entries(whole).map(([name, number]) => [name, Math.ceil(number * size)]),
  ) as Numbers
  const { organization, users, roles } = await people(url)
  const client = new pg.Client({
    connectionString: url,
    options: '-c search_path=perennial,public',
  })
  await client.connect()
  const prefixes = new Map<string, string>()
  /** The id of the n-th row of a table, as SQL. */
  const id = (table: string, n: string) => {
    if (!prefixes.has(table)) prefixes.set(table, newId().slice(0, 17))
    return `'${prefixes.get(table)}' || lpad((${n})::int::text, 8, '0')`
  }
  /** A row of a table, by a number that selects all of them in turn. */
  const one = (table: keyof Numbers, n = 'i') => id(table, `1 + (${n}) % ${numbers[table]}`)
  const person = (n = 'i') => `(u.ids)[1 + (${n}) % array_length(u.ids, 1)]`
  const ago = (days: string) => `now() - (${days}) * interval '1 day'`
  const run = async (table: keyof Numbers | number, text: string, turn = '') => {
    const rows = typeof table === 'number' ? table : numbers[table]
    const from = `generate_series(1, ${rows}) i, people u ${turn}`
    await client.query(text.replaceAll('$org', `'${organization}'`).replaceAll('$from', from))
  }

  await client.query('create temporary table people (ids text[])')
  await client.query('insert into people values ($1)', [[users.admin]])
  await run(
    'users',
    `insert into users (organization_id, id, email, email_key, full_name, role_id, reports_to, department)
    select $org, ${id('users', 'i')}, 'user' || i || '@${organization}.test', 'user' || i || '@${organization}.test',
      'User Number ' || i, '${roles.member}',
      case when i % 30 = 0 then '${users.team}' end, (array['Sales', 'Service', 'Delivery'])[1 + i % 3] from $from`,
  )
  // the readers own a share of everything, like all users
  await client.query('delete from people')
  await client.query(
    `insert into people select array_agg(id order by id) from users
      where organization_id = $1 and id <> all($2)`,
    [organization, [users.customer, users.partner, users.observer]],
  )
  await run(
    'companies',
    `insert into companies (organization_id, id, company_name, domain, unique_key, industry, employee_range,
      company_owner, lead_status, customer_segment, hq_country, tags, record_source, created_by, creation_time, last_update_time)
    select $org, ${id('companies', 'i')}, initcap(translate((i % 89)::text, '0123456789', 'bdfghklmnp')) || 'ora '
        || translate(i::text, '0123456789', 'aeioukrsty') || ' Ltd',
      'c' || i || '.test', 'd:c' || i || '.test', (array['software', 'retail', 'energy'])[1 + i % 3],
      (array['1-10', '11-50', '51-200'])[1 + i % 3], ${person('i / 3')},
      (array['new', 'open', 'qualified', 'nurturing'])[1 + i % 4], (array['smb', 'enterprise'])[1 + i % 2],
      (array['GB', 'US', 'DE', 'FR'])[1 + i % 4], '["vip"]', 'bench', ${person()},
      ${ago('i % 730')}, ${ago('i % 300')} from $from`,
  )
  await run(
    'contacts',
    `insert into contacts (organization_id, id, full_name, primary_email, unique_key, company_id, contact_owner,
      job_title, lead_status, lead_source, phone, tags, record_source, created_by, creation_time, last_update_time)
    select $org, ${id('contacts', 'i')}, initcap(translate((i % 97)::text, '0123456789', 'bdfghklmnp') || 'ael ' ||
        translate(i::text, '0123456789', 'aeioukrsty') || 'son'),
      'p' || i || '@c' || 1 + i % ${numbers.companies} || '.test', 'p' || i || '@c.test', ${one('companies')}, ${person()},
      (array['Head of Things', 'Engineer', 'Buyer'])[1 + i % 3], (array['new', 'open', 'qualified', 'converted'])[1 + i % 4],
      'website', '+44 20 7946 ' || lpad((i % 10000)::text, 4, '0'), '["vip", "newsletter"]', 'bench', ${person('i / 7')},
      ${ago('i % 730')}, ${ago('i % 300')} from $from`,
  )
  await run(
    'accounts',
    `insert into accounts (organization_id, id, account_name, account_owner, company_id, customer_contact, segment, region,
      created_by, creation_time, last_update_time)
    select $org, ${id('accounts', 'i')}, 'Account ' || i, ${person()}, ${one('companies')}, ${one('contacts')},
      (array['smb', 'enterprise'])[1 + i % 2], (array['EMEA', 'AMER'])[1 + i % 2], ${person('i / 7')},
      ${ago('i % 730')}, ${ago('i % 300')} from $from`,
  )
  await client.query(
    `update users set account_id = ${id('accounts', '1')} where organization_id = $1 and id = any($2)`,
    [organization, [users.customer, users.partner]],
  )
  await run(
    'projects',
    `insert into projects (organization_id, id, project_name, account_id, status_id, completed_at, project_owner,
      project_manager, created_by, visible_to_all, is_shared, due_date, creation_time, last_update_time)
    select $org, ${id('projects', 'i')}, 'Project ' || i, ${one('accounts')}, s.ids[1 + i % array_length(s.ids, 1)],
      case when s.categories[1 + i % array_length(s.ids, 1)] = 'completed' then ${ago('i % 300')} end,
      ${person()}, ${person('i / 3')}, ${person('i / 7')}, i % 50 > 0, i % 2 = 0, current_date + i % 60 - 20,
      ${ago('300 + i % 400')}, ${ago('i % 200')} from $from`,
    `, (select array_agg(id order by position) as ids, array_agg(category order by position) as categories
        from statuses where organization_id = $org and module = 'projects') s`.replaceAll(
      '$org',
      `'${organization}'`,
    ),
  )
  await run(
    'deals',
    `insert into projects (organization_id, id, project_type, project_name, account_id, pipeline_id, stage_id,
      stage_entered_at, closed_at, expected_deal_value, due_date, project_owner, created_by, is_private, creation_time,
      last_update_time)
    select $org, ${id('deals', 'i')}, 'deal', 'Deal ' || i, ${one('accounts')}, s.pipeline,
      s.ids[1 + i % array_length(s.ids, 1)], ${ago('i % 365')},
      case when s.categories[1 + i % array_length(s.ids, 1)] <> 'open' then ${ago('i % 365')} end, 100 + i % 900,
      current_date + i % 200 - 50, ${person()}, ${person('i / 7')}, i % 100 = 0, ${ago('i % 365 + i % 90')}, ${ago('i % 90')}
    from $from`,
    `, (select array_agg(id order by position) as ids, array_agg(category order by position) as categories,
          min(pipeline_id) as pipeline from stages where organization_id = '${organization}'
          and pipeline_id = (select min(pipeline_id) from stages where organization_id = '${organization}')) s`,
  )
  await run(
    numbers.deals,
    `insert into stage_changes (organization_id, id, project_id, stage_id, entered_at, left_at)
    select $org, ${id('stage_changes', 'i * 3 + n')}, ${id('deals', 'i')}, s.ids[1 + n],
      ${ago('i % 365 + 10 * (3 - n)')}, case when n < 2 then ${ago('i % 365 + 10 * (2 - n)')} end
    from $from`,
    `, generate_series(0, 2) n, (select array_agg(id order by position) as ids from stages
        where organization_id = '${organization}') s`,
  )
  await run(
    numbers.projects + numbers.deals,
    `insert into project_members (organization_id, project_id, user_id)
    select distinct $org, case when i <= ${numbers.projects} then ${id('projects', 'i')}
      else ${id('deals', `i - ${numbers.projects}`)} end, ${person('i * 3 + n')} from $from`,
    ', generate_series(0, 2) n',
  )
  for (const user of [users.customer, users.partner, users.observer])
    await run(
      'projects',
      `insert into project_members (organization_id, project_id, user_id)
      select $org, ${id('projects', 'i')}, '${user}' from $from where i % 100 = 0`,
    )
  await run(
    'milestones',
    `insert into milestones (organization_id, id, project_id, name, due_date, completed_at, owner, created_by, is_shared,
      position, creation_time)
    select $org, ${id('milestones', 'i')}, ${one('projects')}, 'Milestone ' || i, current_date + i % 100 - 60,
      case when i % 3 > 0 then ${ago('i % 250')} end, ${person()}, ${person('i / 7')}, i % 2 = 0,
      i / ${numbers.projects}, ${ago('300')} from $from`,
  )
  await run(
    'tasks',
    `insert into tasks (organization_id, id, title, project_id, milestone_id, status_id, is_completed, completed_at, priority,
      due_date, owner, created_by, is_private, is_shared, description, parent_id, creation_time, last_update_time)
    select $org, ${id('tasks', 'i')}, 'Task number ' || i, ${one('projects')},
      case when i % 3 = 0 then ${one('milestones')} end,
      case when i % 10 < 7 then s.done else s.open[1 + i % array_length(s.open, 1)] end, i % 10 < 7,
      case when i % 10 < 7 then ${ago('(i / 10) % 400')} end, (array['low', 'medium', 'high'])[1 + i % 3],
      current_date + (i / 7) % 120 - 60, ${person('i / 3')}, ${person('i / 11')}, i % 100 = 0, i % 2 = 0,
      repeat('What is to be done here. ', 4),
      case when i % 10 = 0 and i > ${numbers.projects} then ${id('tasks', `i - ${numbers.projects}`)} end,
      ${ago('400 + i % 300')}, ${ago('i % 100')} from $from`,
    `, (select array_agg(id order by position) filter (where category <> 'completed') as open,
        min(id) filter (where category = 'completed') as done from statuses
        where organization_id = '${organization}' and module = 'tasks') s`,
  )
  await run(
    'tasks',
    `insert into time_entries (organization_id, id, task_id, user_id, date, seconds)
    select $org, ${id('time_entries', 'i')}, ${id('tasks', 'i')}, ${person('i / 3')}, ${ago('i % 100')}::date, 8640
    from $from where i % 5 = 0`,
  )
  await run(
    'meetings',
    `insert into meetings (organization_id, id, title, starts_at, ends_at, project_id, extended_props, attendees, repeat,
      is_shared, created_by)
    select $org, ${id('meetings', 'i')}, 'Meeting ' || i, ${ago('i % 365 - 30')}, ${ago('i % 365 - 30.02')},
      case when i % 2 = 0 then ${one('projects')} end,
      case when i % 3 = 0 then jsonb_build_object('company_id', ${one('companies')}) else '{}' end,
      jsonb_build_array(jsonb_build_object('user_id', ${person()}, 'status', 'accepted')),
      case when i % 1000 = 0 then '{"rrule": "FREQ=WEEKLY", "exdates": []}'::jsonb end, i % 2 = 0, ${person('i / 7')}
    from $from`,
  )
  await run(
    'meetings',
    `insert into meeting_contacts (organization_id, id, calendar_id, contact_id)
    select $org, ${id('meeting_contacts', 'i')}, ${id('meetings', 'i')}, ${one('contacts')} from $from`,
  )
  await run(
    'documents',
    `insert into documents (organization_id, id, chain_id, document_name, module_id, reference_id, project_id, account_id,
      document_owner, created_by, is_shared, document_status, view_count, tags, creation_time, last_update_time)
    select $org, ${id('documents', 'i')}, ${id('documents', 'i')}, 'Document ' || i, 2, ${one('projects')},
      ${one('projects')}, ${one('accounts', `1 + i % ${numbers.projects}`)}, ${person()}, ${person('i / 7')}, i % 2 = 0,
      (array['draft', 'published'])[1 + i % 2], i % 20, '["contract"]', ${ago('i % 730')}, ${ago('i % 300')} from $from`,
  )
  await run(
    'documents',
    `insert into document_days (organization_id, document_id, day, views, downloads, shares)
    select $org, ${id('documents', 'i')}, current_date - (i + n * 31) % 365, 1 + i % 5, i % 3, i % 2 from $from`,
    ', generate_series(0, 1) n',
  )
  // comments are on projects, tasks, deals and accounts; a third are replies
  await run(
    'comments',
    `insert into interactions (organization_id, id, module_id, reference_id, content, parent_interaction_id, thread_id,
      thread_level, created_by, is_shared, creation_time)
    select $org, ${id('comments', 'i')}, r.module, r.id, 'Comment number ' || i || ' about what is to be done',
      case when i % 3 = 0 then ${id('comments', 'i - 2')} end,
      case when i % 3 = 0 then ${id('comments', 'i - 2')} else ${id('comments', 'i')} end,
      (i % 3 = 0)::int, ${person()}, i % 2 = 0, ${ago('i % 365')} from $from`,
    `, lateral (select 2 as module, ${one('projects', 'i / 3')} as id where i / 3 % 4 = 0
        union all select 1, ${one('tasks', 'i / 3')} where i / 3 % 4 = 1
        union all select 3, ${one('deals', 'i / 3')} where i / 3 % 4 = 2
        union all select 8, ${one('accounts', 'i / 3')} where i / 3 % 4 = 3) r`,
  )
  await run(
    'notifications',
    `insert into notifications (organization_id, id, user_id, notification_type, title, category, notification_obj, read,
      creation_time)
    select $org, ${id('notifications', 'i')},
      case when i % 4 = 0 then (array['${readers.map((each) => users[each]).join("', '")}'])[1 + i / 4 % ${readers.length}] else ${person()} end,
      5, 'Comment ' || i, 'comment', jsonb_build_object('module_id', 2, 'reference_id', ${one('projects')}),
      i % 10 > 0, ${ago('i % 90')} from $from`,
  )
  await run(
    'surveys',
    `insert into surveys (organization_id, id, name, account_id, status, created_by, response_count)
    select $org, ${id('surveys', 'i')}, 'Survey ' || i, ${one('accounts')}, 'published', ${person()},
      ${Math.floor(numbers.responses / numbers.surveys)} from $from`,
  )
  await run(
    'surveys',
    `insert into survey_versions (organization_id, survey_id, version, pages)
    select $org, ${id('surveys', 'i')}, 1,
      '[{"id": "p1", "title": "One", "fields": [{"id": "q1", "type": "nps", "label": "Likely?"}]}]' from $from`,
  )
  await run(
    'surveys',
    `update surveys s set form_structure = jsonb_build_object('version', 1, 'pages', v.pages)
    from survey_versions v where s.organization_id = $org and v.organization_id = $org and v.survey_id = s.id`,
  )
  await run(
    'responses',
    `insert into survey_responses (organization_id, id, survey_id, structure_version, answers, respondent_email, finished,
      finished_at)
    select $org, ${id('responses', 'i')}, ${one('surveys')}, 1, jsonb_build_object('q1', i % 11), 'p' || i || '@c.test',
      true, ${ago('i % 365')} from $from`,
  )
  for (const [kind, rows] of [
    ['meeting', numbers.meetings],
    ['answer', numbers.responses],
  ] as const)
    await run(
      rows,
      `insert into record_activity (organization_id, id, subject_module, subject_id, kind, source_id, at, nps)
      select $org, ${id(kind, 'i')}, 8, ${one('accounts')}, '${kind}', ${id(`${kind}s`, 'i')}, ${ago('i % 365')},
        ${kind === 'answer' ? 'i % 11' : 'null'} from $from`,
    )
  // the log's ids rise with time, as they do where each is made when it happens
  const days = 200
  for (let day = days - 1; day >= 0; day--) {
    const prefix = firstIdAt(new Date(Date.now() - (day + 1) * 86_400_000)).slice(0, 17)
    await run(
      Math.ceil(numbers.entries / days),
      `insert into events (organization_id, id, type, title, module_id, reference_id, project_id, actor_type, actor_id,
        actor_name, source, changes, occurred_at)
      select $org, '${prefix}' || lpad(i::text, 8, '0'), r.word || '_updated', initcap(r.word) || ' updated', r.module, r.id,
        r.project, 'user', ${person()}, 'Somebody', 'application',
        '[{"field": "priority", "from": "low", "to": "high"}]', ${ago(`${day} + (1 - i::float8 / ${Math.ceil(numbers.entries / days)})`)}
      from $from`,
      `, lateral (select 'task' as word, 1 as module, ${one('tasks', `i * ${days} + ${day}`)} as id,
            ${one('projects', `i * ${days} + ${day}`)} as project where i % 4 < 2
          union all select 'contact', 5, ${one('contacts', `i * ${days} + ${day}`)}, null where i % 4 = 2
          union all select 'project', 2, ${one('projects', `i * ${days} + ${day}`)}, ${one('projects', `i * ${days} + ${day}`)}
            where i % 4 = 3) r`,
    )
  }
  await client.end()
  return { organization, users, numbers }
}

/** The organization and its readers. */
async function people(url: string) {
  const database = connect({ url, log, role: null })
  const organization = newId()
  const made = await database.transaction(organization, async (queries) => {
    const roles: { [name: string]: string } = await createOrganization(queries, organization, {
      name: `Organization ${organization}`,
    })
    // as a member, but for what they read
    for (const level of ['team', 'own']) {
      roles[level] = newId()
      await queries.run(sql`insert into roles (organization_id, id, role_name, kind, permission)
        select organization_id, ${roles[level]}, ${level}, kind, (select jsonb_object_agg(module,
          levels || case when levels ->> 'read' = 'all' then ${JSON.stringify({ read: level })}::jsonb else '{}' end)
          from jsonb_each(permission) each (module, levels))
        from roles where organization_id = ${organization} and id = ${roles.member}`)
    }
    const users = {} as Seeded['users']
    for (const reader of readers) {
      const email = `${reader}@${organization}.test`
      const role_id = roles[reader]!
      const person = { email, full_name: `The ${reader}`, password_hash: null, role_id }
      users[reader] = await createUser(queries, organization, person)
    }
    return { users, roles }
  })
  await database.close()
  return { organization, ...made }
}
