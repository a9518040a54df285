import type { Context } from '../../kit/ground/context.ts'
import type { NewNotification } from '../../kit/ground/event.ts'
import { textOf } from '../../kit/ground/html.ts'

const kinds = {
  mention: { notification_type: 1, verb: 'mentioned you' },
  reply: { notification_type: 5, verb: 'replied' },
  rating: { notification_type: 5, verb: 'rated a milestone' },
} as const

/** Notifications of users who are mentioned, in whose thread somebody replied, or whose milestone was rated. */
export function interactionNotices(
  ctx: Context,
  users: string[],
  kind: keyof typeof kinds,
  content: string,
  shown: { module_id: number; reference_id: string; interaction_id: string },
): NewNotification[] {
  const { notification_type, verb } = kinds[kind]
  return users.map((user_id) => ({
    user_id,
    notification_type,
    title: `${ctx.actor.full_name} ${verb}`.slice(0, 255),
    description: textOf(content).slice(0, 255),
    notification_obj: shown,
  }))
}
