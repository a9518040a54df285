import { Type } from 'typebox'
import { orNull } from '../../kit/ground/json-schema.ts'
import { operation } from '../../kit/ground/operation.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { usedOf } from '../../kit/write/quota.ts'
import { countSubscriptions } from '../apps/subscription-quota.ts'
import { storageOf } from '../documents/file.ts'
import { mailsOfDay } from '../mail/quota.ts'

const limit = orNull(Type.Integer({ description: 'null without a limit' }))

/** How much of its quotas the organization has used. */
export const readUsage = operation({
  name: 'read_usage',
  summary: 'Retrieve the usage of the organization',
  description:
    'Mails of the day and those that wait for the next one, bytes of files and of rows, open live streams, webhook subscriptions, with their limits.',
  can: { module: 'roles', action: 'update' },
  writes: false,
  output: Type.Object(
    {
      mails: Type.Object({
        used: Type.Integer({ description: 'counted today (UTC)' }),
        limit,
        waiting: Type.Integer({
          description: 'mails over a quota, sent when its next window begins',
        }),
        resets_at: Type.String({ format: 'date-time' }),
      }),
      storage: Type.Object({
        used: Type.Integer({
          description: 'bytes of files, old versions and deleted ones included',
        }),
        limit,
      }),
      rows: Type.Object({
        used: Type.Integer({ description: 'bytes without indexes, as counted last' }),
        deliveries: Type.Integer({ description: 'of these, bytes of deliveries that wait' }),
        limit,
        counted_at: orNull(
          Type.String({ format: 'date-time', description: 'null before the first count' }),
        ),
      }),
      streams: Type.Object({
        used: Type.Integer({ description: 'open in the process that answers' }),
        limit,
      }),
      subscriptions: Type.Object({
        used: Type.Integer({ description: 'of webhooks, disabled ones included' }),
        limit,
      }),
    },
    { title: 'Usage' },
  ),
  input: {},
  async run(ctx) {
    const { quotas, streams } = ctx.services
    const [mails, waiting, storage, rows, subscriptions] = await Promise.all([
      usedOf(ctx, mailsOfDay(ctx)),
      ctx.one<{ count: number }>(sql`select count(*)::int as count from sent_mails t
        where ${mine(ctx)} and t.deferred_until > ${ctx.now().toISOString()}`),
      storageOf(ctx),
      ctx.one<{ bytes: number; delivery_bytes: number; counted_at: string }>(sql`
        select t.bytes, t.delivery_bytes, t.counted_at from row_usage t where ${mine(ctx)}`),
      countSubscriptions(ctx),
    ])
    return {
      mails: {
        used: mails.used,
        limit: quotas.mailsPerDay || null,
        waiting: waiting?.count ?? 0,
        resets_at: mails.until.toISOString(),
      },
      storage: { used: storage, limit: quotas.storageBytes || null },
      rows: {
        used: rows?.bytes ?? 0,
        deliveries: rows?.delivery_bytes ?? 0,
        limit: quotas.rowBytes || null,
        counted_at: rows?.counted_at ?? null,
      },
      streams: {
        used: streams.count(ctx.organization.id),
        limit: quotas.streamsPerOrganization || null,
      },
      subscriptions: { used: subscriptions, limit: quotas.subscriptions || null },
    }
  },
})
