import pg from 'pg'
import { connect } from '../server/src/database/connect.ts'
import { firstIdAt, newId } from '../server/src/kit/ground/ids.ts'
import { createOrganization } from '../server/src/records/organizations/organization.ts'
import { createUser } from '../server/src/records/users/create.ts'

const log = { info() {}, warn() {}, error() {} }

/**
 * Fills one organization with work of two years: accounts, projects with milestones and tasks (a
 * hundredth of them private), deals with their stages, answers, meetings and a log. Returns the users
 * to measure as, and the ids of the roles by their names.
 */
export async function seedWork(url: string, tasks: number, deals: number) {
  const database = connect({ url, log, role: null })
  const organization = newId()
  const { users, roles } = await database.transaction(organization, async (queries) => {
    const roles = await createOrganization(queries, organization, { name: 'Large' })
    const made: { [role: string]: string } = {}
    for (const role of ['admin', 'member'] as const) {
      const email = `${role}@${organization}.test`
      const person = { email, full_name: role, password_hash: null, role_id: roles[role] }
      made[role] = await createUser(queries, organization, person)
    }
    return { users: made, roles }
  })
  await database.close()
  const client = new pg.Client({
    connectionString: url,
    options: '-c search_path=perennial,public',
  })
  await client.connect()
  // all references are valid, so rows need not be checked one by one
  await client.query('set session_replication_role = replica')
  const projects = Math.ceil(tasks / 100)
  // ids of a table: its prefix and a number
  const [task, project, deal, account, survey, company] = ['a', 'b', 'c', 'd', 'e', 'f'].map(
    (letter) => newId().slice(0, 16) + letter,
  )
  const run = (text: string, ...values: unknown[]) =>
    client.query(
      text.replaceAll('$org', `'${organization}'`).replaceAll('$admin', `'${users.admin}'`),
      values,
    )
  const id = (prefix: string | undefined, n: string) => `'${prefix}' || lpad((${n})::text, 8, '0')`
  const ago = (days: string) => `now() - (${days}) * interval '1 day'`
  await run(`insert into companies (organization_id, id, company_name, domain, unique_key,
      record_source, creation_time)
    select $org, ${id(company, 'i')}, 'Company ' || i, 'c' || i || '.test', 'd:c' || i || '.test',
      'bench', ${ago('i % 730')} from generate_series(1, 20000) i`)
  await run(`insert into accounts (organization_id, id, account_name, creation_time)
    select $org, ${id(account, 'i')}, 'Account ' || i, ${ago('i % 730')}
    from generate_series(1, 5000) i`)
  await run(
    `with s as (select array_agg(id order by position) as ids,
        array_agg(category order by position) as categories
      from statuses where organization_id = $org and module = 'projects')
    insert into projects (organization_id, id, project_name, account_id, status_id, completed_at,
      created_by, visible_to_all, due_date, creation_time, last_update_time)
    select $org, ${id(project, 'i')}, 'Project ' || i, ${id(account, '1 + i % 5000')},
      s.ids[1 + i % array_length(s.ids, 1)],
      case when s.categories[1 + i % array_length(s.ids, 1)] = 'completed' then ${ago('i % 300')} end,
      $admin, i % 50 > 0, current_date + i % 60 - 20, ${ago('300 + i % 400')}, ${ago('i % 200')}
    from generate_series(1, $1::int) i, s`,
    projects,
  )
  await run(
    `insert into milestones (organization_id, id, project_id, name, due_date, completed_at,
      creation_time)
    select $org, ${id(project, 'i')}, ${id(project, '1 + i / 4')}, 'Milestone ' || i,
      current_date + i % 100 - 60, case when i % 3 > 0 then ${ago('i % 250')} end, ${ago('300')}
    from generate_series(0, $1::int * 4 - 1) i`,
    projects,
  )
  await run(
    `with s as (select array_agg(id order by position) filter (where category <> 'completed') as open,
        min(id) filter (where category = 'completed') as done
      from statuses where organization_id = $org and module = 'tasks')
    insert into tasks (organization_id, id, title, project_id, status_id, is_completed, completed_at,
      due_date, owner, created_by, is_private, description, creation_time, last_update_time)
    select $org, ${id(task, 'i')}, 'Task number ' || i, ${id(project, '1 + i % $2::int')},
      case when i % 10 < 7 then s.done else s.open[1 + i % array_length(s.open, 1)] end, i % 10 < 7,
      case when i % 10 < 7 then ${ago('(i / 10) % 400')} end,
      current_date + (i / 7) % 120 - 60, $admin, $admin, i % 100 = 0,
      repeat('What is to be done here. ', 4), ${ago('400 + i % 300')}, now()
    from generate_series(1, $1::int) i, s`,
    tasks,
    projects,
  )
  await run(
    `with s as (select array_agg(id order by position) as ids,
        array_agg(category order by position) as categories, min(pipeline_id) as pipeline
      from stages where organization_id = $org)
    insert into projects (organization_id, id, project_type, project_name, account_id, pipeline_id,
      stage_id, stage_entered_at, closed_at, expected_deal_value, due_date, project_owner, created_by,
      is_private, creation_time, last_update_time)
    select $org, ${id(deal, 'i')}, 'deal', 'Deal ' || i, ${id(account, '1 + i % 5000')}, s.pipeline,
      s.ids[1 + i % 6], ${ago('i % 365')},
      case when s.categories[1 + i % 6] <> 'open' then ${ago('i % 365')} end, 100 + i % 900,
      current_date + i % 200 - 50, $admin, $admin, i % 100 = 0, ${ago('i % 365 + i % 90')}, now()
    from generate_series(1, $1::int) i, s`,
    deals,
  )
  // each deal has been in three stages
  await run(
    `with s as (select array_agg(id order by position) as ids from stages where organization_id = $org)
    insert into stage_changes (organization_id, id, project_id, stage_id, entered_at, left_at)
    select $org, ${id(deal, 'i * 3 + n')}, p.id,
      case when n = 2 then p.stage_id else s.ids[1 + n] end,
      p.creation_time + (p.stage_entered_at - p.creation_time) * n / 2,
      case when n < 2 then p.creation_time + (p.stage_entered_at - p.creation_time) * (n + 1) / 2 end
    from generate_series(1, $1::int) i, generate_series(0, 2) n, s, projects p
    where p.organization_id = $org and p.id = ${id(deal, 'i')}`,
    deals,
  )
  await run(`insert into surveys (organization_id, id, name, account_id, status)
    select $org, ${id(survey, 'i')}, 'Survey ' || i, ${id(account, 'i')}, 'published'
    from generate_series(1, 100) i`)
  await run(`insert into survey_versions (organization_id, survey_id, version, pages)
    select $org, ${id(survey, 'i')}, 1,
      '[{"id": "p1", "title": "One", "fields": [{"id": "q1", "type": "nps", "label": "Likely?"}]}]'
    from generate_series(1, 100) i`)
  await run(`insert into survey_responses (organization_id, id, survey_id, structure_version, answers,
      finished, finished_at)
    select $org, ${id(survey, 'i')}, ${id(survey, '1 + i % 100')}, 1,
      jsonb_build_object('q1', i % 11), true, ${ago('i % 365')}
    from generate_series(1, 100000) i`)
  await run(`insert into meetings (organization_id, id, title, starts_at, ends_at, repeat, created_by)
    select $org, ${id(survey, 'i')}, 'Meeting ' || i, ${ago('i % 365')}, ${ago('i % 365')},
      case when i % 1000 = 0 then '{"rrule": "FREQ=WEEKLY", "exdates": []}'::jsonb end, $admin
    from generate_series(1, 50000) i`)
  // the log's ids rise with time, as they do where each is made when it happens
  const days = 180
  for (let day = 0; day < days; day++) {
    const event = firstIdAt(new Date(Date.now() - (day + 1) * 86_400_000)).slice(0, 17)
    await run(
      `insert into events (organization_id, id, type, title, module_id, reference_id, project_id,
        actor_type, actor_id, actor_name, source, occurred_at)
      select $org, ${id(event, 'i')}, 'task_updated', 'Task updated', 1, ${id(task, 'i')},
        ${id(project, '1 + i % $2::int')}, 'user', $admin, 'admin', 'application',
        ${ago('$3::int + (1 - i::float8 / $1::int)')}
      from generate_series(1, $1::int) i`,
      Math.ceil(tasks / days),
      projects,
      day,
    )
  }
  await client.query('vacuum analyze')
  await client.end()
  return { organization, users, roles }
}
