import { Type } from 'typebox'
import type { Static } from 'typebox'
import type { Context } from '../../../kit/ground/context.ts'
import { cut } from '../../../kit/ground/cut.ts'
import type { FieldError } from '../../../kit/ground/errors.ts'
import { badFields, conflict, forbidden, notFound } from '../../../kit/ground/errors.ts'
import { orNull } from '../../../kit/ground/json-schema.ts'
import type { Action } from '../../../kit/ground/operation.ts'
import { all, mine, sql } from '../../../kit/ground/sql.ts'
import { copiedCustom } from '../../../kit/record/custom.ts'
import { scope } from '../../../kit/record/scope.ts'
import type { Written } from '../../../kit/write/write.ts'
import { Contact } from '../../../model/contacts/contact.ts'
import type { StoredDocument } from '../../../model/documents/document.ts'
import { Document } from '../../../model/documents/document.ts'
import { presentPeople } from '../../../model/people/people.ts'
import { externalKinds } from '../../../model/users/roles/permissions.ts'
import { belongingOf } from '../belonging.ts'
import { createDocument } from '../create.ts'
import { copyImages } from '../../pictures/copied-images.ts'
import type { Preparation } from '../requests/preparation.ts'
import { preparedFor, roleKey, storePreparation } from '../requests/preparation.ts'
import { latestOf, oldVersion } from '../versions.ts'
import { filledTexts } from './placeholders.ts'
import { knownTexts, ofRoles } from './values.ts'

const name = Type.Optional(
  Type.String({ minLength: 1, maxLength: 255, description: 'that of the document by default' }),
)
const id = (description: string) =>
  Type.Optional(orNull(Type.String({ minLength: 1, maxLength: 25, description })))

/** What a copy is called that can be used again. */
export const keepBody = Type.Object({ document_name: name }, { additionalProperties: false })

/** Whom and what a reusable document is used for. */
export const useBody = Type.Object(
  {
    document_name: name,
    account_id: id('the account that it is for; that of the project by default'),
    project_id: id('the project that it is for'),
    roles: Type.Optional(
      Type.Record(
        Type.String({ minLength: 1, maxLength: 100 }),
        Type.Object(
          {
            contact_id: id('a contact, with their name and address'),
            user_id: id('a user of the organization'),
            name: Type.Optional(Type.String({ maxLength: 255 })),
            email: Type.Optional(Type.String({ format: 'email', maxLength: 320 })),
          },
          { title: 'RolePerson', additionalProperties: false },
        ),
        {
          description: 'who has each role, by its name or key; others stay open',
          maxProperties: 50,
        },
      ),
    ),
    values: Type.Optional(
      Type.Record(Type.String({ maxLength: 500 }), Type.String({ maxLength: 2000 }), {
        description: 'texts for placeholders, by path, in place of what the records have',
        maxProperties: 100,
      }),
    ),
  },
  { title: 'DocumentUse', additionalProperties: false },
)
type Use = Static<typeof useBody>

/** A document with all that a copy of it takes over. */
export type Source = StoredDocument & {
  tags: string[]
  menu_type: string | null
  is_reusable: boolean
  is_signed_version: boolean
  private_users: string[]
  custom_fields: { [key: string]: unknown }
  storage_type: string | null
  file_icon: string | null
}

/**
 * Saves a copy of a document that can be used again: its file or text, its fields, and its recipients as roles. Those who
 * are users of the organization stay; others become roles of their names. 403 unless the caller may change the document.
 */
