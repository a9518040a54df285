import { Type } from 'typebox'
import { byId } from '../../kit/crud.ts'
import type { Context } from '../../kit/ground/context.ts'
import { badField, conflict, notFound } from '../../kit/ground/errors.ts'
import { Download } from '../../kit/ground/stored-files.ts'
import { newId } from '../../kit/ground/ids.ts'
import { arrayOf } from '../../kit/ground/json-schema.ts'
import { Answer, operation } from '../../kit/ground/operation.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { announce } from '../../kit/write/announce.ts'
import { securityEntries } from '../../model/organizations/security.ts'
import {
  currentStanding,
  lockPeople,
  requireAdmin,
  requireAnAdmin,
} from '../../model/users/guards.ts'
import { erasing } from './erase.ts'
import { exporting } from './export.ts'
import type { Named, Person } from './person.ts'
import { findPerson } from './person.ts'
import type { Request } from './request.ts'
import { requestColumns, requestSchema } from './request.ts'

const named = {
  user_id: Type.Optional(Type.String({ minLength: 1, maxLength: 25 })),
  contact_id: Type.Optional(Type.String({ minLength: 1, maxLength: 25 })),
  email: Type.Optional(
    Type.String({
      format: 'email',
      maxLength: 320,
      description: 'of somebody who has only answered or signed, or of a user or contact',
    }),
  ),
}
const common = {
  topic: 'personal data',
  can: { module: 'roles', action: 'update' },
  output: requestSchema,
} as const
const onlyAdmins = 'Only admins export and erase the data of people'

/** The rights of people under data protection law: a copy of their data, and erasure. */
export const personalData = {
  list: operation({
    ...common,
    name: 'list_personal_data_requests',
    summary: 'List requests about personal data',
    description: 'For admins. Newest first, at most 500.',
    writes: false,
    input: {},
    output: arrayOf(requestSchema),
    async run(ctx) {
      await requireAdmin(ctx, onlyAdmins)
      return ctx.all(sql`select ${requestColumns} from personal_data_requests t
        where ${mine(ctx)} order by t.id desc limit 500`)
    },
  }),
  read: operation({
    ...common,
    name: 'read_personal_data_request',
    summary: 'Retrieve a request about personal data',
    description:
      'For admins. Once an erasure is completed its `receipt` says what was done and kept.',
    writes: false,
    input: { params: byId },
    async run(ctx, { params }) {
      await requireAdmin(ctx, onlyAdmins)
      return readRequest(ctx, params.id)
    },
  }),
  file: operation({
    ...common,
    name: 'download_personal_data',
    summary: 'Download the export of a person',
    description: 'For admins. One JSON file, for 7 days.',
    writes: false,
    input: { params: byId },
    output: {},
    gives: '*/*',
    run: (ctx, { params }) => download(ctx, params.id),
  }),
  export: operation({
    ...common,
    name: 'export_personal_data',
    summary: 'Export the data of a person',
    description:
      'For admins. The person is a user, a contact, or an e-mail address; a user and the contacts linked to them or with their address are one person. A job collects every row of theirs.',
    writes: true,
    input: { body: Type.Object(named, { title: 'PersonNamed', additionalProperties: false }) },
    run: (ctx, { body }) => begin(ctx, 'export', body),
  }),
  erase: operation({
    ...common,
    name: 'erase_personal_data',
    summary: 'Erase the data of a person',
    description:
      'For admins; it cannot be undone. A job erases them from every record, answer, signature, mail, log entry, delivery, import and file, and the `receipt` names what the law lets one keep. `confirm` repeats the person’s e-mail address, or full name.',
    writes: true,
    input: {
      body: Type.Object(
        { ...named, confirm: Type.String({ minLength: 1, maxLength: 320 }) },
        { title: 'PersonErased', additionalProperties: false },
      ),
    },
    run: (ctx, { body: { confirm, ...person } }) => begin(ctx, 'erasure', person, confirm),
  }),
}

