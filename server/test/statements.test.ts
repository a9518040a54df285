import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { exceptions } from './support/statement-exceptions.ts'
import { judge } from './support/statement-rules.ts'

const of = async (text: string) => (await judge(text)).map(({ rule, what }) => `${rule} ${what}`)

describe('the rules for statements', () => {
  test('hold where each relation names the organization', async () => {
    for (const text of [
      `select t.id from tasks t where t.organization_id = $1`,
      `select id from tasks where organization_id = $1::varchar and id = any($2)`,
      `select 1 from tasks t left join users u on u.organization_id = $1 and u.id = t.owner
        where t.organization_id = $1`,
      `select (select p.project_name from projects p where p.organization_id = $1
        and p.id = t.project_id) from tasks t where t.organization_id = $1`,
      `with own as (select t.organization_id, t.id from tasks t where t.organization_id = $1)
        select from own join task_dependencies d on d.organization_id = $1 and d.task_id = own.id`,
      `select t.id from tasks t where t.organization_id = $1 union
        select m.id from milestones m where m.organization_id = $1`,
      `insert into tags (organization_id, id) select t.organization_id, $2 from tags t
        where t.organization_id = $1`,
      `update tasks t set title = $2 from json_to_recordset($3) as x (id text)
        where t.organization_id = $1 and t.id = x.id`,
      `select from signing_keys`,
      `with own as (select 1) select from own union all select from own`,
      `delete from perennial_jobs.job j where j.id = $1`,
    ])
      assert.deepEqual(await of(text), [], text)
  })

  test('find each relation that does not', async () => {
    for (const [text, ...found] of [
      ['select t.id from tasks t where t.id = $1', 'unbound tasks'],
      ['select from tasks t where t.organization_id = $1 or t.id = $2', 'unbound tasks'],
      ['select from tasks t where t.organization_id <> $1', 'unbound tasks'],
      ['select from tasks t where t.organization_id = t.organization_id', 'unbound tasks'],
      [
        `select from tasks t join users u on u.organization_id = t.organization_id`,
        'unbound tasks',
        'unbound users',
      ],
      [
        `select from tasks t join users u on u.organization_id = t.organization_id
          where t.organization_id = $1`,
        'unbound users',
      ],
      [
        `select (select p.project_name from projects p where p.organization_id = t.organization_id)
          from tasks t where t.organization_id = $1`,
        'unbound projects',
      ],
      [
        `select from tasks t left join users u on u.organization_id = $1 and t.organization_id = $1`,
        'unbound tasks',
      ],
      [
        `select from tasks t where t.organization_id = $1
          and t.project_id in (select t.id from projects t where t.deleted_at is null)`,
        'unbound projects',
      ],
      [
        `select from tasks t where t.organization_id = $1 union select from milestones m`,
        'unbound milestones',
      ],
      [`with own as (select from users) select from own`, 'unbound users'],
      [`update tasks t set title = $1 where t.id = $2`, 'unbound tasks'],
      [`delete from tasks t using users u where t.organization_id = $1`, 'unbound users'],
      [`insert into tags (id) values ($1)`, 'unbound tags'],
      [
        `insert into tags (organization_id, id) values ($1, (select 'x'))`,
        'values have a subquery',
      ],
      [
        `insert into tags (organization_id, id) select $1, t.id from json_to_recordset($2) as t (id text)`,
        'values come from no table',
      ],
      [`select pg_notify($1, $2)`, 'session pg_notify'],
      [`select pg_advisory_lock(1)`, 'session pg_advisory_lock'],
      [`delete from tags t where t.organization_id = $1 and t.ctid = $2`, 'session ctid'],
      [`listen perennial`, 'session ListenStmt'],
    ] as const)
      assert.deepEqual(await of(text), found, text)
  })

  test('are broken by what is there alone, each with its cause', () => {
    const listed = exceptions.flatMap(({ places }) => places)
    for (const place of listed) {
      assert.ok(existsSync(new URL(`../../${place}`, import.meta.url)), place)
      const text = readFileSync(new URL(`../../${place}`, import.meta.url), 'utf8')
      assert.match(text, /sql`/, `${place} sends no statement`)
    }
  })
})
