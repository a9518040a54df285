import type { Context } from '../../../kit/ground/context.ts'
import { mine, sql } from '../../../kit/ground/sql.ts'
import { may, scope } from '../../../kit/record/scope.ts'
import { Contact } from '../../../model/contacts/contact.ts'
import type { Answers, FormField, Page } from '../../../model/forms/form-parts.ts'
import { questionsOf } from '../../../model/surveys/structure.ts'
import { contacts } from '../../contacts/operations.ts'
import { request } from '../automations/request.ts'

type Given = { [part: string]: string | undefined }
type Stored = {
  id: string
  full_name: string
  phone: string | null
  job_title: string | null
  primary_email_key: string
}

/**
 * Fills what the contact of a personal link lacks with the answers to contact questions, which overwrite nothing. By any
 * link, a question that adds contacts makes one of whoever is not known by the address that they answer; what is
 * stored of others stays. As the caller may.
 */
export async function fillContacts(
  ctx: Context,
  { pages, answers, link }: { pages: Page[]; answers: Answers; link: string | undefined },
): Promise<void> {
  const asked = questionsOf(pages).filter(({ id, type }) => type === 'contact' && answers[id])
  for (const field of asked) await fill(ctx, field, answers[field.id] as Given, link)
}

async function fill(
  ctx: Context,
  { adds_contact = false }: FormField,
  given: Given,
  link: string | undefined,
): Promise<void> {
  const { first_name, last_name, email = link, phone, job_title } = given
  const full_name = [first_name, last_name].filter(Boolean).join(' ')
  if (link && may(ctx.actor, contacts.update.can)) {
    const own = await ctx.one<Stored>(sql`
      select t.id, t.full_name, t.phone, t.job_title, t.primary_email_key from contacts t
      where ${scope(ctx, Contact, 'update')} and t.primary_email_key = ${link.toLowerCase()}
      order by t.id limit 1`)
    if (own) {
      // a contact that came of a mail has its address for a name
      const isNameless = own.full_name.toLowerCase() === own.primary_email_key
      const body = {
        ...(isNameless && full_name ? { full_name } : {}),
        ...(phone && !own.phone ? { phone } : {}),
        ...(job_title && !own.job_title ? { job_title } : {}),
      }
      if (Object.keys(body).length) await request(ctx, contacts.update, { id: own.id, body })
      return
    }
  }
  if (!adds_contact || !email || !may(ctx.actor, contacts.create.can)) return
  const isKnown = await ctx.one(sql`select from contacts t
    where ${mine(ctx)} and t.primary_email_key = ${email.toLowerCase()} and t.deleted_at is null
    limit 1`)
  if (isKnown) return
  const body = {
    full_name: full_name || email,
    primary_email: email,
    ...(phone ? { phone } : {}),
    ...(job_title ? { job_title } : {}),
  }
  await request(ctx, contacts.create, { body })
}