export async function keepReusable(
  ctx: Context,
  of: string,
  { document_name }: Static<typeof keepBody>,
): Promise<Written> {
  const source = await sourceOf(ctx, of, 'update')
  if (source.is_signed_version) {
    throw conflict('It is signed already: make a document with its text or file first', 'signed')
  }
  const made = await copyOf(
    ctx,
    source,
    { document_name: document_name ?? source.document_name },
    true,
  )
  const prepared = await preparedFor(ctx, of)
  const emails = prepared.recipients.map(({ email }) => email.trim().toLowerCase())
  const own = await ctx.all<{ email: string }>(sql`select t.email_key as email from users t
    join roles r on r.organization_id = $organization and r.id = t.role_id
    where ${mine(ctx)} and t.deleted_at is null and t.is_active
      and r.kind <> all(${externalKinds}) and t.email_key = any(${emails}::text[])`)
  const isOwn = (email: string) => own.some((each) => each.email === email.trim().toLowerCase())
  const taken = new Set<string>()
  const recipients = prepared.recipients.map((each, at) => {
    const role_name = freeName(
      each.role_name?.trim() || each.name.trim() || `Role ${at + 1}`,
      taken,
    )
    return { ...each, role_name, ...(isOwn(each.email) ? {} : { name: '', email: '' }) }
  })
  await storePreparation(ctx, made.id, { ...prepared, recipients, expires: null })
  return made
}

function freeName(wanted: string, taken: Set<string>): string {
  const base = cut(wanted, 90)
  let name = base
  for (let n = 2; taken.has(roleKey(name)); n++) name = `${base} ${n}`
  taken.add(roleKey(name))
  return name
}

/**
 * Makes a document of a reusable one: its placeholders become the values of the account and project that it is for, its
 * roles people, and what is prepared is that of the reusable one. 409 for a document that is not reusable.
 */
export async function useDocument(ctx: Context, of: string, body: Use): Promise<Written> {
  const source = await sourceOf(ctx, of, 'read')
  if (!source.is_reusable) throw conflict('This document is not reusable', 'not_reusable')
  const prepared = await preparedFor(ctx, of)
  const recipients = await filledRoles(ctx, prepared.recipients, body.roles ?? {})
  const { project_id = null, account_id = null, values = {} } = body
  const place = await belongingOf(ctx, { project_id })
  const filled = await filledTexts(ctx, textsOf(source, prepared.message, body.document_name), {
    account_id: account_id ?? place.account_id,
    project_id,
    known: { ...(await knownTexts(ctx)), ...ofRoles(recipients) },
    values,
  })
  const made = await makeOf(ctx, source, filled, { account_id, project_id })
  const message = cut(filled('message'), 2000)
  await storePreparation(ctx, made.id, { ...prepared, recipients, message })
  return made
}

/** The texts of a document in which placeholders may stand, by what they are. */
export function textsOf(
  { document_name: name, editor_html_content: html, editorjs_content }: Source,
  message: string,
  document_name = name,
) {
  // the texts of blocks are HTML too
  const inBlocks = textsIn(editorjs_content).filter((text) => text.includes('{{'))
  const blocks = inBlocks.map((text) => [`block ${text}`, { text, isHtml: true }] as const)
  return new Map<string, { text: string; isHtml?: boolean }>([
    ['document_name', { text: document_name }],
    ['message', { text: message }],
    ['html', { text: html ?? '', isHtml: true }],
    ...blocks,
  ])
}

/** Makes a document of another, with its texts as they are filled in, for an account or project. */
export async function makeOf(
  ctx: Context,
  source: Source,
  filled: (name: string) => string,
  { account_id, project_id }: { account_id: string | null; project_id: string | null },
): Promise<Written> {
  const { editor_html_content: html } = source
  const editorjs_content = withTexts(source.editorjs_content, (text) =>
    text.includes('{{') ? filled(`block ${text}`) : text,
  )
  return copyOf(
    ctx,
    { ...source, editor_html_content: html && filled('html'), editorjs_content },
    {
      document_name: cut(filled('document_name'), 255),
      ...(account_id ? { account_id } : {}),
      ...(project_id ? { project_id } : {}),
    },
  )
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return value && typeof value === 'object' ? Object.values(value).flatMap(textsIn) : []
}

function withTexts<T>(value: T, textOf: (text: string) => string): T {
  return replaced(value, textOf) as T
}

