import { withDeleted } from '../../kit/read/deleted.ts'
import { accounts } from '../../records/accounts/operations.ts'
import { accountPhases } from '../../records/accounts/phases.ts'
import { accountJourney } from '../../records/accounts/journey.ts'
import { activityLog, ownFeed, track } from '../../records/activity/operations.ts'
import { connections } from '../../records/apps/connections.ts'
import { apps } from '../../records/apps/operations.ts'
import { companies } from '../../records/companies/operations.ts'
import { contacts, contactsOfCompany } from '../../records/contacts/operations.ts'
import { fieldSettings } from '../../records/field-config/module-operations.ts'
import { optionSetOperations } from '../../records/field-config/operations.ts'
import { customerActivity } from '../../records/dashboards/customers.ts'
import { dashboards } from '../../records/dashboards/operations.ts'
import { heatmap } from '../../records/dashboards/heatmap.ts'
import { readDashboardMail, setDashboardMail } from '../../records/reports/dashboard-mail.ts'
import { readReportMail, setReportMail } from '../../records/reports/report-mail.ts'
import { readWidgets } from '../../records/dashboards/read-many.ts'
import { readWidget } from '../../records/dashboards/widget.ts'
import { readReport } from '../../records/reports/operations.ts'
import { documents } from '../../records/documents/operations.ts'
import { batches } from '../../records/documents/batches/operations.ts'
import { externalSigning } from '../../records/documents/external/operations.ts'
import { fileLimit } from '../../records/documents/file.ts'
import { documentImages } from '../../records/documents/images.ts'
import { pictureLimit } from '../../kit/ground/image-address.ts'
import { preparations, signatures } from '../../records/documents/requests/operations.ts'
import { documentValues } from '../../records/documents/reusable/values.ts'
import { signingSettings } from '../../records/documents/seals/settings.ts'
import { checkLimit, verification } from '../../records/documents/seals/verify.ts'
import { filterAttributes, filters } from '../../records/filters/operations.ts'
import { companyMerging, contactMerging } from '../../records/merging/operations.ts'
import { forecast } from '../../records/projects/forecast.ts'
import { pipelines } from '../../records/projects/pipelines/operations.ts'
import { applyTemplate } from '../../records/projects/from-template/use.ts'
import { saveAsTemplate } from '../../records/projects/save-template/save.ts'
import { load } from '../../records/projects/load/load.ts'
import { loadTasks } from '../../records/projects/load/tasks.ts'
import { removeBaseline, setBaseline } from '../../records/projects/schedule/baseline.ts'
import { addPlanLines } from '../../records/milestones/lines/add.ts'
import { movePlanRows } from '../../records/milestones/lines/move.ts'
import { planChanges } from '../../records/projects/schedule/changes.ts'
import { accountPeople, dealPeople } from '../../records/contacts/people.ts'
import { dealFigures } from '../../records/projects/deal-figures.ts'
import { projectForms } from '../../records/projects/forms.ts'
import { updateProjects } from '../../records/projects/template-update/update.ts'
import { projects } from '../../records/projects/operations.ts'
import { milestones } from '../../records/milestones/operations.ts'
import { taskActivity } from '../../records/tasks/activity.ts'
import { taskAttachments } from '../../records/tasks/attachments.ts'
import { bulkActions } from '../../records/tasks/bulk.ts'
import { dependencies } from '../../records/tasks/dependencies.ts'
import { tasks } from '../../records/tasks/operations.ts'
import { timeEntries } from '../../records/tasks/time/operations.ts'
import { exportTime } from '../../records/tasks/time/export.ts'
import { timeReport } from '../../records/tasks/time/report.ts'
import { timer } from '../../records/tasks/time/timer.ts'
import { handingOver } from '../../records/hand-over/operations.ts'
import { holidays } from '../../records/holidays/operations.ts'
import { projectForecasts } from '../../records/projects/schedule/likely.ts'
import { readHome } from '../../records/home/operations.ts'
import { readPortal } from '../../records/portal/operations.ts'
import { projectTimeline } from '../../records/projects/schedule/portfolio.ts'
import { allStatistics, templateStatistics } from '../../records/templates/statistics.ts'
import { suggestMilestone, suggestTemplate } from '../../records/templates/suggest.ts'
import { search } from '../../records/search/operations.ts'
import { templates } from '../../records/templates/operations.ts'
import {
  changeDraft,
  listVersions,
  publishTemplate,
  readDraft,
  readVersion,
  removeDraft,
} from '../../records/templates/version-operations.ts'
import {
  interactionMarks,
  interactions,
  summarizeInteractions,
} from '../../records/interactions/operations.ts'
import { notifications } from '../../records/notifications/operations.ts'
import { calendar, calendarFeed, insights, transcripts } from '../../records/calendar/operations.ts'
import { connectedCalendars } from '../../records/calendar/connected/operations.ts'
import { meetingsOfCompany, meetingsOfContact } from '../../records/calendar/completed.ts'
import { personalLinks } from '../../records/surveys/links/personal.ts'
import { publicSurvey } from '../../records/surveys/links/operations.ts'
import { answersOfRecord } from '../../records/surveys/responses/of-record.ts'
import { sharedResults } from '../../records/surveys/responses/share.ts'
import { statusSettings } from '../../records/statuses/operations.ts'
import { surveyAnalysis } from '../../records/surveys/analysis/operations.ts'
import { surveyAutomations } from '../../records/surveys/automations/operations.ts'
import { surveyEmbed } from '../../records/surveys/links/embed.ts'
import { surveyDraft } from '../../records/surveys/draft.ts'
import { formTasks } from '../../records/surveys/form-tasks.ts'
import { surveyResponses } from '../../records/surveys/responses/operations.ts'
import { surveyTranslations } from '../../records/surveys/translations.ts'
import { surveySending } from '../../records/surveys/sending/operations.ts'
import { surveys } from '../../records/surveys/operations.ts'
import { exports } from '../../records/imports/export.ts'
import { imports } from '../../records/imports/operations.ts'
import { fileLimit as spreadsheetLimit } from '../../records/imports/upload.ts'
import { personalData } from '../../records/personal-data/operations.ts'
import { readUsage } from '../../records/usage/operations.ts'
import { listUses } from '../../records/uses/operations.ts'
import { accountHealth } from '../../records/health/history.ts'
import { healthWeights } from '../../records/health/weights.ts'
import { activityFeed } from '../../records/timeline/activity.ts'
import { recordTimeline, timeline } from '../../records/timeline/operations.ts'
import { openIdSettings } from '../../records/organizations/openid.ts'
import { logo, logoLimit } from '../../records/organizations/logo.ts'
import {
  mailDefaults,
  organizationSettings,
  sharingDefaults,
} from '../../model/organizations/settings.ts'
import { organizationSecurity } from '../../model/organizations/security.ts'
import { changePassword } from '../../records/users/change-password.ts'
import { oneTimeCodes } from '../../records/users/one-time-codes/operations.ts'
import { imageLimit, userImage } from '../../records/users/image.ts'
import { sessions } from '../../records/users/session-operations.ts'
import { accessTokens } from '../../records/users/access-tokens/operations.ts'
import { signInLog } from '../../records/users/sign-ins.ts'
import { profileAction, users } from '../../records/users/operations.ts'
import { roles } from '../../records/users/roles/operations.ts'
import { widget } from '../../records/widget/operations.ts'
import { Account } from '../../model/accounts/account.ts'
import { MeetingInsight } from '../../model/calendar/insight.ts'
import { Meeting } from '../../model/calendar/meeting.ts'
import { Company } from '../../model/companies/company.ts'
import { Contact } from '../../model/contacts/contact.ts'
import { Dashboard } from '../../model/dashboards/dashboard.ts'
import { Document } from '../../model/documents/document.ts'
import { ShownMilestone } from '../../model/milestones/milestone.ts'
import { Pipeline } from '../../model/projects/pipelines/pipeline.ts'
import { ShownProject } from '../../model/projects/project.ts'
import { Survey } from '../../model/surveys/survey.ts'
import { Tag, tags } from '../../model/tags/tag.ts'
import { Task } from '../../model/tasks/task.ts'
import { TimeEntry } from '../../model/tasks/time-entry.ts'
import { Template } from '../../model/templates/template.ts'
import { UserProfile } from '../../model/users/user.ts'
import { managedDeliveries } from '../../webhooks/managed/deliveries.ts'
import { inspectors } from '../../webhooks/managed/inspector.ts'
import { managedSubscriptions } from '../../webhooks/managed/operations.ts'
import { managedEvents, managedTest } from '../../webhooks/managed/trying.ts'
import type { Route } from '../route.ts'
import { del, get, listed, patch, plain, post, put } from '../route.ts'
import { bulkRoutes } from './bulk.ts'
import { loginWithCode } from './codes.ts'
import { acceptInvite } from './invitations.ts'
import { login, logout, refreshSession } from './login.ts'
import { beginOpenIdLogin, finishOpenIdLogin } from './openid.ts'
import { paged } from './paged.ts'
import { modules } from './modules.ts'
import { requestPasswordReset, resetPassword } from './passwords.ts'
import { requestSignInLink } from './sign-in-link.ts'
import { streamChanges } from './live/stream.ts'
import { streamNotifications } from './stream.ts'
import { preferences } from './web/preferences.ts'
import { webSessions } from './web/session.ts'
import { readWidgetConfig, submitWidget } from './widget.ts'

