import { Type } from 'typebox'
import type { Context } from '../../../kit/ground/context.ts'
import { forbidden } from '../../../kit/ground/errors.ts'
import { arrayOf } from '../../../kit/ground/json-schema.ts'
import { Answer, operation } from '../../../kit/ground/operation.ts'
import { byId } from '../../../kit/crud.ts'
import { lock } from '../../../kit/write/write.ts'
import { Survey } from '../../../model/surveys/survey.ts'
import {
  cancelSchedule,
  createSchedule,
  listSchedules,
  readSchedule,
  recipientProperties,
  scheduleBody,
  scheduleSchema,
  sendNow,
} from './schedule.ts'
import { stopReminders } from './remind.ts'
import { checkSendable, sentSchema } from './send.ts'
import { checkReadable } from '../../../kit/read/one.ts'

const canUpdate = { module: 'surveys', action: 'update' } as const
const canRead = { module: 'surveys', action: 'read' } as const
const bySchedule = Type.Object({ id: Type.String(), schedule_id: Type.String() })

/** Sending surveys by mail, now or at a local time. Each recipient gets a personal link. */
export const surveySending = {
  send: operation({
    name: 'send_survey',
    summary: 'Send a survey by e-mail',
    description:
      'Each recipient gets a link of their own. Contacts who opted out of being contacted are skipped. The mailing is listed with the schedules. 429 `mail_quota_exceeded` for more mails than the organization may send today.',
    can: canUpdate,
    writes: true,
    input: { params: byId, body: Type.Object(recipientProperties) },
    output: sentSchema,
    async run(ctx, { params, body }) {
      const { row } = await lock(ctx, Survey, params.id, 'update')
      checkSendable(ctx, row)
      return sendNow(ctx, row, body)
    },
  }),
  schedule: operation({
    name: 'schedule_survey',
    summary: 'Schedule a survey to be sent by e-mail',
    description:
      'At a local time; a time that does not exist because of daylight saving is moved later by the gap.',
    can: canUpdate,
    writes: true,
    input: { params: byId, body: scheduleBody },
    output: scheduleSchema,
    async run(ctx, { params, body }) {
      const id = await createSchedule(ctx, params.id, body)
      return answerOf(ctx, params.id, id)
    },
  }),
  schedules: operation({
    name: 'list_survey_schedules',
    summary: 'List the schedules of a survey',
    description: 'Latest first, at most 500.',
    can: canRead,
    writes: false,
    input: { params: byId },
    output: arrayOf(scheduleSchema),
    async run(ctx, { params }) {
      await checkReadable(ctx, Survey, params.id)
      refuseConfined(ctx)
      return listSchedules(ctx, params.id)
    },
  }),
  readSchedule: operation({
    name: 'read_survey_schedule',
    summary: 'Retrieve a schedule of a survey',
    can: canRead,
    writes: false,
    input: { params: bySchedule },
    output: scheduleSchema,
    async run(ctx, { params }) {
      await checkReadable(ctx, Survey, params.id)
      refuseConfined(ctx)
      return answerOf(ctx, params.id, params.schedule_id)
    },
  }),
  stopReminders: operation({
    name: 'stop_survey_reminders',
    summary: 'Stop the reminders of a mailing',
    can: canUpdate,
    writes: true,
    input: { params: bySchedule },
    output: null,
    run: (ctx, { params }) => stopReminders(ctx, params.id, params.schedule_id),
  }),
  cancel: operation({
    name: 'cancel_survey_schedule',
    summary: 'Cancel a schedule of a survey',
    description: 'Possible until the survey is sent.',
    can: canUpdate,
    writes: true,
    isVersioned: true,
    input: { params: bySchedule },
    output: null,
    run: (ctx, { params, ifMatch }) => cancelSchedule(ctx, params.id, params.schedule_id, ifMatch),
  }),
}

async function answerOf(ctx: Context, survey_id: string, id: string): Promise<Answer> {
  const { version, ...schedule } = await readSchedule(ctx, survey_id, id)
  return new Answer(schedule, { id, version })
}

/** 403 for customers, who may see a survey but not its other recipients. */
function refuseConfined({ actor }: Context) {
  if (actor.is_confined) throw forbidden('Your role may not see the recipients of a survey')
}
