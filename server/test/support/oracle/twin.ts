import pg from 'pg'
import type { Context } from '../../../src/kit/ground/context.ts'
import { newId } from '../../../src/kit/ground/ids.ts'
import type { AnyRecord } from '../../../src/kit/record/record.ts'
import { scope } from '../../../src/kit/record/scope.ts'
import { records } from '../../../src/model/all.ts'
import type { TestService } from '../service.ts'
import { sql } from '../service.ts'
import { atEnd } from '../finally.ts'
import type { Dice } from './dense.ts'

/** A connection that owns the database: copies of whole organizations go past keys and triggers. */
export async function ownerOf(service: TestService): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: service.runtime.database.url,
    options: '-c search_path=perennial,public -c app.organization=*',
  })
  await client.connect()
  atEnd(() => client.end())
  // what is visible must stay as it is where a link that is hidden changes
  await client.query('alter table projects disable trigger derive_account_changed')
  await client.query('alter table projects disable trigger parts_follow_project')
  await client.query('alter table tasks disable trigger documents_follow_task')
  return client
}

/** Has the service plan each statement once, whatever its parameters are: planning is most of what these large ones cost. */
export async function planOnce(owner: pg.Client): Promise<void> {
  const { rows } = await owner.query<{ name: string }>('select current_database() as name')
  await owner.query(
    `alter database ${quoted(rows[0]?.name ?? '')} set plan_cache_mode = force_generic_plan`,
  )
  // connections that were open before are opened again, with the setting
  await owner.query(`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'perennial read'`)
}

/** Another organization with the same rows of every table under the same ids. */
export async function copyOrganization(owner: pg.Client, from: string): Promise<string> {
  const to = newId()
  const columns = await columnsOf(owner)
  await owner.query('begin')
  await owner.query('set local session_replication_role = replica')
  for (const [table, names] of columns) {
    const others = names.filter((name) => name !== 'organization_id').map(quoted)
    await owner.query(
      `insert into ${quoted(table)} (organization_id${others.map((name) => `, ${name}`).join('')})
       select $2${others.map((name) => `, ${name}`).join('')} from ${quoted(table)}
       where organization_id = $1`,
      [from, to],
    )
  }
  await owner.query('commit')
  return to
}

/** The ids of the rows that a caller reads, by table. */
export type Visible = Map<string, Set<string>>

/** What the caller reads of every record by its rights; `isOpen` leaves records to an app's scopes. */
export async function visibleTo(
  ctx: Context,
  isOpen: (record: AnyRecord) => boolean,
): Promise<Visible> {
  const visible: Visible = new Map(records.map(({ table }) => [table, new Set<string>()]))
  const each = records.filter(isOpen).map(
    (record) => sql`select ${record.table}::text as source, t.id from ${sql.table(record.table)} t
      where ${scope(ctx, record, 'read')}`,
  )
  const found = await ctx.cells(sql.join(each, sql` union all `))
  for (const [table, id] of found) if (table && id) visible.get(table)?.add(id)
  return visible
}

type Hiding = {
  dice: Dice
  visible: Visible
  /** whether the caller still reads the same rows */
  isSame: () => Promise<boolean>
  /** of hidden records what links show all the same: id and name, and that they exist */
  keepsNames?: boolean
  /** the reader is a customer or partner: internal fields of visible rows are changed, too */
  isExternal?: boolean
}

/**
 * Changes in an organization all that a caller does not read: values of hidden rows and their links,
 * new and deleted ones, and what visible rows link to of them. A change after which the caller reads
 * other rows is taken back. Gives how many rows differ.
 */
