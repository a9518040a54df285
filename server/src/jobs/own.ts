import { dropWaitingOfAll } from '../webhooks/waiting.ts'
import { jobsSchema } from '../database/jobs-schema.ts'
import type { Job } from '../kit/ground/job.ts'
import { sendBatch } from '../records/documents/batches/send.ts'
import { sealDocument } from '../records/documents/sealing/seal.ts'
import { exportPerson } from '../records/personal-data/export.ts'
import { erasePerson } from '../records/personal-data/erase.ts'
import { measureAccounts } from '../records/health/days.ts'
import { readTranscriptByModel } from '../records/calendar/transcripts/by-model.ts'
import { importJob } from '../records/imports/job.ts'
import { undoJob } from '../records/imports/undo.ts'
import { mailNotification } from '../records/notifications/mailing.ts'
import { readThemesByModel } from '../records/surveys/analysis/by-model.ts'
import { runAutomation } from '../records/surveys/automations/run.ts'
import { sendScheduled } from '../records/surveys/sending/schedule.ts'
import { noLongerAwaited } from '../records/calendar/connected/calls.ts'
import { revokeAccess } from '../records/calendar/connected/oauth.ts'
import { syncCalendar } from '../records/calendar/connected/sync.ts'
import type { Runtime } from '../runtime.ts'
import { dashboardMails } from './dashboard-mails.ts'
import { connectedCalendars } from './connected-calendars.ts'
import { notificationDigest } from './digest.ts'
import { dueTasks } from './due.ts'
import { dueReminders, endedSurveys, overdueMailings } from './ended-surveys.ts'
import { healthDays } from './health-days.ts'
import { housekeeping } from './housekeeping.ts'
import { knowOrganizations } from './known-organizations.ts'
import { removeOrphans, removeTemporaryFolders } from './orphans.ts'
import { portalOverviews } from './portal-overviews.ts'
import { countRows } from './row-usage.ts'
import { rememberWords } from './search-words.ts'
import { outboxOf, sendMails } from './send-mail.ts'
import { dueSignatures } from './signatures.ts'

/** The service's own jobs, which writes enqueue. */
export function serviceJobs({ config }: Runtime): Job[] {
  return [
    ...(sendMails(config) as Job[]),
    sendScheduled as Job,
    mailNotification as Job,
    sealDocument as Job,
    sendBatch as Job,
    runAutomation as Job,
    readTranscriptByModel as Job,
    readThemesByModel as Job,
    syncCalendar as Job,
    revokeAccess as Job,
    noLongerAwaited as Job,
    measureAccounts as Job,
    importJob as Job,
    undoJob as Job,
    exportPerson as Job,
    erasePerson({ outbox: outboxOf(config), jobsSchema }) as Job,
  ]
}

/** The schedules (cron lines in UTC), each run by one process at a time. */
export const schedules: { name: string; cron: string; run(runtime: Runtime): Promise<unknown> }[] =
  [
    {
      name: 'housekeeping',
      cron: '17 3 * * *',
      async run(runtime) {
        const removed = await housekeeping(runtime)
        const files = (await removeOrphans(runtime)) + (await removeTemporaryFolders())
        runtime.log.info({ removed: { ...removed, files } }, 'housekeeping')
      },
    },
    { name: 'known-organizations', cron: '*/5 * * * *', run: knowOrganizations },
    { name: 'row-usage', cron: '*/20 * * * *', run: countRows },
    { name: 'search-words', cron: '37 * * * *', run: rememberWords },
    { name: 'waiting-deliveries', cron: '* * * * *', run: dropWaitingOfAll },
    { name: 'due-tasks', cron: '*/5 * * * *', run: dueTasks },
    { name: 'ended-surveys', cron: '*/5 * * * *', run: endedSurveys },
    { name: 'overdue-mailings', cron: '*/5 * * * *', run: overdueMailings },
    { name: 'survey-reminders', cron: '*/5 * * * *', run: dueReminders },
    { name: 'due-signatures', cron: '*/10 * * * *', run: dueSignatures },
    { name: 'health-days', cron: '7 * * * *', run: healthDays },
    { name: 'notification-digest', cron: '*/15 * * * *', run: notificationDigest },
    { name: 'dashboard-mails', cron: '*/15 * * * *', run: dashboardMails },
    { name: 'connected-calendars', cron: '*/5 * * * *', run: connectedCalendars },
    { name: 'portal-overviews', cron: '*/15 * * * *', run: portalOverviews },
  ]
