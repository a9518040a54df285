import type { Context } from '../../kit/ground/context.ts'
import type { Input, Operation } from '../../kit/ground/operation.ts'
import { scope } from '../../kit/record/scope.ts'
import { all, sql } from '../../kit/ground/sql.ts'
import { checkReadable } from '../../kit/write/write.ts'
import { Account } from '../accounts/account.ts'
import { ProjectOrDeal } from '../projects/project.ts'
import { Document } from './document.ts'
import { chainOf } from './operations.ts'
import type { JSONSchema } from '../../kit/ground/json-schema.ts'

const id = { type: 'string', minLength: 1, maxLength: 25 }
const count = { type: 'integer' }
const counts = (...names: string[]): JSONSchema => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, count])),
  required: names,
})

/** How documents are seen, downloaded and signed. */
export const analytics: Operation = {
  name: 'read_document_analytics',
  summary: 'Views, downloads and completion of the documents that you see',
  can: { module: 'documents', action: 'read' },
  writes: false,
  input: {
    query: {
      type: 'object',
      properties: {
        document_id: { ...id, description: 'one document, in all its versions' },
        project_id: id,
        account_id: id,
        days: { type: 'integer', minimum: 1, maximum: 366, description: 'days of the course (30)' },
      },
    },
  },
  output: {
    type: 'object',
    properties: {
      total_documents: count,
      draft_documents: count,
      published_documents: count,
      views: count,
      downloads: count,
      shares: count,
      signatures: counts('none', 'pending', 'partial', 'signed', 'declined'),
      completion: {
        type: 'object',
        properties: {
          requested: count,
          completed: count,
          declined: count,
          rate: { type: 'number', description: 'completed of those requested, from 0 to 100' },
          signatures_required: count,
          signatures_completed: count,
          average_hours: { type: ['number', 'null'], description: 'from the request to the last' },
        },
        required: ['requested', 'completed', 'declined', 'rate'],
      },
      by_day: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            day: { type: 'string', format: 'date' },
            views: count,
            downloads: count,
            shares: count,
          },
        },
      },
      most_viewed: { type: 'array', items: { type: 'object' } },
    },
    required: [
      'total_documents',
      'views',
      'downloads',
      'shares',
      'signatures',
      'completion',
      'by_day',
      'most_viewed',
    ],
  },
  async run(ctx: Context, { query }: Input) {
    const { document_id, project_id, account_id, days = 30 } = query
    if (document_id) await checkReadable(ctx, Document, document_id)
    if (project_id) await checkReadable(ctx, ProjectOrDeal, project_id)
    if (account_id) await checkReadable(ctx, Account, account_id)
    const which = all(
      scope(ctx, Document, 'read'),
      document_id ? sql`t.chain_id = ${chainOf(ctx, document_id)}` : undefined,
      project_id ? sql`t.project_id = ${project_id}` : undefined,
      account_id ? sql`t.account_id = ${account_id}` : undefined,
    )
    const since = new Date(+ctx.now() - (days - 1) * 86_400_000).toISOString().slice(0, 10)
    const latest = sql`filter (where t.latest_version)`
    const having = (status: string) =>
      sql`(count(*) filter (where t.latest_version and t.signature_status = ${status}))::int`
    const [totals, by_day, most_viewed] = await Promise.all([
      ctx.one<Totals>(sql`
        select (count(*) ${latest})::int as total_documents,
          (count(*) filter (where t.latest_version and t.document_status = 'draft'))::int as draft_documents,
          (count(*) filter (where t.latest_version and t.document_status = 'published'))::int
            as published_documents,
          coalesce(sum(t.view_count), 0)::int as views,
          coalesce(sum(t.download_count), 0)::int as downloads,
          coalesce(sum(t.share_count), 0)::int as shares,
          json_build_object('none', ${having('none')}, 'pending', ${having('pending')},
            'partial', ${having('partial')}, 'signed', ${having('signed')},
            'declined', ${having('declined')}) as signatures,
          coalesce(sum(t.signatures_required) ${latest}, 0)::int as signatures_required,
          coalesce(sum(t.signatures_completed) ${latest}, 0)::int as signatures_completed,
          (avg(extract(epoch from t.signed_at - q.creation_time) / 3600) ${latest})::float8
            as average_hours
        from documents t
        left join signature_requests q on q.organization_id = t.organization_id
          and q.id = t.signature_request
        where ${which}`),
      ctx.all(sql`
        select d.day::text, sum(d.views)::int as views, sum(d.downloads)::int as downloads,
          sum(d.shares)::int as shares
        from documents t join document_days d on d.organization_id = t.organization_id
          and d.document_id = t.id
        where ${which} and d.day >= ${since}::date group by d.day order by d.day`),
      ctx.all(sql`
        select t.id as attach_id, t.document_name, t.view_count, t.download_count
        from documents t where ${which} and t.latest_version and t.view_count + t.download_count > 0
        order by t.view_count + t.download_count desc, t.id limit 10`),
    ])
    const { signatures_required, signatures_completed, average_hours, ...shown } = totals!
    const { none, signed, declined } = shown.signatures
    const requested = shown.total_documents - none
    return {
      ...shown,
      completion: {
        requested,
        completed: signed,
        declined,
        rate: requested ? Math.round((signed / requested) * 1000) / 10 : 0,
        signatures_required,
        signatures_completed,
        average_hours: average_hours === null ? null : Math.round(average_hours * 100) / 100,
      },
      by_day,
      most_viewed,
    }
  },
}

type Totals = {
  total_documents: number
  views: number
  downloads: number
  shares: number
  signatures: { none: number; signed: number; declined: number }
  signatures_required: number
  signatures_completed: number
  average_hours: number | null
}
