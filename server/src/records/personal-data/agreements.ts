import type { Context, Query } from '../../kit/ground/context.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { Document } from '../../model/documents/document.ts'
import type { Person } from './person.ts'

/** Agreements signed by everybody, including the person: they are kept with their audit trail. */
export type Agreements = { requests: string[]; documents: string[] }

/** The signed agreements of a person, with every version of their documents. */
export async function agreementsOf(ctx: Context, { emails }: Person): Promise<Agreements> {
  const addresses = emails.map((email) => email.toLowerCase())
  const rows = await ctx.all<{ request: string; document: string }>(sql`
    select q.id as request, v.id as document from signature_requests q
    join documents d on d.organization_id = $organization and d.id = q.document_id
    join documents v on v.organization_id = $organization and v.chain_id = d.chain_id
    where ${mine(ctx, 'q')} and q.status = 'signed' and exists (select from signature_recipients t
      where ${mine(ctx)} and t.request_id = q.id and lower(t.email) = any(${addresses}))
    order by v.id`)
  return {
    requests: [...new Set(rows.map(({ request }) => request))],
    documents: [...new Set(rows.map(({ document }) => document))],
  }
}

/** The rows of a table, over `t`, that may be changed. */
export function outsideAgreements(table: string, { requests, documents }: Agreements): Query {
  switch (table) {
    case 'documents':
      return sql`t.id <> all(${documents})`
    case 'signature_requests':
      return sql`t.id <> all(${requests})`
    case 'signature_recipients':
      return sql`t.request_id <> all(${requests})`
    case 'signature_files':
      return sql`t.recipient_id not in (select r.id from signature_recipients r
        where r.organization_id = $organization and r.request_id = any(${requests}))`
    case 'events':
      // the steps of the audit trail, also those with another module's number
      return sql`not (t.module_id is not distinct from ${Document.number}
        and t.reference_id = any(${documents}) and t.raw_description -> 'audit' is not null)`
    default:
      return sql`true`
  }
}
