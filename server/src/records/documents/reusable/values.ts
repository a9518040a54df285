import { Type } from 'typebox'
import { byId } from '../../../kit/crud.ts'
import type { Context } from '../../../kit/ground/context.ts'
import { today } from '../../../kit/ground/dates.ts'
import { badField, conflict, notFound } from '../../../kit/ground/errors.ts'
import { enumeration, orNull } from '../../../kit/ground/json-schema.ts'
import { operation } from '../../../kit/ground/operation.ts'
import { mine, sql } from '../../../kit/ground/sql.ts'
import { scope } from '../../../kit/record/scope.ts'
import { Account } from '../../../model/accounts/account.ts'
import { Document } from '../../../model/documents/document.ts'
import { ProjectOrDeal } from '../../../model/projects/project.ts'
import type { Preparation } from '../requests/preparation.ts'
import { preparedFor, roleKey } from '../requests/preparation.ts'
import type { Sources } from './placeholders.ts'
import { currentValues, filledTexts, readableText } from './placeholders.ts'

const id = (description: string) =>
  Type.Optional(orNull(Type.String({ minLength: 1, maxLength: 25, description })))

/** What placeholders of a document's text stand for now. */
export const documentValues = operation({
  name: 'read_document_values',
  summary: 'Retrieve what placeholders of a document stand for',
  description:
    'As whoever asks may read it now. Publishing a document or requesting signatures puts the values in their places, where they stay.',
  can: { module: 'documents', action: 'read' },
  writes: false,
  input: {
    params: byId,
    body: Type.Object(
      {
        placeholders: Type.Array(Type.String({ minLength: 1, maxLength: 500 }), {
          maxItems: 200,
          uniqueItems: true,
          description: 'what is between the braces, such as `account.account_name`',
        }),
        account_id: id('the account that it would be for, in place of its own'),
        project_id: id('the project that it would be for, in place of its own'),
      },
      { additionalProperties: false },
    ),
  },
  output: Type.Object(
    {
      values: Type.Array(
        Type.Object(
          {
            placeholder: Type.String({ description: 'as it was sent' }),
            value: orNull(Type.String({ description: 'as the text shows it' })),
            state: enumeration(['filled', 'empty', 'unknown'], { title: 'PlaceholderState' }),
          },
          { title: 'DocumentValue' },
        ),
        { description: 'one for each, in the order in which they were sent' },
      ),
    },
    { title: 'DocumentValues' },
  ),
  async run(ctx, { params, body }) {
    const row = await ctx.one<Of>(sql`select t.id, t.account_id, t.project_id from documents t
      where ${scope(ctx, Document, 'read')} and t.id = ${params.id}`)
    if (!row) throw notFound('Document')
    const { placeholders, account_id = row.account_id, project_id = row.project_id } = body
    await checkNamed(ctx, body)
    const sources = await sourcesOf(ctx, { ...row, account_id, project_id })
    const found = await currentValues(ctx, placeholders, sources)
    return {
      values: placeholders.map((placeholder) => {
        const value = found.get(placeholder)
        const state = value === undefined ? 'unknown' : value === null ? 'empty' : 'filled'
        return { placeholder, value: value ?? null, state }
      }),
    }
  },
})

/** 400 for an account or project that the caller does not see. */
async function checkNamed(
  ctx: Context,
  named: { account_id?: string | null; project_id?: string | null },
) {
  for (const [field, record] of [
    ['account_id', Account],
    ['project_id', ProjectOrDeal],
  ] as const) {
    const id = named[field]
    if (!id) continue
    const found = await ctx.one(sql`select t.id from ${sql.table(record.table)} t
      where ${scope(ctx, record, 'read')} and t.id = ${id}`)
    if (!found) throw badField(field, 'no such record')
  }
}

/** A document by whose records its placeholders are filled in. */
type Of = { id: string; account_id: string | null; project_id: string | null }

async function sourcesOf(ctx: Context, { id: of, account_id, project_id }: Of): Promise<Sources> {
  const { recipients } = await preparedFor(ctx, of)
  return {
    account_id,
    project_id,
    known: { ...(await knownTexts(ctx)), ...ofRoles(recipients) },
    values: {},
  }
}

/** A document's text as its reader sees it: with what its placeholders stand for now, as far as they have a value. */
export async function shownText(ctx: Context, of: Of, html: string): Promise<string> {
  return html.includes('{{') ? readableText(ctx, html, () => sourcesOf(ctx, of)) : html
}

/**
 * A document's text with the values of its placeholders in their places, as it is published or sent. 400 naming
 * `values.<path>` for what is empty and has no text for that, and for paths that are none; 409 while both sides of what
 * two people have changed stand in it.
 */
export async function frozenText<T extends string | null | undefined>(
  ctx: Context,
  of: Of,
  html: T,
): Promise<T | string> {
  if (html?.includes('<div class="choice">')) {
    throw conflict('Two people changed the same text: choose between both first', 'unsettled')
  }
  if (!html?.includes('{{')) return html
  const texts = new Map([['html', { text: html, isHtml: true }]])
  const filled = await filledTexts(ctx, texts, await sourcesOf(ctx, of))
  return filled('html')
}

/** What placeholders may name beside records and roles: today, who makes it and for which organization. */
export async function knownTexts(ctx: Context): Promise<{ [path: string]: string }> {
  const me = await ctx.one<{ name: string }>(sql`select t.full_name as name from users t
    where ${mine(ctx)} and t.id = ${ctx.actor.user_id}`)
  const clock = { now: ctx.now(), timezone: ctx.organization.timezone }
  return {
    today: today(clock),
    'me.name': me?.name ?? '',
    'organization.name': ctx.organization.name,
  }
}

/** What placeholders may name of the roles: who has them. */
export function ofRoles(recipients: Preparation['recipients']): { [path: string]: string } {
  const known: { [path: string]: string } = {}
  for (const { role_name, name: its, email } of recipients) {
    if (!role_name) continue
    known[`${roleKey(role_name)}.name`] = its
    known[`${roleKey(role_name)}.email`] = email
  }
  return known
}
