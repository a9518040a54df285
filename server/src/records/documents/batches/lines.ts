import type { Context } from '../../../kit/ground/context.ts'
import { isEmailAddress } from '../../../kit/ground/email-address.ts'
import type { FieldError } from '../../../kit/ground/errors.ts'
import { badField, conflict } from '../../../kit/ground/errors.ts'
import { all, mine, sql } from '../../../kit/ground/sql.ts'
import { conditions } from '../../../kit/read/selection.ts'
import { readableRows } from '../../../kit/record/readable.ts'
import { scope } from '../../../kit/record/scope.ts'
import { Account } from '../../../model/accounts/account.ts'
import { Contact } from '../../../model/contacts/contact.ts'
import type { Preparation } from '../requests/preparation.ts'
import { preparedFor, roleKey } from '../requests/preparation.ts'
import { acts } from '../requests/request.ts'
import { fillings } from '../reusable/placeholders.ts'
import type { Source } from '../reusable/reusable.ts'
import { sourceOf, textsOf } from '../reusable/reusable.ts'
import { knownTexts, ofRoles } from '../reusable/values.ts'
import type { BatchBody, BatchLine } from './schemas.ts'
import { most } from './schemas.ts'

type Recipients = Preparation['recipients']
type Person = { name: string; email: string }

/** A line that is checked: for whom it is, and why it cannot be sent. */
export type CheckedLine = {
  line: number
  /** the person whose line it is */
  person: Person
  recipients: Recipients
  account_id: string | null
  account_name: string | null
  project_id: string | null
  /** those of this line alone */
  values: { [path: string]: string }
  problems: FieldError[]
}

/** What is sent to each: the document and what is prepared for it. */
export type Sendable = { source: Source; prepared: Preparation }

/** A document that can be sent to many: a reusable one, or one that the caller may change. */
export async function sendableOf(ctx: Context, id: string): Promise<Sendable> {
  const read = await sourceOf(ctx, id, 'read')
  const source = read.is_reusable ? read : await sourceOf(ctx, id, 'update')
  if (source.is_signed_version) {
    throw conflict('It is signed already: make a document with its text or file first', 'signed')
  }
  return { source, prepared: await preparedFor(ctx, id) }
}

/** The lines of a body, or one for each contact that it finds. 400 for more than a batch may have. */
export async function linesOf(ctx: Context, { lines, contacts }: BatchBody): Promise<BatchLine[]> {
  if (lines && contacts) throw badField('contacts', 'must not stand beside lines')
  if (lines) return lines
  if (!contacts) throw badField('lines', 'is required, or contacts')
  if (contacts.filter === undefined && !contacts.q?.trim()) {
    throw badField('contacts.filter', 'is required, or q')
  }
  const { q, filter } = contacts
  const { condition } = await conditions(ctx, Contact, {
    ...(q?.trim() ? { q } : {}),
    ...(filter ? { filter: JSON.stringify(filter) } : {}),
  })
  const found = await ctx.all<{ id: string }>(sql`select t.id from contacts t where ${condition}
    order by lower(t.full_name), t.id limit ${most.lines + 1}`)
  if (!found.length) throw badField('contacts', 'finds nobody')
  if (found.length > most.lines) {
    throw badField('contacts', `finds more than ${most.lines} contacts: send in several parts`)
  }
  return found.map(({ id }) => ({ contact_id: id }))
}

type Options = Pick<BatchBody, 'role' | 'document_name' | 'values'> & { message: string }

/** Checks each line, in a fixed number of statements. 400 for what is wrong with all of them. */
export async function checkedLines(
  ctx: Context,
  { source, prepared }: Sendable,
  lines: BatchLine[],
  { role, document_name, values = {}, message }: Options,
): Promise<CheckedLine[]> {
  const recipients = rolesOf(prepared)
  const own = ownRole(recipients, role)
  const known = await knownFor(ctx, lines)
  const checked = lines.map((line, at) => checkedLine(line, at, { recipients, own, known }))
  const texts = textsOf(source, message, document_name)
  const always = await knownTexts(ctx)
  const filled = await fillings(
    ctx,
    texts,
    checked.map((each) => ({
      account_id: each.account_id,
      project_id: each.project_id,
      known: { ...always, ...ofRoles(each.recipients) },
      values: { ...values, ...each.values },
    })),
  )
  for (const [at, each] of checked.entries()) {
    // the names of those who are missing are missing in the texts, too
    if (each.problems.length) continue
    for (const { field, message: why } of filled[at]?.errors() ?? []) {
      each.problems.push({ field: `lines.${at}.${field}`, message: why })
    }
  }
  const seen = new Map<string, number>()
  for (const { line, recipients: its, account_id, project_id, values: own, problems } of checked) {
    const emails = its.map(({ email }) => email.trim().toLowerCase())
    const key = JSON.stringify([emails, account_id, project_id, own])
    const first = seen.get(key)
    if (first === undefined) seen.set(key, line)
    else if (!problems.length) {
      problems.push({ field: `lines.${line}`, message: `repeats line ${first}` })
    }
  }
  return checked
}

/** Who is prepared as recipients; without anybody, whoever a line names signs. */
function rolesOf({ recipients }: Preparation): Recipients {
  if (recipients.length) return recipients
  return [{ key: 'signer', name: '', email: '', role: 'signer', order: 1, role_name: 'Signer' }]
}

/** The key of the recipient who is the person of each line. */
function ownRole(recipients: Recipients, role: string | undefined): string {
  const found =
    role === undefined
      ? (recipients.find((each) => acts(each) && !each.email.trim()) ??
        recipients.find((each) => !each.email.trim()))
      : named(recipients, role)
  if (found) return found.key
  throw badField(
    'role',
    role === undefined
      ? 'is required, since everybody is named already: say whose part the people of the lines have'
      : `is none of ${recipients.map(({ role_name, name, key }) => role_name || name || key).join(', ')}`,
  )
}