function replaced(value: unknown, textOf: (text: string) => string): unknown {
  if (typeof value === 'string') return textOf(value)
  if (Array.isArray(value)) return value.map((each: unknown) => replaced(each, textOf))
  if (!value || typeof value !== 'object') return value
  const entries: [string, unknown][] = Object.entries(value)
  return Object.fromEntries(entries.map(([name, each]) => [name, replaced(each, textOf)]))
}

/** The latest version of a document with all that a copy takes over. 403 unless the caller may do that with it. */
export async function sourceOf(ctx: Context, of: string, action: Action): Promise<Source> {
  const found = await ctx.one<Source & { may: boolean }>(sql`
    select t.*, (${scope(ctx, Document, action)}) as may from documents t
    where ${all(scope(ctx, Document, 'read'), sql`t.id = ${of}`)}`)
  if (!found) throw notFound('Document')
  if (!found.may) throw forbidden('Your role may not update this document')
  if (!found.latest_version) throw oldVersion(await latestOf(ctx, of))
  return found
}

async function copyOf(
  ctx: Context,
  source: Source,
  own: { document_name: string; account_id?: string; project_id?: string },
  is_reusable = false,
): Promise<Written> {
  const body = {
    ...pick(source, ofBody),
    ...own,
    custom_fields: await copiedCustom(ctx, Document, source.custom_fields),
    private_users: await presentPeople(ctx, source.private_users),
  }
  const made = await createDocument(ctx, body, undefined, { is_reusable, ...pick(source, ofFile) })
  await copyImages(ctx, [{ id: made.id, from: source.id }])
  return made
}

/** What a copy takes over beside its name and place: what a body may set, and the columns of its file. */
const ofBody = [
  'description',
  'tags',
  'menu_type',
  'is_private',
  'editor_html_content',
  'editorjs_content',
  'external_file_url',
] as const
const ofFile = [
  'storage_key',
  'storage_type',
  'file_name',
  'file_type',
  'file_size',
  'file_hash',
  'file_icon',
  'file_time',
] as const

function pick<K extends keyof Source>(source: Source, names: readonly K[]): Pick<Source, K> {
  return Object.fromEntries(names.map((name) => [name, source[name]])) as Pick<Source, K>
}

type Recipients = Preparation['recipients']

/** The recipients with the people of their roles. 400 for roles that there are not, and people who are not. */
async function filledRoles(
  ctx: Context,
  recipients: Recipients,
  roles: NonNullable<Use['roles']>,
): Promise<Recipients> {
  const errors: FieldError[] = []
  const filled = [...recipients]
  for (const [role, person] of Object.entries(roles)) {
    const at = recipients.findIndex(
      (each) => each.key === role || roleKey(each.role_name ?? '') === roleKey(role),
    )
    const before = recipients[at]
    if (!before) {
      const names = recipients.map(({ role_name, key }) => role_name ?? key).join(', ')
      errors.push({ field: `roles.${role}`, message: `is no role; there is ${names || 'none'}` })
      continue
    }
    const found = await personOf(ctx, person)
    if (found) filled[at] = { ...before, ...found }
    else errors.push({ field: `roles.${role}`, message: 'needs somebody with an e-mail address' })
  }
  if (errors.length) throw badFields(errors)
  return filled
}

async function personOf(
  ctx: Context,
  { contact_id, user_id, name = '', email }: NonNullable<Use['roles']>[string],
): Promise<{ name: string; email: string } | undefined> {
  if (contact_id) {
    return ctx.one(sql`select t.full_name as name, t.primary_email as email from contacts t
      where ${all(scope(ctx, Contact, 'read'), sql`t.id = ${contact_id}`)}
        and t.primary_email is not null`)
  }
  if (user_id) {
    return ctx.one(sql`select t.full_name as name, t.email from users t
      where ${mine(ctx)} and t.deleted_at is null and t.id = ${user_id}`)
  }
  return email === undefined ? undefined : { name, email }
}