async function begin(ctx: Context, kind: Request['kind'], who: Named, confirm?: string) {
  await requireAdmin(ctx, onlyAdmins)
  await lockPeople(ctx)
  if (kind === 'export') await checkExports(ctx)
  const person = await findPerson(ctx, who)
  if (kind === 'erasure') await checkErasable(ctx, person, confirm ?? '')
  const { user_ids, contact_ids } = person
  const id = newId()
  await ctx.run(sql`insert into personal_data_requests (organization_id, id, kind, user_ids,
      contact_ids, sealed, created_by, creation_time)
    values (${ctx.organization.id}, ${id}, ${kind}, ${JSON.stringify(user_ids)}::jsonb,
      ${JSON.stringify(contact_ids)}::jsonb, ${ctx.secrets.encrypt(JSON.stringify(person))},
      ${ctx.actor.user_id}, ${ctx.now().toISOString()})`)
  const isExport = kind === 'export'
  ctx.enqueue(isExport ? exporting : erasing, { request_id: id })
  await announce(ctx, { ...securityEntries, word: 'personal data' }, 'requested', {
    id,
    title: isExport ? 'Export of personal data requested' : 'Erasure of personal data requested',
    changes: [{ field: 'request_id', from: null, to: id }],
    more: { request_id: id, user_ids, contact_ids },
  })
  return new Answer(await readRequest(ctx, id), { id })
}

/** The maximum number of exports of an organization at a time: each is stored for 7 days and may be large. */
const mostExports = 100

/** 409 if there are too many, or too many have been requested. */
async function checkExports(ctx: Context) {
  const known = await ctx.one<{ n: number }>(sql`select count(*)::int as n
    from personal_data_requests t where ${mine(ctx)} and t.kind = 'export'
      and (t.storage_key is not null or t.status in ('waiting', 'running'))`)
  if ((known?.n ?? 0) < mostExports) return
  throw conflict(
    `There are ${mostExports} exports already: each is removed after 7 days`,
    'too_many',
  )
}

/** 400 for a wrong confirmation; 409 for oneself and for the last admin. */
async function checkErasable(ctx: Context, person: Person, confirm: string) {
  const right = [...person.emails, ...person.names].map((each) => each.toLowerCase())
  if (!right.includes(confirm.trim().toLowerCase())) {
    throw badField('confirm', 'must repeat the e-mail address or the full name of the person')
  }
  for (const user_id of person.user_ids) {
    if (user_id === ctx.actor.user_id) {
      throw conflict('Another admin has to erase your own data', 'own_data')
    }
    const user = await ctx.one<{ role_id: string; is_active: boolean }>(sql`
      select t.role_id, t.is_active from users t
      where ${mine(ctx)} and t.id = ${user_id} and t.deleted_at is null`)
    if (!user?.is_active) continue
    const { kind } = await currentStanding(ctx, user.role_id)
    if (kind === 'admin') await requireAnAdmin(ctx, { user_id })
  }
}

async function readRequest(ctx: Context, id: string): Promise<Request> {
  const found = await ctx.one<Request>(sql`select ${requestColumns} from personal_data_requests t
    where ${mine(ctx)} and t.id = ${id}`)
  if (!found) throw notFound('Request')
  return found
}

async function download(ctx: Context, id: string): Promise<Download> {
  await requireAdmin(ctx, onlyAdmins)
  const found = await ctx.one<{
    storage_key: string | null
    file_size: number
    file_hash: string
    finished_at: string
  }>(sql`select t.storage_key, t.file_size, t.file_hash, t.finished_at
    from personal_data_requests t where ${mine(ctx)} and t.id = ${id}`)
  if (!found) throw notFound('Request')
  const { storage_key: key, file_size: size, file_hash: hash, finished_at } = found
  if (!key) throw notFound('File')
  return new Download({
    name: `personal-data-${id}.json`,
    type: 'application/json',
    size,
    hash,
    modified: new Date(finished_at),
    isInline: false,
    open: (range) => ctx.files.get(key, range),
  })
}