function named(recipients: Recipients, role: string) {
  const key = roleKey(role)
  return recipients.find(
    (each) =>
      each.key === role || roleKey(each.role_name ?? '') === key || roleKey(each.name) === key,
  )
}

type Known = Awaited<ReturnType<typeof knownFor>>

/** The people, accounts and projects that lines name by id, as far as the caller may read them. */
async function knownFor(ctx: Context, lines: BatchLine[]) {
  const people = lines.flatMap((line) => [line, ...Object.values(line.roles ?? {})])
  const ids = (name: 'contact_id' | 'user_id') => [
    ...new Set(people.flatMap((each) => each[name] ?? [])),
  ]
  const [contacts, users] = await Promise.all([
    ctx.all<Person & { id: string; account_id: string | null }>(sql`
      select t.id, t.full_name as name, coalesce(t.primary_email, '') as email,
        (select min(a.id) from ${readableRows(ctx, 'accounts')} a
          where a.organization_id = $organization and a.company_id = t.company_id
            and a.deleted_at is null having count(*) = 1) as account_id
      from contacts t
      where ${all(scope(ctx, Contact, 'read'), sql`t.id = any(${ids('contact_id')}::varchar[])`)}`),
    ctx.all<Person & { id: string }>(sql`
      select t.id, t.full_name as name, t.email from users t
      where ${mine(ctx)} and t.deleted_at is null and t.id = any(${ids('user_id')}::varchar[])`),
  ])
  const projectIds = [...new Set(lines.flatMap(({ project_id }) => project_id ?? []))]
  const projects = await ctx.all<{ id: string; account_id: string | null }>(sql`
    select t.id, t.account_id from ${readableRows(ctx, 'projects')} t
    where ${mine(ctx)} and t.deleted_at is null and t.id = any(${projectIds}::varchar[])`)
  const accountIds = [...lines, ...contacts, ...projects].flatMap(
    ({ account_id }) => account_id ?? [],
  )
  const accounts = await ctx.all<{ id: string; name: string }>(sql`
    select t.id, t.account_name as name from accounts t
    where ${all(scope(ctx, Account, 'read'), sql`t.id = any(${[...new Set(accountIds)]}::varchar[])`)}`)
  const byId = <T extends { id: string }>(rows: T[]) => new Map(rows.map((row) => [row.id, row]))
  return {
    contacts: byId(contacts),
    users: byId(users),
    projects: byId(projects),
    accounts: byId(accounts),
  }
}

type Checking = {
  recipients: Recipients
  own: string
  known: Known
}

function checkedLine(line: BatchLine, at: number, checking: Checking): CheckedLine {
  const { recipients, own, known } = checking
  const problems: FieldError[] = []
  const wrong = (field: string, message: string) =>
    problems.push({ field: `lines.${at}${field && `.${field}`}`, message })
  const filled = new Map(recipients.map((each) => [each.key, { ...each }]))
  const put = (
    key: string,
    field: string,
    given: Pick<BatchLine, 'contact_id' | 'user_id' | 'name' | 'email'>,
  ) => {
    const within = (name: string) => (field ? `${field}.${name}` : name)
    const { contact_id, user_id, name = '', email = '' } = given
    const before = filled.get(key)
    if (!before) return
    const found = contact_id
      ? known.contacts.get(contact_id)
      : user_id
        ? known.users.get(user_id)
        : { name: name.trim(), email: email.trim() }
    if (!found) {
      wrong(within(contact_id ? 'contact_id' : 'user_id'), 'is nobody whom you see')
      return
    }
    // a name in the line is said instead of that of the record
    filled.set(key, {
      ...before,
      name: name.trim() || found.name || found.email,
      email: found.email.trim(),
    })
    if (!found.email.trim()) {
      wrong(within(contact_id ? 'contact_id' : 'email'), 'has no e-mail address')
    } else if (!isEmailAddress(found.email.trim())) {
      wrong(within('email'), 'must be an e-mail address')
    }
  }
  put(own, '', line)
  for (const [role, given] of Object.entries(line.roles ?? {})) {
    const its = named(recipients, role)
    if (its && its.key !== own) put(its.key, `roles.${role}`, given)
    else {
      wrong(`roles.${role}`, its ? 'is the person of the line' : 'is no role of this document')
    }
  }
  const its = [...filled.values()]
  for (const each of its) {
    if (each.key === own || each.email.trim()) continue
    const isTold = problems.some(({ field }) => field.includes('.roles.'))
    if (!isTold)
      wrong(`roles.${each.role_name || each.key}`, 'needs somebody with an e-mail address')
  }
  const emails = its.map(({ email }) => email.trim().toLowerCase())
  for (const [i, email] of emails.entries()) {
    if (email && emails.indexOf(email) < i) wrong('', `asks ${email} twice`)
  }
  const { account_id: given = null, project_id = null } = line
  const project = project_id === null ? undefined : known.projects.get(project_id)
  if (project_id !== null && !project) wrong('project_id', 'is no project that you see')
  const ofContact = line.contact_id ? known.contacts.get(line.contact_id)?.account_id : null
  const account_id = given ?? project?.account_id ?? ofContact ?? null
  const account = account_id === null ? undefined : known.accounts.get(account_id)
  if (given !== null && !account) wrong('account_id', 'is no account that you see')
  const { name = '', email = '' } = filled.get(own) ?? {}
  return {
    line: at,
    person: { name: name || email, email },
    recipients: its,
    account_id: account ? account.id : null,
    account_name: account?.name ?? null,
    project_id,
    values: line.values ?? {},
    problems,
  }
}
