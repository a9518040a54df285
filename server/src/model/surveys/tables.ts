import { sql } from '../../kit/ground/sql.ts'
import { past, rowIn, serviceTable, userIn } from '../../kit/record/service-table.ts'

/** Whether a mailing sends mails yet: its first, or reminders. */
export const stillMails = sql`(t.status = 'scheduled' or (t.status = 'sent' and t.remind_at_most is not null))`

/** The tables of surveys. */
export const surveysTables = [
  serviceTable('survey_versions', { links: [rowIn('survey_id', 'surveys')] }),
  serviceTable('survey_responses', {
    links: [userIn('created_by'), rowIn('survey_id', 'surveys')],
  }),
  serviceTable('survey_schedules', {
    links: [userIn('created_by'), rowIn('survey_id', 'surveys')],
    handOver: [
      {
        kind: 'scheduled_mailings',
        column: 'created_by',
        title: 't.local_time',
        where: stillMails,
      },
    ],
  }),
  serviceTable('survey_recipients', { links: [rowIn('survey_id', 'surveys')] }),
  serviceTable('survey_result_links', {
    links: [userIn('created_by'), rowIn('survey_id', 'surveys')],
  }),
  serviceTable('survey_theme_readings', {
    links: [rowIn('survey_id', 'surveys'), past({ column: 'texts', isJson: true })],
  }),
  serviceTable('survey_automation_runs', {
    links: [
      rowIn('survey_id', 'surveys'),
      rowIn('automation_id', 'survey_automations'),
      past({ column: 'results', isJson: true }),
    ],
  }),
  serviceTable('widget_responses', { links: [userIn()] }),
]