/** How the document introduces the surface. */
export const applicationSurface = {
  name: 'application',
  description: 'For the people of an organization, with the bearer token of `POST /api/login/`.',
  security: () => [{ bearerAuth: [] }],
}

/** The whole application surface, one line per operation. */
export function applicationRoutes(): Route[] {
  return [
    post('/api/login/', login),
    post('/api/login/code/', loginWithCode),
    post('/api/login/openid/', beginOpenIdLogin),
    post('/api/login/openid/finish/', finishOpenIdLogin),
    post('/api/login/refresh/', refreshSession),
    post('/api/login/accept-invite/', acceptInvite),
    post('/api/login/reset/', requestPasswordReset),
    post('/api/login/reset/confirm/', resetPassword),
    post('/api/logout/', logout),

    post('/api/session/', webSessions.start),
    get('/api/session/', webSessions.read),
    del('/api/session/', webSessions.end),
    post('/api/session/password/', changePassword, { status: 204 }),
    post('/api/session/link/', requestSignInLink),
    get('/api/session/totp/', oneTimeCodes.read),
    post('/api/session/totp/', oneTimeCodes.enrol),
    post('/api/session/totp/confirm/', oneTimeCodes.confirm),
    post('/api/session/totp/recovery-codes/', oneTimeCodes.renew),
    post('/api/session/totp/disable/', oneTimeCodes.disable, { status: 204 }),
    get('/api/sessions/', sessions.list),
    del('/api/sessions/', sessions.endOthers),
    del('/api/sessions/{id}/', sessions.end),
    get('/api/sign-ins/', signInLog),
    get('/api/access-tokens/', accessTokens.list),
    post('/api/access-tokens/', accessTokens.create, { status: 201, location: undefined }),
    get('/api/access-tokens/scopes/', accessTokens.scopes),
    del('/api/access-tokens/{id}/', accessTokens.revoke),
    get('/api/preferences/', preferences.read),
    put('/api/preferences/', preferences.update),

    get('/api/organization/settings/', organizationSettings.read),
    put('/api/organization/settings/', organizationSettings.update),
    put('/api/organization/settings/logo/', logo.update, { upload: { limit: logoLimit } }),
    del('/api/organization/settings/logo/', logo.remove),
    get('/api/organization/settings/health-weights/', healthWeights.read),
    put('/api/organization/settings/health-weights/', healthWeights.update),
    get('/api/organization/settings/mail/', mailDefaults.read),
    put('/api/organization/settings/mail/', mailDefaults.update),
    get('/api/organization/settings/sharing/', sharingDefaults.read),
    put('/api/organization/settings/sharing/', sharingDefaults.update),
    get('/api/organization/settings/fields/', fieldSettings.list),
    put('/api/organization/settings/fields/{module}/', fieldSettings.update),
    del('/api/organization/settings/fields/{module}/{key}/', fieldSettings.remove),
    get('/api/organization/settings/statuses/', statusSettings.list),
    put('/api/organization/settings/statuses/{module}/', statusSettings.update),
    del('/api/organization/settings/statuses/{module}/{status_id}/', statusSettings.remove),
    get('/api/statuses/', statusSettings.ofModule),
    put('/api/statuses/', statusSettings.updateOfModule),
    get('/api/organization/personal-data/', personalData.list),
    post('/api/organization/personal-data/export/', personalData.export, {
      status: 201,
      location: '/api/organization/personal-data/{id}/',
    }),
    post('/api/organization/personal-data/erase/', personalData.erase, {
      status: 201,
      location: '/api/organization/personal-data/{id}/',
    }),
    get('/api/organization/personal-data/{id}/', personalData.read),
    get('/api/organization/personal-data/{id}/file/', personalData.file),
    get('/api/connections/', connections.own),
    del('/api/connections/{id}/', connections.revokeOwn),
    get('/api/organization/connections/', connections.list),
    del('/api/organization/connections/{id}/', connections.revoke),
    get('/api/apps/', apps.list),
    post('/api/apps/', apps.create, { status: 201 }),
    get('/api/apps/scopes/', apps.scopes),
    get('/api/apps/{id}/', apps.read),
    put('/api/apps/{id}/', apps.update),
    patch('/api/apps/{id}/', apps.update),
    del('/api/apps/{id}/', apps.remove),
    post('/api/apps/{id}/rotate/', apps.rotate),
    get('/api/apps/{id}/connections/', apps.connections),
    del('/api/apps/{id}/connections/{connection_id}/', apps.disconnect),
    get('/api/webhooks/subscriptions/', managedSubscriptions.list),
    post('/api/webhooks/subscriptions/', managedSubscriptions.create, { status: 201 }),
    get('/api/webhooks/subscriptions/{id}/', managedSubscriptions.read),
    put('/api/webhooks/subscriptions/{id}/', managedSubscriptions.update),
    patch('/api/webhooks/subscriptions/{id}/', managedSubscriptions.update),
    del('/api/webhooks/subscriptions/{id}/', managedSubscriptions.remove),
    post('/api/webhooks/subscriptions/{id}/disable/', managedSubscriptions.disable),
    post('/api/webhooks/subscriptions/{id}/enable/', managedSubscriptions.enable),
    post('/api/webhooks/subscriptions/{id}/rotate-secret/', managedSubscriptions.rotateSecret),
    get('/api/webhooks/deliveries/', managedDeliveries.list),
    post('/api/webhooks/deliveries/resend-failed/', managedDeliveries.resendFailed, {
      location: undefined,
    }),
    get('/api/webhooks/deliveries/{id}/', managedDeliveries.read),
    post('/api/webhooks/deliveries/{id}/resend/', managedDeliveries.resend),
    get('/api/webhooks/events/', managedEvents),
    post('/api/webhooks/test/', managedTest, { location: undefined }),
    get('/api/webhooks/inspector/', inspectors.list),
    post('/api/webhooks/inspector/', inspectors.open, { status: 201 }),
    get('/api/webhooks/inspector/{id}/', inspectors.read),
    del('/api/webhooks/inspector/{id}/', inspectors.close),
    get('/api/organization/security/', organizationSecurity.read),
    put('/api/organization/security/', organizationSecurity.update),
    get('/api/organization/openid/', openIdSettings.read),
    put('/api/organization/openid/', openIdSettings.update),
    del('/api/organization/openid/', openIdSettings.remove),
    get('/api/organization/signing/', signingSettings.read),
    put('/api/organization/signing/', signingSettings.update),

    ...bulkRoutes(),

    get('/api/search/', search),
    get('/api/timeline/', timeline),
    get('/api/timeline/{module}/{id}/', recordTimeline),
    get('/api/usage/', readUsage),
    get('/api/uses/{module}/{id}/', listUses),

    get('/api/widget-config', readWidgetConfig),
    put('/api/widget-config', widget.update),
    get('/api/widget-responses/', widget.responses),
    post('/api/widget-submit', submitWidget, { empty: true, location: undefined }),

    ...listed('/api/company/', paged(companies.list), Company),
    post('/api/company/', companies.create, { empty: true }),
    get('/api/company/{id}/', companies.read),
    put('/api/company/{id}/', companies.update, { empty: true }),
    del('/api/company/{id}/', companies.remove),
    post('/api/company/{id}/restore/', companies.restore),
    get('/api/company/export/', exports.companies),
    get('/api/company/duplicates/', companyMerging.duplicates),
    post('/api/company/merge/', companyMerging.merge, { location: undefined }),
    post('/api/company/merge/{merge_id}/undo/', companyMerging.undo),
    get('/api/company/{id}/contacts/', contactsOfCompany),

    ...listed('/api/contact/', paged(contacts.list), Contact),
    post('/api/contact/', contacts.create, { empty: true }),
    get('/api/contact/{id}/', contacts.read),
    put('/api/contact/{id}/', contacts.update, { empty: true }),
    del('/api/contact/{id}/', contacts.remove),
    post('/api/contact/{id}/restore/', contacts.restore),
    get('/api/contact/export/', exports.contacts),
    get('/api/contact/duplicates/', contactMerging.duplicates),
    post('/api/contact/merge/', contactMerging.merge, { location: undefined }),
    post('/api/contact/merge/{merge_id}/undo/', contactMerging.undo),

    get('/api/imports/', imports.list),
    post('/api/imports/', imports.create, { status: 201, upload: { limit: spreadsheetLimit } }),
    get('/api/imports/{id}/', imports.read),
    put('/api/imports/{id}/', imports.update),
    post('/api/imports/{id}/start/', imports.start, { location: '/api/imports/{id}/' }),
    post('/api/imports/{id}/cancel/', imports.cancel, { location: '/api/imports/{id}/' }),
    post('/api/imports/{id}/undo/', imports.undo, { location: '/api/imports/{id}/' }),
    get('/api/imports/{id}/errors/', imports.errors),
    get('/api/imports/{id}/errors/export/', imports.exportErrors),

    get('/api/exports/accounts/', exports.accounts),
    get('/api/exports/deals/', exports.deals),
    get('/api/exports/projects/', exports.projects),
    get('/api/exports/milestones/', exports.milestones),
    get('/api/exports/tasks/', exports.tasks),
    get('/api/exports/meetings/', exports.meetings),
    get('/api/exports/tags/', exports.tags),
    get('/api/exports/holidays/', exports.holidays),

    get('/api/option-sets/', optionSetOperations.list),
    put('/api/option-sets/{module}/{set}/', optionSetOperations.update),
    del('/api/option-sets/{module}/{set}/{value}/', optionSetOperations.remove),

    ...listed('/api/account/info/', accounts.list, Account),
    post('/api/account/info/', accounts.create, { status: 201 }),
    get('/api/account/info/all-accounts/', accounts.names),
    get('/api/account/info/journey/', accountJourney),
    get('/api/account/info/more-activities/', accounts.activities),
    post('/api/account/info/del_vertical/', accounts.removeVertical, { location: undefined }),
    get('/api/account/info/{id}/', accounts.read),
    put('/api/account/info/{id}/', accounts.update),
    del('/api/account/info/{id}/', accounts.remove),
    get('/api/account/info/{id}/health/', accountHealth),
    get('/api/account/info/{id}/people/', accountPeople),
    get('/api/account/info/{id}/phases/', accountPhases),
    post('/api/account/info/{id}/restore/', accounts.restore),

    ...listed('/api/project/info/', projects.list, ShownProject),
    post('/api/project/info/', projects.create, { status: 201, empty: true }),
    get('/api/project/forecast/', forecast),
    get('/api/projects/timeline/', projectTimeline),
    get('/api/projects/forecasts/', projectForecasts),
    get('/api/load/', load),
    get('/api/load/tasks/', loadTasks),
    get('/api/home/', readHome),
    get('/api/portal/', readPortal),
    get('/api/project/info/{id}/', projects.read),
    put('/api/project/info/{id}/', projects.update),
    del('/api/project/info/{id}/', projects.remove),
    post('/api/project/info/{id}/restore/', projects.restore),
    post('/api/project/info/{id}/move/', projects.move),
    post('/api/project/info/{id}/duplicate/', projects.duplicate, {
      status: 201,
      location: '/api/project/info/{id}/',
    }),
    post('/api/project/info/{id}/convert/', projects.convert, {
      status: 201,
      location: '/api/project/info/{id}/',
    }),
    get('/api/project/info/{id}/plan/', projects.plan),
    post('/api/project/info/{id}/plan/changes/', planChanges, { location: undefined }),
    post('/api/project/info/{id}/plan/lines/', addPlanLines, { status: 201, location: undefined }),
    post('/api/project/info/{id}/plan/moves/', movePlanRows, { location: undefined }),
    post('/api/project/info/{id}/plan/baseline/', setBaseline, {
      status: 201,
      location: undefined,
    }),
    del('/api/project/info/{id}/plan/baseline/{baseline_id}/', removeBaseline),
    post('/api/project/info/{id}/save-as-template/', saveAsTemplate, {
      location: '/api/templates/template/{id}/',
    }),
    get('/api/project/info/{id}/stage-history/', projects.stageHistory),
    get('/api/project/info/{id}/figures/', dealFigures),
    get('/api/project/info/{id}/forms/', projectForms),
    get('/api/project/info/{id}/people/', dealPeople),

    ...listed('/api/milestones/', milestones.listAll, ShownMilestone),

    ...plain('/api/pipelines/', pipelines, Pipeline),

    ...listed('/api/project/info/{id}/milestones/', milestones.list, ShownMilestone),
    post('/api/project/info/{id}/milestones/', milestones.create, {
      status: 201,
      location: '/api/project/info/{id}/milestones/{milestone_id}/',
    }),
    get('/api/project/info/{id}/milestones/{milestone_id}/', milestones.read),
    put('/api/project/info/{id}/milestones/{milestone_id}/', milestones.update),
    patch('/api/project/info/{id}/milestones/{milestone_id}/', milestones.update),
    del('/api/project/info/{id}/milestones/{milestone_id}/', milestones.remove),
    post('/api/project/info/{id}/milestones/{milestone_id}/restore/', milestones.restore),
    post('/api/project/info/{id}/milestones/{milestone_id}/move/', milestones.move),

    ...plain('/api/tasks/', tasks, Task),
    get('/api/tasks/activity/', taskActivity),
    get('/api/tasks/attachments/', taskAttachments),
    post('/api/tasks/bulk_actions/', bulkActions, { location: undefined }),
    get('/api/tasks/{id}/dependencies/', dependencies.list),
    post('/api/tasks/{id}/dependencies/', dependencies.add, { status: 201 }),
    del('/api/tasks/{id}/dependencies/{predecessor_id}/', dependencies.remove),
    post('/api/tasks/{id}/move/', tasks.move),
    post('/api/tasks/{id}/timer/start/', timer.start),
    post('/api/tasks/{id}/timer/stop/', timer.stop),

    ...plain('/api/time-entries/', timeEntries, TimeEntry),
    get('/api/time-entries/report/', timeReport),
    get('/api/exports/time-entries/', exportTime),

    ...plain('/api/templates/template/', templates, Template),
    get('/api/templates/template/ai-milestone/', suggestMilestone),
    get('/api/templates/template/ai-template/', suggestTemplate),
    get('/api/templates/template/default/', templates.defaults),
    get('/api/templates/template/paginated-templates/', templates.paginated),
    post('/api/templates/template/{id}/duplicate/', templates.duplicate, {
      status: 201,
      location: '/api/templates/template/{id}/',
    }),
    get('/api/templates/template/statistics/', allStatistics),
    get('/api/templates/template/{id}/statistics/', templateStatistics),
    get('/api/templates/template/{id}/draft/', readDraft),
    put('/api/templates/template/{id}/draft/', changeDraft),
    del('/api/templates/template/{id}/draft/', removeDraft, { status: 200 }),
    post('/api/templates/template/{id}/publish/', publishTemplate, { location: undefined }),
    get('/api/templates/template/{id}/versions/', listVersions),
    get('/api/templates/template/{id}/versions/{number}/', readVersion),
    post('/api/templates/template/{id}/use/', applyTemplate, {
      location: '/api/project/info/{id}/',
    }),
    post('/api/templates/template/{id}/update-projects/', updateProjects, { location: undefined }),

    get('/api/holidays/holinfo/', withDeleted(holidays.list)),
    post('/api/holidays/holinfo/', holidays.create, { status: 201, empty: true }),
    get('/api/holidays/holinfo/import/', holidays.import),
    get('/api/holidays/holinfo/{id}/', holidays.read),
    put('/api/holidays/holinfo/{id}/', holidays.update),
    del('/api/holidays/holinfo/{id}/', holidays.remove),
    post('/api/holidays/holinfo/{id}/restore/', holidays.restore),

    get('/api/interactions/info/', interactions.list),
    post('/api/interactions/info/', interactions.create, { status: 201 }),
    post('/api/interactions/info/add-reaction/', interactionMarks.react, { location: undefined }),
    post('/api/interactions/info/mark-read/', interactionMarks.markRead, { location: undefined }),
    post('/api/interactions/info/unread-counts/', interactionMarks.unreadCounts, {
      location: undefined,
    }),
    get('/api/interactions/info/summary/', summarizeInteractions),
    get('/api/interactions/info/{id}/', interactions.read),
    put('/api/interactions/info/{id}/', interactions.update),
    del('/api/interactions/info/{id}/', interactions.remove),

    get('/api/notifyhub/notify-info/', notifications.list),
    post('/api/notifyhub/notify-info/', notifications.create, { status: 201 }),
    post('/api/notifyhub/notify-info/mark-all-read/', notifications.markAllRead, {
      location: undefined,
    }),
    get('/api/notifyhub/notify-info/unread-count/', notifications.unreadCount),
    get('/api/notifyhub/notify-info/{id}/', notifications.read),
    put('/api/notifyhub/notify-info/{id}/', notifications.update),
    get('/api/notifyhub/stream/', streamNotifications),
    get('/api/stream/', streamChanges),
    get('/api/notifyhub/preferences/', notifications.readPreferences),
    put('/api/notifyhub/preferences/', notifications.updatePreferences),

    ...listed('/api/documents/', documents.list, Document),
    post('/api/documents/', documents.create, { status: 201, upload: { limit: fileLimit } }),
    get('/api/documents/activities/', documents.activities),
    get('/api/documents/folders/', documents.folders),
    post('/api/documents/join/', documents.join, { status: 201, location: '/api/documents/{id}/' }),
    get('/api/documents/analytics/', documents.analytics),
    get('/api/documents/external/', externalSigning.read),
    post('/api/documents/external/rotate-secret/', externalSigning.rotateSecret),
    get('/api/documents/{id}/', documents.read),
    put('/api/documents/{id}/', documents.update, { upload: { limit: fileLimit } }),
    patch('/api/documents/{id}/', documents.update, { upload: { limit: fileLimit } }),
    del('/api/documents/{id}/', documents.remove),
    post('/api/documents/{id}/restore/', documents.restore),
    post('/api/documents/{id}/publish/', documents.publish),
    put('/api/documents/{id}/favourite/', documents.favourite),
    post('/api/documents/{id}/reusable/', documents.keep, { status: 201 }),
    post('/api/documents/{id}/use/', documents.use, { status: 201 }),
    get('/api/documents/{id}/file/', documents.file),
    get('/api/documents/{id}/pdf/', documents.pdf),
    post('/api/documents/{id}/values/', documentValues, { status: 200 }),
    post('/api/documents/{id}/images/', documentImages.create, {
      status: 201,
      upload: { limit: pictureLimit },
    }),
    get('/api/documents/{id}/images/{image_id}/', documentImages.read),
    get('/api/documents/{id}/versions/', documents.versions),
    post('/api/documents/{id}/versions/', documents.keepVersion, { status: 201 }),
    post('/api/documents/{id}/signature/request/', signatures.request),
    post('/api/documents/{id}/signature/void/', signatures.void),
    post('/api/documents/{id}/signature/remind/', signatures.remind),
    patch('/api/documents/{id}/signature/recipients/{recipient_id}/', signatures.correct),
    post('/api/documents/{id}/signature/recipients/{recipient_id}/remind/', signatures.remindOne),
    get('/api/documents/{id}/signature/preparation/', preparations.read),
    put('/api/documents/{id}/signature/preparation/', preparations.store),
    del('/api/documents/{id}/signature/preparation/', preparations.remove, { status: 200 }),
    post('/api/documents/{id}/signature/preview/', preparations.preview, { status: 200 }),
    get('/api/documents/{id}/signature/batches/', batches.list),
    post('/api/documents/{id}/signature/batches/', batches.start),
    get('/api/documents/{id}/signature/batches/{batch_id}/', batches.read),
    post('/api/documents/{id}/signature/batches/{batch_id}/cancel/', batches.cancel),
    post('/api/documents/{id}/signature/locate/', signatures.locate),
    get('/api/documents/{id}/signature/audit/', signatures.audit),
    get('/api/documents/{id}/signature/files/{file_id}/', signatures.file),
    get('/api/documents/{id}/signature/verify/', verification.document),
    post('/api/documents/signature/verify/', verification.file, {
      location: undefined,
      upload: { limit: checkLimit },
    }),

    ...plain('/api/calendar/info/', calendar, Meeting),
    get('/api/calendar/feed-url/', calendarFeed.read),
    post('/api/calendar/feed-url/', calendarFeed.renew, { location: undefined }),
    post('/api/calendar/free-busy/', calendar.freeBusy, { location: undefined }),
    get('/api/calendar/connections/', connectedCalendars.list),
    post('/api/calendar/connections/', connectedCalendars.connect, { location: undefined }),
    get('/api/calendar/connections/kinds/', connectedCalendars.kinds),
    post('/api/calendar/connections/begin/', connectedCalendars.begin, { location: undefined }),
    post('/api/calendar/connections/finish/', connectedCalendars.finish, { location: undefined }),
    put('/api/calendar/connections/{id}/', connectedCalendars.update),
    post('/api/calendar/connections/{id}/sync/', connectedCalendars.sync),
    del('/api/calendar/connections/{id}/', connectedCalendars.remove),
    get('/api/calendar/info/options/', calendar.options),
    get('/api/calendar/info/source-ref/', calendar.bySource),
    post('/api/calendar/info/{id}/respond/', calendar.respond),
    get('/api/calendar/info/{id}/answers/', calendar.mailedAnswers),
    post('/api/calendar/info/{id}/answers/{answer_id}/', calendar.settleAnswer),
    get('/api/calendar/{id}/transcript/', transcripts.read),
    post('/api/calendar/{id}/transcript/', transcripts.add, { status: 201 }),
    del('/api/calendar/{id}/transcript/', transcripts.remove),
    ...plain('/api/calendar/insight/', insights, MeetingInsight),
    post('/api/calendar/insight/{id}/accept/', insights.accept, { status: 201 }),
    get('/api/calendar/insight/email/draft/', insights.draft),
    post('/api/calendar/insight/email/', insights.email, { location: undefined }),
    get('/api/company/{id}/completed-meetings/', meetingsOfCompany),
    get('/api/contact/{id}/completed-meetings/', meetingsOfContact),

    ...listed('/api/surveys/', surveys.list, Survey),
    post('/api/surveys/', surveys.create, { status: 201 }),
    post('/api/surveys/bulk-delete/', surveys.bulkDelete, { location: undefined }),
    get('/api/surveys/counts/', surveys.counts),
    get('/api/surveys/forms/', surveys.forms),
    get('/api/surveys/answers/', answersOfRecord),
    get('/api/surveys/public/{encrypted_token}/', publicSurvey.read),
    post('/api/surveys/public/{encrypted_token}/', publicSurvey.submit, { status: 201 }),
    post('/api/surveys/{id}/link/', publicSurvey.link),
    get('/api/surveys/{id}/link/code/', publicSurvey.code),
    get('/api/surveys/{id}/links/export/', personalLinks),
    get('/api/surveys/{id}/embed/', surveyEmbed.read),
    put('/api/surveys/{id}/embed/', surveyEmbed.change),
    get('/api/surveys/{id}/share-results/', sharedResults.list),
    post('/api/surveys/{id}/share-results/', sharedResults.create, {
      status: 201,
      location: undefined,
    }),
    del('/api/surveys/{id}/share-results/{link_id}/', sharedResults.remove),
    put('/api/surveys/{id}/update-with-propagation/', surveys.propagate),
    post('/api/surveys/{id}/send/', surveySending.send),
    post('/api/surveys/{id}/schedule/', surveySending.schedule, {
      status: 201,
      location: '/api/surveys/{id}/schedules/{schedule_id}/',
    }),
    get('/api/surveys/{id}/schedules/', surveySending.schedules),
    get('/api/surveys/{id}/schedules/{schedule_id}/', surveySending.readSchedule),
    del('/api/surveys/{id}/schedules/{schedule_id}/', surveySending.cancel),
    del('/api/surveys/{id}/schedules/{schedule_id}/reminders/', surveySending.stopReminders),
    get('/api/surveys/{id}/automation-options/', surveyAutomations.options),
    get('/api/surveys/{id}/automations/', surveyAutomations.list),
    get('/api/surveys/{id}/automations/runs/', surveyAutomations.runs),
    post('/api/surveys/{id}/automations/simulate/', surveyAutomations.simulate),
    post('/api/surveys/{id}/automations_save/', surveyAutomations.save, {
      status: 201,
      location: '/api/surveys/automations/{automation_id}/',
    }),
    get('/api/surveys/automations/{automation_id}/', surveyAutomations.read),
    put('/api/surveys/automations/{automation_id}/', surveyAutomations.update),
    del('/api/surveys/automations/{automation_id}/', surveyAutomations.remove),
    get('/api/surveys/{id}/', surveys.read),
    put('/api/surveys/{id}/', surveys.update),
    del('/api/surveys/{id}/', surveys.remove),
    post('/api/surveys/{id}/restore/', surveys.restore),
    get('/api/surveys/{id}/draft/', surveyDraft.read),
    put('/api/surveys/{id}/draft/', surveyDraft.change),
    del('/api/surveys/{id}/draft/', surveyDraft.remove, { status: 200 }),
    get('/api/surveys/{id}/translations/', surveyTranslations.read),
    put('/api/surveys/{id}/translations/', surveyTranslations.change),
    get('/api/surveys/{id}/translations/export/', surveyTranslations.export),
    post('/api/surveys/{id}/preview/', surveyDraft.preview),
    post('/api/surveys/{id}/publish/', surveys.publish),
    post('/api/surveys/{id}/publish/preview/', formTasks.preview),
    put('/api/surveys/{id}/tasks/', formTasks.change),
    post('/api/surveys/{id}/close/', surveys.close),
    post('/api/surveys/{id}/duplicate/', surveys.duplicate, {
      status: 201,
      location: '/api/surveys/{id}/',
    }),
    post('/api/surveys/{id}/save-as-template/', surveys.saveAsTemplate, {
      status: 201,
      location: '/api/surveys/{id}/',
    }),
    get('/api/surveys/{id}/fill/', surveys.fill),
    post('/api/surveys/{id}/fill/', surveys.submit, { status: 201 }),
    get('/api/surveys/{id}/insights/', surveys.insights),
    get('/api/surveys/{id}/cross/', surveyAnalysis.cross),
    get('/api/surveys/{id}/score-groups/', surveyAnalysis.scores),
    get('/api/surveys/{id}/drivers/', surveyAnalysis.drivers),
    get('/api/surveys/{id}/themes/', surveyAnalysis.themes),
    post('/api/surveys/{id}/themes/', surveyAnalysis.readThemes),
    get('/api/surveys/{id}/limit-status/', surveys.limitStatus),
    get('/api/surveys/{id}/responses/', surveyResponses.list),
    get('/api/surveys/{id}/responses/export/', surveyResponses.export),
    get('/api/surveys/{id}/usage-count/', surveys.usageCount),

    ...plain('/api/tags/info/', tags, Tag),

    ...listed('/api/users/profile/', paged(users.list), UserProfile),
    post('/api/users/profile/action/', profileAction, { location: '/api/users/profile/{id}/' }),
    get('/api/users/profile/activity/', ownFeed),
    get('/api/users/profile/{id}/', users.read),
    put('/api/users/profile/{id}/', users.update, { empty: true }),
    del('/api/users/profile/{id}/', users.remove),
    post('/api/users/profile/{id}/restore/', users.restore),
    get('/api/users/profile/{id}/image/', userImage.read),
    put('/api/users/profile/{id}/image/', userImage.update, { upload: { limit: imageLimit } }),
    del('/api/users/profile/{id}/image/', userImage.remove),
    del('/api/users/profile/{id}/sessions/', sessions.endAllOf),
    del('/api/users/profile/{id}/totp/', oneTimeCodes.reset),

    get('/api/users/profile/{id}/links/', handingOver.links),
    post('/api/users/profile/{id}/hand-over/', handingOver.handOver),
    post('/api/users/hand-over/{hand_over_id}/undo/', handingOver.undo),

    get('/api/users/role/', roles.list),
    post('/api/users/role/', roles.create, { status: 201 }),
    get('/api/users/role/option/', roles.options),
    get('/api/users/role/{id}/', roles.read),
    put('/api/users/role/{id}/', roles.update),
    patch('/api/users/role/{id}/', roles.update),
    del('/api/users/role/{id}/', roles.remove),

    get('/api/activity/log/', activityLog.list),
    post('/api/activity/log/', activityLog.create, { status: 201 }),
    post('/api/activity/log/track/', track, { status: 201, location: '/api/activity/log/{id}/' }),
    get('/api/activity/feed/', activityFeed),
    get('/api/activity/customers/', customerActivity),
    get('/api/activity/log/{id}/', activityLog.read),
    get('/api/activity/log/{module_id}/{reference_id}/', activityLog.ofRecord),

    get('/api/modules/', modules.list),
    get('/api/modules/{module}/', modules.read),
    put('/api/modules/{module}/layout/', modules.place),
    get('/api/modules/{module}/fields/', fieldSettings.ofModule),
    put('/api/modules/{module}/fields/', fieldSettings.updateOfModule),

    get('/api/filters/filter/', withDeleted(filters.list)),
    post('/api/filters/filter/', filters.create, { status: 201 }),
    get('/api/filters/filter/attributes/', filterAttributes),
    get('/api/filters/filter/{id}/', filters.read),
    put('/api/filters/filter/{id}/', filters.update),
    del('/api/filters/filter/{id}/', filters.remove),
    post('/api/filters/filter/{id}/restore/', filters.restore),
    get('/api/filters/filter/{id}/mail/', readReportMail),
    put('/api/filters/filter/{id}/mail/', setReportMail),

    ...plain('/api/dashboards/info/', dashboards, Dashboard),
    get('/api/dashboards/info/{id}/mail/', readDashboardMail),
    put('/api/dashboards/info/{id}/mail/', setDashboardMail),
    get('/api/dashboards/widget/', readWidget),
    post('/api/dashboards/widgets/', readWidgets),
    get('/api/dashboards/heatmap/', heatmap),
    get('/api/reports/{report}/', readReport),
  ]
}
