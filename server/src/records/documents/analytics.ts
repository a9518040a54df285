import { Type } from 'typebox'
import type { Static } from 'typebox'
import { idInQuery } from '../../kit/ground/ids.ts'
import type { Context } from '../../kit/ground/context.ts'
import { orNull } from '../../kit/ground/json-schema.ts'
import { all, sql } from '../../kit/ground/sql.ts'
import { scope } from '../../kit/record/scope.ts'
import { Account } from '../../model/accounts/account.ts'
import { ProjectOrDeal } from '../../model/projects/project.ts'
import { Document } from '../../model/documents/document.ts'
import { chainOf } from './versions.ts'
import { checkReadable } from '../../kit/read/one.ts'

const id = (description?: string) => Type.Optional(idInQuery(description))
const count = Type.Integer()

export const analyticsQuery = Type.Object({
  document_id: id('one document, in all its versions'),
  project_id: id(),
  account_id: id(),
  days: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 366, description: 'days covered by by_day (30)' }),
  ),
})

const byStatus = Type.Object({
  none: count,
  pending: count,
  partial: count,
  signed: count,
  declined: count,
})

const completion = Type.Object({
  requested: count,
  completed: count,
  declined: count,
  rate: Type.Number({ description: 'percentage of the requested that is completed' }),
  signatures_required: count,
  signatures_completed: count,
  average_hours: orNull(
    Type.Number({ description: 'hours from the request to the last signature' }),
  ),
})

const usageOfDay = Type.Object({
  day: Type.String({ format: 'date' }),
  views: count,
  downloads: count,
  shares: count,
})

const viewed = Type.Object({
  attach_id: Type.String(),
  document_name: Type.String(),
  view_count: count,
  download_count: count,
})

export const analyticsSchema = Type.Object(
  {
    total_documents: count,
    draft_documents: count,
    published_documents: count,
    views: count,
    downloads: count,
    shares: count,
    signatures: byStatus,
    completion,
    by_day: Type.Array(usageOfDay),
    most_viewed: Type.Array(viewed),
  },
  { title: 'DocumentAnalytics' },
)

type Analytics = Static<typeof analyticsSchema>
type Totals = Omit<Analytics, 'completion' | 'by_day' | 'most_viewed'> &
  Pick<Analytics['completion'], 'signatures_required' | 'signatures_completed' | 'average_hours'>
type Found = Totals & Pick<Analytics, 'by_day' | 'most_viewed'>

/** How often the documents that the caller sees were viewed, downloaded, shared and signed. */
export async function documentAnalytics(
  ctx: Context,
  { document_id, project_id, account_id, days = 30 }: Static<typeof analyticsQuery>,
): Promise<Analytics> {
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
  // the rights on each document, which are most of the cost, are evaluated once
  const [found] = (await ctx.all<Found>(sql`
    with own as materialized (
      select t.id, t.latest_version, t.document_status, t.view_count, t.download_count, t.share_count,
        t.signature_status, t.signatures_required, t.signatures_completed, t.signed_at, t.signature_request
      from documents t where ${which}),
    days as (
      select d.day::text, sum(d.views)::int as views, sum(d.downloads)::int as downloads,
        sum(d.shares)::int as shares
      from own t join document_days d on d.organization_id = $organization and d.document_id = t.id
      where d.day >= ${since}::date group by d.day),
    viewed as (
      select t.id, t.view_count, t.download_count from own t
      where t.latest_version and t.view_count + t.download_count > 0
      order by t.view_count + t.download_count desc, t.id limit 10)
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
        as average_hours,
      (select coalesce(json_agg(d order by d.day), '[]') from days d) as by_day,
      (select coalesce(json_agg(json_build_object('attach_id', v.id, 'document_name', n.document_name,
          'view_count', v.view_count, 'download_count', v.download_count)
          order by v.view_count + v.download_count desc, v.id), '[]')
        from viewed v join documents n on n.organization_id = $organization and n.id = v.id) as most_viewed
    from own t
    left join signature_requests q on q.organization_id = $organization
      and q.id = t.signature_request`)) as [Found]
  const { by_day, most_viewed, ...totals } = found
  const { signatures_required, signatures_completed, average_hours, ...shown } = totals
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
}