export async function changeHidden(
  owner: pg.Client,
  to: string,
  { dice, visible, isSame, keepsNames = false, isExternal = false }: Hiding,
): Promise<number> {
  const columns = await columnsOf(owner)
  const types = await typesOf(owner)
  const hidden = new Map<string, string[]>()
  let changed = 0
  for (const table of visible.keys()) {
    const { rows } = await owner.query<{ id: string }>(
      `select id from ${quoted(table)} where organization_id = $1 order by id`,
      [to],
    )
    hidden.set(
      table,
      rows.map(({ id }) => id).filter((id) => !visible.get(table)?.has(id)),
    )
  }
  for (const record of records) {
    if (untouched.includes(record.table)) continue
    const its = hidden.get(record.table) ?? []
    const seen = [...(visible.get(record.table) ?? [])]
    const gone = keepsNames || !record.life.softDelete ? [] : its.slice(2, 3)
    // together, since to see that the caller reads the same takes the longest
    changed += await all(record, [
      ...its.map((id) => () => rewrite(record, id)),
      ...its.slice(0, 2).map((id) => () => twin(record, id)),
      ...gone.map((id) => () => hide(record, id)),
      ...seen.map((id) => () => relink(record, id)),
    ])
  }
  if (isExternal) {
    // deals are closed to them, and share a table with projects
    for (const record of records.filter(({ word }) => word !== 'deal')) {
      const seen = [...(visible.get(record.table) ?? [])]
      changed += await all(
        record,
        seen.map((id) => () => rewriteInternal(record, id)),
      )
    }
    await addInternalEntries()
  }
  await addLinks()
  if (await addStranger()) changed++
  if (!(await isSame())) throw new Error('the caller reads other rows than before')
  return changed

  /** A user whom only this organization has, unless the caller reads users. */
  async function addStranger(): Promise<boolean> {
    const id = newId()
    const names = (columns.get('users') ?? []).filter(
      (name) => !['organization_id', 'id', 'email', 'email_key', 'full_name'].includes(name),
    )
    const list = names.map(quoted).join(', ')
    await owner.query(
      `insert into users (organization_id, id, email, email_key, full_name, ${list})
       select organization_id, $2, $3, $3, $4, ${list} from users
       where organization_id = $1 order by id limit 1`,
      [to, id, stranger.email, stranger.full_name],
    )
    if (await isSame()) return true
    await owner.query('delete from users where organization_id = $1 and id = $2', [to, id])
    return false
  }

  /** All of these changes but those after which the caller would read other rows: they are found by halves. */
  async function all(record: AnyRecord, changes: (() => Promise<unknown>)[]): Promise<number> {
    if (!changes.length) return 0
    const before = await snapshot(record.table)
    let made = 0
    for (const change of changes) if (await isMade(change)) made++
    if (await isSame()) return made
    await restore(record.table, before)
    if (changes.length === 1) return 0
    const half = Math.ceil(changes.length / 2)
    made = await all(record, changes.slice(0, half))
    return made + (await all(record, changes.slice(half)))
  }

  /** Whether a change was made: a key or a check may refuse it. */
  async function isMade(change: () => Promise<unknown>): Promise<boolean> {
    try {
      return (await change()) !== undefined
    } catch (error) {
      if (error instanceof pg.DatabaseError && error.code?.startsWith('23')) return false
      throw error
    }
  }

  function hide(record: AnyRecord, id: string) {
    return owner.query(
      `update ${quoted(record.table)} set deleted_at = now() where organization_id = $1 and id = $2`,
      [to, id],
    )
  }

  async function snapshot(table: string) {
    const { rows } = await owner.query<{ row: string }>(
      `select row_to_json(t)::text as row from ${quoted(table)} t where organization_id = $1`,
      [to],
    )
    return rows.map(({ row }) => row)
  }

  async function restore(table: string, before: string[]) {
    const names = (columns.get(table) ?? []).map(quoted)
    await owner.query(
      `delete from ${quoted(table)} where organization_id = $1
      and not id = any(select json_array_elements($2::json) ->> 'id')`,
      [to, `[${before.join()}]`],
    )
    const set = names.map((name) => `${name} = r.${name}`)
    await owner.query(
      `update ${quoted(table)} t set ${set.join(', ')}
       from json_populate_recordset(null::${quoted(table)}, $2::json) r
       where t.organization_id = $1 and t.id = r.id`,
      [to, `[${before.join()}]`],
    )
  }

  /** Other values in whatever columns of a row the checks let be changed. */
  function rewrite(record: AnyRecord, id: string) {
    const set: string[] = []
    const values: unknown[] = [to, id]
    for (const [name, field] of Object.entries(record.fields)) {
      const column = field.column ?? name
      if (field.expression || !columns.get(record.table)?.includes(column)) continue
      if (fixed.includes(column) || (keepsNames && name === record.title)) continue
      // two fields may show one column
      if (set.some((each) => each.startsWith(`${quoted(column)} =`))) continue
      const type = types.get(`${record.table}.${column}`)
      const value = otherValue(record, name, type)
      if (value === undefined) continue
      values.push(value)
      set.push(`${quoted(column)} = $${values.length}`)
    }
    if (!set.length) return Promise.resolve(undefined)
    return owner.query(
      `update ${quoted(record.table)} set ${set.join(', ')} where organization_id = $1 and id = $2`,
      values,
    )
  }

  function otherValue(record: AnyRecord, name: string, type: string | undefined): unknown {
    const field = record.fields[name]
    if (!field) return undefined
    if (field.reference) {
      const target = field.reference.to?.()
      const others = target && hidden.get(target.table)
      if (!others || keepsNames) return undefined
      const other = dice.maybe(others)
      return other === null && !field.nullable ? undefined : other
    }
    if (Array.isArray(field.schema.enum) || field.access === 'key') return undefined
    // the amounts of its deals are in it, and say so
    if (record.table === 'accounts' && name === 'currency_unit') return undefined
    if (type === 'text') return `${dice.word()} hidden`
    if (type === 'numeric' || type === 'double precision') return dice.below(100_000)
    if (type === 'date') return `20${20 + dice.below(9)}-0${1 + dice.below(9)}-11`
    if (type === 'integer') return 1 + dice.below(90)
    return type === 'boolean' && !name.startsWith('is_p') ? dice.chance(0.5) : undefined
  }

  /** Other values in the internal fields of a row that the caller sees. */
  function rewriteInternal(record: AnyRecord, id: string) {
    const set: string[] = []
    const values: unknown[] = [to, id]
    const put = (column: string, value: unknown) => {
      if (value === undefined || set.some((each) => each.startsWith(`${quoted(column)} =`))) return
      values.push(value)
      set.push(`${quoted(column)} = $${values.length}`)
    }
    for (const [name, field] of Object.entries(record.fields)) {
      const column = field.column ?? name
      if (!field.audience || field.expression) continue
      if (!columns.get(record.table)?.includes(column)) continue
      const type = types.get(`${record.table}.${column}`)
      if (column === 'custom_fields') {
        const word = `'${dice.word()}'`
        set.push(
          `custom_fields = custom_fields || jsonb_build_object('closed', ${word}, 'loose', ${word})`,
        )
      } else if (column === 'tags') {
        set.push(`tags = case when jsonb_typeof(tags) = 'array' then tags else '[]' end
          || '["${dice.word()}"]'::jsonb`)
      } else if (column === 'absences') {
        const day = `2026-1${dice.below(3)}-11`
        put(column, JSON.stringify([{ start_date: day, end_date: day }]))
      } else if (column === 'working_hours') {
        put(column, JSON.stringify([{ days: [1], from: '07:00', to: `1${dice.below(9)}:00` }]))
      } else if (type === 'jsonb') put(column, JSON.stringify({ hidden: dice.word() }))
      else if (type === 'boolean') set.push(`${quoted(column)} = not ${quoted(column)}`)
      else if (type?.startsWith('timestamp')) put(column, '2026-01-01T00:00:00Z')
      else if (column === 'forecasted_date') {
        set.push(`forecasted_date = case when show_forecasted_date then forecasted_date
          else '2031-01-01'::date end`)
      } else if (type === 'character varying' && !field.reference) {
        // of a stage or a record that need not exist
        if (/^((stage|pipeline)_id|converted_from)$/.test(column)) continue
        put(column, dice.word())
      } else put(column, internalValue(record, name, type))
    }
    if (record.table === 'projects') {
      set.push(`stage_id = (select s.id from stages s where s.organization_id = $1
        order by md5(s.id || $2) limit 1)`)
      set.push(`pipeline_id = (select s.pipeline_id from stages s where s.organization_id = $1
        order by md5(s.id || $2) limit 1)`)
      set.push(`converted_from = (select p.id from projects p where p.organization_id = $1
        and p.project_type = 'deal' order by md5(p.id || $2) limit 1)`)
    }
    if (!set.length) return Promise.resolve(undefined)
    return owner.query(
      `update ${quoted(record.table)} set ${set.join(', ')} where organization_id = $1 and id = $2`,
      values,
    )
  }

  function internalValue(record: AnyRecord, name: string, type: string | undefined): unknown {
    const field = record.fields[name]
    if (field?.reference) return null
    if (name === 'health_score') return dice.below(100)
    return otherValue(record, name, type)
  }

  /** Entries of the log that say of visible rows what changed in internal fields alone. */
  async function addInternalEntries() {
    for (const record of records) {
      const names = Object.entries(record.fields).filter(([, each]) => each.audience === 'internal')
      for (const id of [...(visible.get(record.table) ?? [])].slice(0, 4)) {
        if (!names.length || record.number === null) continue
        const [field] = dice.one(names)
        const changes = JSON.stringify([{ field, from: null, to: `${dice.word()} hidden` }])
        await owner.query(
          `insert into events (organization_id, id, title, module_id, reference_id, project_id,
            actor_type, actor_name, source, changes, raw_description, occurred_at)
           values ($1, $2, 'Changed', $3, $4, $5, 'user', 'Someone', 'application', $6,
            '{"action": "updated"}', '2026-11-20T09:00:00Z')`,
          [to, newId(), record.number, id, record.table === 'projects' ? id : null, changes],
        )
      }
    }
  }

  /** Another row like a hidden one. */
  async function twin(record: AnyRecord, id: string) {
    const names = (columns.get(record.table) ?? []).filter(
      (name) => !['organization_id', 'id'].includes(name),
    )
    const list = names.map(quoted).join(', ')
    const values = names.map((name) =>
      /(^unique_key|_key|^email|source_reference|chain_id|thread_id)$/.test(name)
        ? '$3::varchar'
        : quoted(name),
    )
    const other = newId()
    return owner.query(
      `insert into ${quoted(record.table)} (organization_id, id, ${list})
       select organization_id, $3::varchar, ${values.join(', ')} from ${quoted(record.table)}
       where organization_id = $1 and id = $2`,
      [to, id, other],
    )
  }

  /** Leads the links of a visible row that lead to hidden ones to others of them, or to none. */
  async function relink(record: AnyRecord, id: string) {
    const set: string[] = []
    const values: unknown[] = [to, id]
    for (const [name, field] of Object.entries(record.fields)) {
      const target = field.reference?.to?.()
      const others = target && hidden.get(target.table)
      if (!others?.length || !field.nullable || keepsNames) continue
      const column = quoted(field.column ?? name)
      if (set.some((each) => each.startsWith(`${column} =`))) continue
      values.push(dice.maybe(others), others)
      // what leads to a visible row stays
      set.push(`${column} = case when ${column} is null or ${column} = any($${values.length})
        then $${values.length - 1} else ${column} end`)
    }
    if (!set.length) return undefined
    return owner.query(
      `update ${quoted(record.table)} set ${set.join(', ')} where organization_id = $1 and id = $2`,
      values,
    )
  }

  /** Ties between visible rows and hidden ones, and entries of the log about hidden ones. */
  async function addLinks() {
    const seen = (table: string) => [...(visible.get(table) ?? [])]
    const tie = async (table: string, pairs: { [column: string]: string | number | null }[]) => {
      for (const pair of pairs) {
        if (Object.values(pair).includes(null)) continue
        const names = Object.keys(pair)
        const values = [to, ...Object.values(pair)]
        await owner.query(
          `insert into ${table} (organization_id, ${names.join(', ')})
           values (${values.map((_, i) => `$${i + 1}`).join(', ')}) on conflict do nothing`,
          values,
        )
      }
    }
    const few = Array.from({ length: 6 })
    const [tasks, documents] = [hidden.get('tasks') ?? [], hidden.get('documents') ?? []]
    await tie(
      'task_dependencies',
      few.map(() => ({
        task_id: dice.maybe(seen('tasks'), 1),
        predecessor_id: dice.maybe(tasks, 1),
      })),
    )
    await tie(
      'interaction_attachments',
      few.map((_, position) => ({
        interaction_id: dice.maybe(seen('interactions'), 1),
        document_id: dice.maybe(documents, 1),
        position: 200 + position,
      })),
    )
    const about = [
      { module_id: 1, ids: tasks },
      { module_id: 6, ids: documents },
      { module_id: 5, ids: hidden.get('contacts') ?? [] },
    ]
    await tie(
      'events',
      few.map(() => {
        const { module_id, ids } = dice.one(about)
        const project_id = dice.maybe(seen('projects'), 1)
        return {
          id: newId(),
          title: `${dice.word()} hidden`,
          module_id,
          reference_id: dice.maybe(ids, 1),
          // an app that reads no projects has none to name, and entries about what it does not read all the same
          ...(project_id === null ? {} : { project_id }),
          actor_type: 'user',
          actor_name: 'Someone',
          source: 'application',
          record_version: 1,
        }
      }),
    )
  }
}

