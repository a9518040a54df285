import type { FastifyInstance } from 'fastify'
import { notFound } from '../../kit/ground/errors.ts'
import { newId } from '../../kit/ground/ids.ts'
import { may } from '../../kit/record/scope.ts'
import { feedOf, isCurrent, readFeedTicket } from '../../records/calendar/feed.ts'
import { loadActor } from '../../records/users/actor.ts'
import type { Runtime } from '../../runtime.ts'
import { readingContext } from '../../runtime.ts'

/** A user's meetings for calendar programs: whoever has the secret address reads them. */
export function calendarFeedPage(scope: FastifyInstance, runtime: Runtime) {
  scope.get<{ Params: { token: string } }>('/calendar/:token', async (request, reply) => {
    const [, token] = /^([\w-]+)\.ics$/.exec(request.params.token) ?? []
    const ticket = token && readFeedTicket(runtime.secrets, token)
    if (!ticket) throw notFound('Calendar')
    const { organization: id, feed } = ticket
    const loaded = await loadActor(runtime.database.reads(id), id, feed)
    if (!loaded?.is_active || !may(loaded.actor, { module: 'calendar', action: 'read' })) {
      throw notFound('Calendar')
    }
    const { organization, actor } = loaded
    const caller = { organization, actor, source: 'application', request_id: newId() }
    const ctx = readingContext(runtime, caller)
    if (!(await isCurrent(ctx, ticket))) throw notFound('Calendar')
    return reply
      .header('content-type', 'text/calendar; charset=utf-8')
      .header('content-disposition', 'attachment; filename="meetings.ics"')
      .header('cache-control', 'private, max-age=300')
      .send(await feedOf(ctx))
  })
}
