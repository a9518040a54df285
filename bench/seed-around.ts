import pg from 'pg'
import { connect } from '../server/src/database/connect.ts'
import { newId } from '../server/src/kit/ground/ids.ts'
import { createUser } from '../server/src/records/users/create.ts'

const log = { info() {}, warn() {}, error() {} }

/**
 * Adds what `seedWork` leaves out to its organization: contacts, documents, comments and notifications,
 * `rows` of each, and a customer and an observer who are attached to the first account and to a hundredth of
 * the projects. Gives the ids of these two users by their role.
 */
export async function seedAround(
  url: string,
  {
    organization,
    admin,
    roles,
    rows,
  }: { organization: string; admin: string; roles: { [name: string]: string }; rows: number },
): Promise<{ [role: string]: string }> {
  const client = new pg.Client({
    connectionString: url,
    options: '-c search_path=perennial,public',
  })
  await client.connect()
  client.on('error', () => {})
  const run = async (text: string) =>
    (await client.query(text.replaceAll('$org', `'${organization}'`))).rows as { id: string }[]
  const [account] = await run('select min(id) as id from accounts where organization_id = $org')
  const database = connect({ url, log, role: null })
  const confined: { [role: string]: string } = {}
  for (const role of ['customer', 'observer']) {
    const email = `${role}@${organization}.test`
    const person = { email, full_name: role, password_hash: null, role_id: roles[role]! }
    confined[role] = await database.transaction(organization, (queries) =>
      createUser(queries, organization, { ...person, account_id: account!.id }),
    )
  }
  await database.close()
  // what is written here points to what is there: nothing to check row by row
  await client.query('set session_replication_role = replica')
  for (const user of Object.values(confined))
    await run(`insert into project_members (organization_id, project_id, user_id)
      select $org, t.id, '${user}' from (select p.id, row_number() over () as n from projects p
        where p.organization_id = $org and p.project_type = 'project') t where t.n % 100 = 0`)
  await run(
    `update projects set is_shared = true where organization_id = $org and project_type = 'project'`,
  )
  const [contact, document, comment, notification] = ['g', 'h', 'i', 'j'].map(
    (letter) => newId().slice(0, 16) + letter,
  )
  const id = (prefix: string | undefined) => `'${prefix}' || lpad(i::text, 8, '0')`
  // the companies and projects of the organization in turn
  const nth = (table: string, where = 'true') =>
    `(select array_agg(id) as ids from ${table} where organization_id = $org and ${where})`
  await run(`insert into contacts (organization_id, id, full_name, primary_email, unique_key, company_id,
      contact_owner, record_source, created_by, creation_time)
    select $org, ${id(contact)}, 'Contact ' || i, 'p' || i || '@c.test', 'p' || i || '@c.test',
      c.ids[1 + i % array_length(c.ids, 1)], '${admin}', 'bench', '${admin}', now() - i * interval '1 minute'
    from generate_series(1, ${rows}) i, ${nth('companies')} c`)
  await run(`insert into documents (organization_id, id, chain_id, document_name, module_id, reference_id,
      project_id, account_id, created_by, is_shared, creation_time)
    select $org, ${id(document)}, ${id(document)}, 'Document ' || i, 2, p.ids[n.at], p.ids[n.at], null,
      '${admin}', i % 2 = 0, now() - i * interval '1 minute'
    from generate_series(1, ${rows}) i, ${nth('projects', "project_type = 'project'")} p,
      lateral (select 1 + i % array_length(p.ids, 1) as at) n`)
  await run(`insert into interactions (organization_id, id, module_id, reference_id, content, thread_id,
      created_by, is_shared, creation_time)
    select $org, ${id(comment)}, 2, p.ids[1 + i % array_length(p.ids, 1)], 'Comment ' || i, ${id(comment)},
      '${admin}', i % 2 = 0, now() - i * interval '1 minute'
    from generate_series(1, ${rows}) i, ${nth('projects', "project_type = 'project'")} p`)
  await run(`insert into notifications (organization_id, id, user_id, notification_type, title, category,
      notification_obj, read, creation_time)
    select $org, ${id(notification)}, '${admin}', 5, 'Comment ' || i, 'comment',
      jsonb_build_object('module_id', 2, 'reference_id', p.ids[1 + i % array_length(p.ids, 1)]),
      i % 10 > 0, now() - i * interval '1 minute'
    from generate_series(1, ${rows}) i, ${nth('projects', "project_type = 'project'")} p`)
  await client.query('vacuum analyze')
  await client.end()
  return confined
}