/** Who is a user of one of the two organizations alone, for callers who may not look users up. */
export const stranger = { email: 'stranger@oracle.test', full_name: 'Only There' }

/** Tables that decide who the caller is, or that a caller reads by the rows of others. */
const untouched = ['users', 'roles', 'notifications', 'pipelines', 'imports', 'survey_automations']

/** What makes a row what it is, and what other rows of its own kind are found by. */
const fixed = [
  'id',
  'organization_id',
  'created_by',
  'module',
  'thread_level',
  'module_id',
  'reference_id',
]

async function columnsOf(owner: pg.Client): Promise<Map<string, string[]>> {
  const { rows } = await owner.query<{ table_name: string; names: string[] }>(`
    select c.table_name, json_agg(c.column_name order by c.ordinal_position) as names
    from information_schema.columns c
    join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'perennial' and t.table_type = 'BASE TABLE' and c.is_generated = 'NEVER'
    group by 1 having bool_or(c.column_name = 'organization_id')`)
  return new Map(rows.map(({ table_name, names }) => [table_name, names]))
}

async function typesOf(owner: pg.Client): Promise<Map<string, string>> {
  const { rows } = await owner.query<{ name: string; type: string }>(`
    select table_name || '.' || column_name as name, data_type as type
    from information_schema.columns where table_schema = 'perennial'`)
  return new Map(rows.map(({ name, type }) => [name, type]))
}

function quoted(name: string): string {
  return `"${name}"`
}
