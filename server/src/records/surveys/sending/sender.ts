import type { Context } from '../../../kit/ground/context.ts'
import { forbidden } from '../../../kit/ground/errors.ts'
import { lock } from '../../../kit/write/write.ts'
import { Survey } from '../../../model/surveys/survey.ts'
import { loadActor } from '../../users/actor.ts'

/** Refuses if the user has left, was deactivated, or may no longer change the survey. */
export async function checkSender(
  ctx: Context,
  { created_by, survey_id }: { created_by: string; survey_id: string },
): Promise<void> {
  const sender = await loadActor(ctx, ctx.organization.id, created_by)
  if (!sender?.is_active) throw forbidden('Whoever scheduled it is no longer active')
  await lock({ ...ctx, actor: sender.actor }, Survey, survey_id, 'update')
}
