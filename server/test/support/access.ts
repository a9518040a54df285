import type { Route } from '../../src/surfaces/route.ts'

// Who may call what: every route in one line, from the specification and the contract. What
// the routes themselves declare is compared with this table, so that a missing right is found.
//
// A line is: method, path, status of a success, whether it writes, the right it takes, and on the
// integration surface the scope. `anyone` needs no credentials, `signed_in` no right; with `a|b.read`
// the right to read either of the two modules opens the route, and which of them counts depends on
// the record. A route may be added to the code only together with its line.

const table = {
  application: `
    POST   /api/login/                                      200 reads  anyone
    POST   /api/login/code/                                 200 reads  anyone
    POST   /api/login/openid/                               200 reads  anyone
    POST   /api/login/openid/finish/                        200 reads  anyone
    POST   /api/login/refresh/                              200 reads  anyone
    POST   /api/login/accept-invite/                        200 reads  anyone
    POST   /api/login/reset/                                200 reads  anyone
    POST   /api/login/reset/confirm/                        200 reads  anyone
    POST   /api/logout/                                     200 writes signed_in
    POST   /api/session/                                    200 reads  anyone
    GET    /api/session/                                    200 reads  signed_in
    DELETE /api/session/                                    204 writes signed_in
    POST   /api/session/password/                           204 writes signed_in
    POST   /api/session/link/                               200 reads  anyone
    GET    /api/session/totp/                               200 reads  signed_in
    POST   /api/session/totp/                               200 writes signed_in
    POST   /api/session/totp/confirm/                       200 writes signed_in
    POST   /api/session/totp/recovery-codes/                200 writes signed_in
    POST   /api/session/totp/disable/                       204 writes signed_in
    GET    /api/sessions/                                   200 reads  signed_in
    DELETE /api/sessions/                                   204 writes signed_in
    DELETE /api/sessions/{id}/                              204 writes signed_in
    GET    /api/sign-ins/                                   200 reads  signed_in
    GET    /api/access-tokens/                              200 reads  signed_in
    POST   /api/access-tokens/                              201 writes signed_in
    GET    /api/access-tokens/scopes/                       200 reads  signed_in
    DELETE /api/access-tokens/{id}/                         204 writes signed_in
    GET    /api/preferences/                                200 reads  signed_in
    PUT    /api/preferences/                                200 writes signed_in
    GET    /api/organization/settings/                      200 reads  signed_in
    PUT    /api/organization/settings/                      200 writes roles.update
    PUT    /api/organization/settings/logo/                 200 writes roles.update
    DELETE /api/organization/settings/logo/                 204 writes roles.update
    GET    /api/organization/settings/health-weights/       200 reads  accounts.read
    PUT    /api/organization/settings/health-weights/       200 writes roles.update
    GET    /api/organization/settings/mail/                 200 reads  roles.read
    PUT    /api/organization/settings/mail/                 200 writes roles.update
    GET    /api/organization/settings/sharing/              200 reads  roles.read
    PUT    /api/organization/settings/sharing/              200 writes roles.update
    GET    /api/organization/settings/fields/               200 reads  signed_in
    PUT    /api/organization/settings/fields/{module}/      200 writes signed_in
    DELETE /api/organization/settings/fields/{module}/{key}/ 204 writes signed_in
    GET    /api/organization/settings/statuses/             200 reads  signed_in
    PUT    /api/organization/settings/statuses/{module}/    200 writes signed_in
    DELETE /api/organization/settings/statuses/{module}/{status_id}/ 204 writes signed_in
    GET    /api/statuses/                                   200 reads  signed_in
    PUT    /api/statuses/                                   200 writes signed_in
    GET    /api/organization/personal-data/                 200 reads  roles.update
    POST   /api/organization/personal-data/export/          201 writes roles.update
    POST   /api/organization/personal-data/erase/           201 writes roles.update
    GET    /api/organization/personal-data/{id}/            200 reads  roles.update
    GET    /api/organization/personal-data/{id}/file/       200 reads  roles.update
    GET    /api/connections/                                200 reads  signed_in
    DELETE /api/connections/{id}/                           204 writes signed_in
    GET    /api/organization/connections/                   200 reads  apps.read
    DELETE /api/organization/connections/{id}/              204 writes apps.update
    GET    /api/apps/                                       200 reads  apps.read
    POST   /api/apps/                                       201 writes apps.create
    GET    /api/apps/scopes/                                200 reads  apps.read
    GET    /api/apps/{id}/                                  200 reads  apps.read
    PUT    /api/apps/{id}/                                  200 writes apps.update
    PATCH  /api/apps/{id}/                                  200 writes apps.update
    DELETE /api/apps/{id}/                                  204 writes apps.delete
    POST   /api/apps/{id}/rotate/                           200 writes apps.update
    GET    /api/apps/{id}/connections/                      200 reads  apps.read
    DELETE /api/apps/{id}/connections/{connection_id}/      204 writes apps.update
    GET    /api/webhooks/subscriptions/                     200 reads  apps.read
    POST   /api/webhooks/subscriptions/                     201 writes apps.create
    GET    /api/webhooks/subscriptions/{id}/                200 reads  apps.read
    PUT    /api/webhooks/subscriptions/{id}/                200 writes apps.update
    PATCH  /api/webhooks/subscriptions/{id}/                200 writes apps.update
    DELETE /api/webhooks/subscriptions/{id}/                204 writes apps.delete
    POST   /api/webhooks/subscriptions/{id}/disable/        200 writes apps.update
    POST   /api/webhooks/subscriptions/{id}/enable/         200 writes apps.update
    POST   /api/webhooks/subscriptions/{id}/rotate-secret/  200 writes apps.update
    GET    /api/webhooks/deliveries/                        200 reads  apps.read
    POST   /api/webhooks/deliveries/resend-failed/          200 writes apps.update
    GET    /api/webhooks/deliveries/{id}/                   200 reads  apps.read
    POST   /api/webhooks/deliveries/{id}/resend/            200 writes apps.update
    GET    /api/webhooks/events/                            200 reads  apps.read
    POST   /api/webhooks/test/                              200 reads  apps.update
    GET    /api/webhooks/inspector/                         200 reads  apps.read
    POST   /api/webhooks/inspector/                         201 writes apps.update
    GET    /api/webhooks/inspector/{id}/                    200 reads  apps.read
    DELETE /api/webhooks/inspector/{id}/                    204 writes apps.update
    GET    /api/users/profile/{id}/links/                   200 reads  users.update
    POST   /api/users/profile/{id}/hand-over/               200 writes users.update
    POST   /api/users/hand-over/{hand_over_id}/undo/        200 writes users.update
    GET    /api/organization/security/                      200 reads  roles.update
    PUT    /api/organization/security/                      200 writes roles.update
    GET    /api/organization/openid/                        200 reads  roles.update
    PUT    /api/organization/openid/                        200 writes roles.update
    DELETE /api/organization/openid/                        204 writes roles.update
    GET    /api/organization/signing/                       200 reads  roles.update
    PUT    /api/organization/signing/                       200 writes roles.update
    POST   /api/company/bulk/                               200 writes companies.update
    POST   /api/contact/bulk/                               200 writes contacts.update
    POST   /api/account/info/bulk/                          200 writes accounts.update
    POST   /api/project/info/bulk/                          200 writes projects|deals.update
    POST   /api/pipelines/bulk/                             200 writes deals.update
    POST   /api/project/info/{id}/milestones/bulk/          200 writes projects|deals.update
    POST   /api/tasks/bulk/                                 200 writes tasks.update
    POST   /api/templates/template/bulk/                    200 writes templates.update
    POST   /api/holidays/holinfo/bulk/                      200 writes holidays.update
    POST   /api/documents/bulk/                             200 writes documents.update
    POST   /api/calendar/info/bulk/                         200 writes calendar.update
    POST   /api/calendar/insight/bulk/                      200 writes calendar.update
    POST   /api/surveys/bulk/                               200 writes surveys.update
    POST   /api/tags/info/bulk/                             200 writes tags.update
    POST   /api/users/profile/bulk/                         200 writes users.update
    POST   /api/filters/filter/bulk/                        200 writes filters.update
    POST   /api/dashboards/info/bulk/                       200 writes dashboards.update
    POST   /api/bulk/{bulk_id}/undo/                        200 writes signed_in
    GET    /api/search/                                     200 reads  signed_in
    GET    /api/timeline/                                   200 reads  signed_in
    GET    /api/timeline/{module}/{id}/                     200 reads  signed_in
    GET    /api/usage/                                      200 reads  roles.update
    GET    /api/uses/{module}/{id}/                         200 reads  signed_in
    GET    /api/widget-config                               200 reads  anyone
    PUT    /api/widget-config                               200 writes surveys.update
    GET    /api/widget-responses/                           200 reads  surveys.read
    POST   /api/widget-submit                               200 reads  anyone
    GET    /api/company/                                    200 reads  companies.read
    GET    /api/company/groups/                             200 reads  companies.read
    POST   /api/company/                                    200 writes companies.create
    GET    /api/company/{id}/                               200 reads  companies.read
    PUT    /api/company/{id}/                               200 writes companies.update
    DELETE /api/company/{id}/                               204 writes companies.delete
    POST   /api/company/{id}/restore/                       200 writes companies.delete
    GET    /api/company/export/                             200 reads  companies.read
    GET    /api/company/duplicates/                         200 reads  companies.read
    POST   /api/company/merge/                              200 writes companies.update
    POST   /api/company/merge/{merge_id}/undo/              200 writes companies.update
    GET    /api/company/{id}/contacts/                      200 reads  contacts.read
    GET    /api/contact/                                    200 reads  contacts.read
    GET    /api/contact/groups/                             200 reads  contacts.read
    POST   /api/contact/                                    200 writes contacts.create
    GET    /api/contact/{id}/                               200 reads  contacts.read
    PUT    /api/contact/{id}/                               200 writes contacts.update
    DELETE /api/contact/{id}/                               204 writes contacts.delete
    POST   /api/contact/{id}/restore/                       200 writes contacts.delete
    GET    /api/contact/export/                             200 reads  contacts.read
    GET    /api/contact/duplicates/                         200 reads  contacts.read
    POST   /api/contact/merge/                              200 writes contacts.update
    POST   /api/contact/merge/{merge_id}/undo/              200 writes contacts.update
    GET    /api/exports/accounts/                           200 reads  accounts.read
    GET    /api/exports/deals/                              200 reads  deals.read
    GET    /api/exports/projects/                           200 reads  projects.read
    GET    /api/exports/milestones/                         200 reads  projects.read
    GET    /api/exports/tasks/                              200 reads  tasks.read
    GET    /api/exports/time-entries/                       200 reads  tasks.read
    GET    /api/exports/meetings/                           200 reads  calendar.read
    GET    /api/exports/tags/                               200 reads  tags.read
    GET    /api/exports/holidays/                           200 reads  holidays.read
    GET    /api/imports/                                    200 reads  contacts|companies|accounts|deals|projects|tasks|calendar|tags|holidays.create
    POST   /api/imports/                                    201 writes contacts|companies|accounts|deals|projects|tasks|calendar|tags|holidays.create
    GET    /api/imports/{id}/                               200 reads  contacts|companies|accounts|deals|projects|tasks|calendar|tags|holidays.create
    PUT    /api/imports/{id}/                               200 writes contacts|companies|accounts|deals|projects|tasks|calendar|tags|holidays.create
    POST   /api/imports/{id}/start/                         200 writes contacts|companies|accounts|deals|projects|tasks|calendar|tags|holidays.create
    POST   /api/imports/{id}/cancel/                        200 writes contacts|companies|accounts|deals|projects|tasks|calendar|tags|holidays.create
    POST   /api/imports/{id}/undo/                          200 writes contacts|companies|accounts|deals|projects|tasks|calendar|tags|holidays.create
    GET    /api/imports/{id}/errors/                        200 reads  contacts|companies|accounts|deals|projects|tasks|calendar|tags|holidays.create
    GET    /api/imports/{id}/errors/export/                 200 reads  contacts|companies|accounts|deals|projects|tasks|calendar|tags|holidays.create
    GET    /api/option-sets/                                200 reads  signed_in
    PUT    /api/option-sets/{module}/{set}/                 200 writes signed_in
    DELETE /api/option-sets/{module}/{set}/{value}/         204 writes signed_in
    GET    /api/account/info/                               200 reads  accounts.read
    GET    /api/account/info/groups/                        200 reads  accounts.read
    POST   /api/account/info/                               201 writes accounts.create
    GET    /api/account/info/all-accounts/                  200 reads  accounts.read
    GET    /api/account/info/journey/                       200 reads  accounts.read
    GET    /api/account/info/more-activities/               200 reads  accounts.read
    POST   /api/account/info/del_vertical/                  200 writes accounts.update
    GET    /api/account/info/{id}/                          200 reads  accounts.read
    PUT    /api/account/info/{id}/                          200 writes accounts.update
    DELETE /api/account/info/{id}/                          204 writes accounts.delete
    GET    /api/account/info/{id}/health/                   200 reads  accounts.read
    GET    /api/account/info/{id}/people/                   200 reads  accounts.read
    GET    /api/account/info/{id}/phases/                   200 reads  accounts.read
    POST   /api/account/info/{id}/restore/                  200 writes accounts.delete
    GET    /api/project/info/                               200 reads  projects|deals.read
    GET    /api/project/info/groups/                        200 reads  projects|deals.read
    POST   /api/project/info/                               201 writes projects|deals.create
    GET    /api/project/forecast/                           200 reads  deals.read
    GET    /api/projects/timeline/                          200 reads  projects.read
    GET    /api/projects/forecasts/                         200 reads  projects.read
    GET    /api/load/                                       200 reads  tasks.read
    GET    /api/load/tasks/                                 200 reads  tasks.read
    GET    /api/home/                                       200 reads  signed_in
    GET    /api/portal/                                     200 reads  signed_in
    GET    /api/project/info/{id}/                          200 reads  projects|deals.read
    PUT    /api/project/info/{id}/                          200 writes projects|deals.update
    POST   /api/project/info/{id}/move/                     200 writes projects|deals.update
    DELETE /api/project/info/{id}/                          204 writes projects|deals.delete
    POST   /api/project/info/{id}/restore/                  200 writes projects|deals.delete
    POST   /api/project/info/{id}/duplicate/                201 writes projects|deals.create
    POST   /api/project/info/{id}/convert/                  201 writes projects.create
    GET    /api/project/info/{id}/stage-history/            200 reads  projects|deals.read
    GET    /api/project/info/{id}/figures/                  200 reads  deals.read
    GET    /api/project/info/{id}/forms/                    200 reads  tasks.read
    GET    /api/project/info/{id}/people/                   200 reads  deals.read
    GET    /api/project/info/{id}/plan/                     200 reads  projects|deals.read
    POST   /api/project/info/{id}/plan/changes/             200 writes tasks.update
    POST   /api/project/info/{id}/plan/lines/               201 writes projects|deals|tasks.update
    POST   /api/project/info/{id}/plan/moves/               200 writes projects|deals|tasks.update
    POST   /api/project/info/{id}/plan/baseline/            201 writes projects|deals.update
    DELETE /api/project/info/{id}/plan/baseline/{baseline_id}/ 204 writes projects|deals.update
    POST   /api/project/info/{id}/save-as-template/         200 writes templates.create
    GET    /api/milestones/                                 200 reads  projects|deals.read
    GET    /api/milestones/groups/                          200 reads  projects|deals.read
    GET    /api/pipelines/                                  200 reads  deals.read
    GET    /api/pipelines/groups/                           200 reads  deals.read
    POST   /api/pipelines/                                  201 writes deals.update
    GET    /api/pipelines/{id}/                             200 reads  deals.read
    PUT    /api/pipelines/{id}/                             200 writes deals.update
    PATCH  /api/pipelines/{id}/                             200 writes deals.update
    DELETE /api/pipelines/{id}/                             204 writes deals.update
    POST   /api/pipelines/{id}/restore/                     200 writes deals.update
    GET    /api/project/info/{id}/milestones/               200 reads  projects|deals.read
    GET    /api/project/info/{id}/milestones/groups/        200 reads  projects|deals.read
    POST   /api/project/info/{id}/milestones/               201 writes projects|deals.update
    GET    /api/project/info/{id}/milestones/{milestone_id}/ 200 reads  projects|deals.read
    PUT    /api/project/info/{id}/milestones/{milestone_id}/ 200 writes projects|deals.update
    POST   /api/project/info/{id}/milestones/{milestone_id}/move/ 200 writes projects|deals.update
    PATCH  /api/project/info/{id}/milestones/{milestone_id}/ 200 writes projects|deals.update
    DELETE /api/project/info/{id}/milestones/{milestone_id}/ 204 writes projects|deals.update
    POST   /api/project/info/{id}/milestones/{milestone_id}/restore/ 200 writes projects|deals.update
    GET    /api/tasks/                                      200 reads  tasks.read
    GET    /api/tasks/groups/                               200 reads  tasks.read
    POST   /api/tasks/                                      201 writes tasks.create
    GET    /api/tasks/{id}/                                 200 reads  tasks.read
    PUT    /api/tasks/{id}/                                 200 writes tasks.update
    POST   /api/tasks/{id}/move/                            200 writes tasks.update
    PATCH  /api/tasks/{id}/                                 200 writes tasks.update
    DELETE /api/tasks/{id}/                                 204 writes tasks.delete
    POST   /api/tasks/{id}/restore/                         200 writes tasks.delete
    GET    /api/tasks/activity/                             200 reads  tasks.read
    GET    /api/tasks/attachments/                          200 reads  tasks.read
    POST   /api/tasks/bulk_actions/                         200 writes tasks.update
    GET    /api/tasks/{id}/dependencies/                    200 reads  tasks.read
    POST   /api/tasks/{id}/dependencies/                    201 writes tasks.update
    DELETE /api/tasks/{id}/dependencies/{predecessor_id}/   204 writes tasks.update
    POST   /api/tasks/{id}/timer/start/                     200 writes tasks.read
    POST   /api/tasks/{id}/timer/stop/                      200 writes tasks.read
    GET    /api/time-entries/                               200 reads  tasks.read
    GET    /api/time-entries/groups/                        200 reads  tasks.read
    POST   /api/time-entries/                               201 writes tasks.read
    GET    /api/time-entries/{id}/                          200 reads  tasks.read
    PUT    /api/time-entries/{id}/                          200 writes tasks.read
    PATCH  /api/time-entries/{id}/                          200 writes tasks.read
    DELETE /api/time-entries/{id}/                          204 writes tasks.read
    POST   /api/time-entries/{id}/restore/                  200 writes tasks.read
    GET    /api/time-entries/report/                        200 reads  tasks.read
    GET    /api/templates/template/                         200 reads  templates.read
    GET    /api/templates/template/groups/                  200 reads  templates.read
    POST   /api/templates/template/                         201 writes templates.create
    GET    /api/templates/template/{id}/                    200 reads  templates.read
    PUT    /api/templates/template/{id}/                    200 writes templates.update
    PATCH  /api/templates/template/{id}/                    200 writes templates.update
    DELETE /api/templates/template/{id}/                    204 writes templates.delete
    POST   /api/templates/template/{id}/restore/            200 writes templates.delete
    GET    /api/templates/template/ai-milestone/            200 reads  templates.read
    GET    /api/templates/template/ai-template/             200 reads  templates.read
    GET    /api/templates/template/default/                 200 reads  templates.read
    GET    /api/templates/template/paginated-templates/     200 reads  templates.read
    GET    /api/templates/template/statistics/              200 reads  templates.read
    GET    /api/templates/template/{id}/statistics/         200 reads  templates.read
    GET    /api/templates/template/{id}/draft/              200 reads  templates.read
    PUT    /api/templates/template/{id}/draft/              200 writes templates.update
    DELETE /api/templates/template/{id}/draft/              200 writes templates.update
    POST   /api/templates/template/{id}/publish/            200 writes templates.update
    GET    /api/templates/template/{id}/versions/           200 reads  templates.read
    GET    /api/templates/template/{id}/versions/{number}/  200 reads  templates.read
    POST   /api/templates/template/{id}/duplicate/          201 writes templates.create
    POST   /api/templates/template/{id}/use/                200 writes projects|tasks.create
    POST   /api/templates/template/{id}/update-projects/    200 writes projects.update
    GET    /api/holidays/holinfo/                           200 reads  holidays.read
    POST   /api/holidays/holinfo/                           201 writes holidays.create
    GET    /api/holidays/holinfo/import/                    200 writes holidays.create
    GET    /api/holidays/holinfo/{id}/                      200 reads  holidays.read
    PUT    /api/holidays/holinfo/{id}/                      200 writes holidays.update
    DELETE /api/holidays/holinfo/{id}/                      204 writes holidays.delete
    POST   /api/holidays/holinfo/{id}/restore/              200 writes holidays.delete
    GET    /api/interactions/info/                          200 reads  interactions.read
    POST   /api/interactions/info/                          201 writes interactions.create
    POST   /api/interactions/info/add-reaction/             200 writes interactions.read
    POST   /api/interactions/info/mark-read/                200 writes interactions.read
    POST   /api/interactions/info/unread-counts/            200 reads  interactions.read
    GET    /api/interactions/info/summary/                  200 reads  interactions.read
    GET    /api/interactions/info/{id}/                     200 reads  interactions.read
    PUT    /api/interactions/info/{id}/                     200 writes interactions.update
    DELETE /api/interactions/info/{id}/                     204 writes interactions.delete
    GET    /api/notifyhub/notify-info/                      200 reads  signed_in
    POST   /api/notifyhub/notify-info/                      201 writes signed_in
    POST   /api/notifyhub/notify-info/mark-all-read/        200 writes signed_in
    GET    /api/notifyhub/notify-info/unread-count/         200 reads  signed_in
    GET    /api/notifyhub/notify-info/{id}/                 200 reads  signed_in
    PUT    /api/notifyhub/notify-info/{id}/                 200 writes signed_in
    GET    /api/notifyhub/stream/                           200 reads  signed_in
    GET    /api/stream/                                     200 reads  signed_in
    GET    /api/notifyhub/preferences/                      200 reads  signed_in
    PUT    /api/notifyhub/preferences/                      200 writes signed_in
    GET    /api/documents/                                  200 reads  documents.read
    GET    /api/documents/groups/                           200 reads  documents.read
    POST   /api/documents/                                  201 writes documents.create
    GET    /api/documents/activities/                       200 reads  documents.read
    GET    /api/documents/folders/                          200 reads  documents.read
    POST   /api/documents/join/                             201 writes documents.create
    GET    /api/documents/analytics/                        200 reads  documents.read
    GET    /api/documents/external/                         200 reads  apps.update
    POST   /api/documents/external/rotate-secret/           200 writes apps.update
    GET    /api/documents/{id}/                             200 reads  documents.read
    PUT    /api/documents/{id}/                             200 writes documents.update
    PATCH  /api/documents/{id}/                             200 writes documents.update
    DELETE /api/documents/{id}/                             204 writes documents.delete
    POST   /api/documents/{id}/restore/                     200 writes documents.delete
    POST   /api/documents/{id}/publish/                     200 writes documents.update
    PUT    /api/documents/{id}/favourite/                   200 writes documents.read
    POST   /api/documents/{id}/reusable/                    201 writes documents.create
    POST   /api/documents/{id}/use/                         201 writes documents.create
    GET    /api/documents/{id}/file/                        200 reads  documents.read
    GET    /api/documents/{id}/pdf/                         200 reads  documents.read
    POST   /api/documents/{id}/values/                      200 reads  documents.read
    POST   /api/documents/{id}/images/                      201 writes documents.update
    GET    /api/documents/{id}/images/{image_id}/           200 reads  documents.read
    GET    /api/documents/{id}/versions/                    200 reads  documents.read
    POST   /api/documents/{id}/versions/                    201 writes documents.update
    POST   /api/documents/{id}/signature/request/           200 writes documents.update
    POST   /api/documents/{id}/signature/void/              200 writes documents.update
    POST   /api/documents/{id}/signature/remind/            200 writes documents.update
    PATCH  /api/documents/{id}/signature/recipients/{recipient_id}/ 200 writes documents.update
    POST   /api/documents/{id}/signature/recipients/{recipient_id}/remind/ 200 writes documents.update
    GET    /api/documents/{id}/signature/preparation/       200 reads  documents.update
    PUT    /api/documents/{id}/signature/preparation/       200 writes documents.update
    DELETE /api/documents/{id}/signature/preparation/       200 writes documents.update
    GET    /api/documents/{id}/signature/batches/           200 reads  documents.read
    POST   /api/documents/{id}/signature/batches/           200 writes documents.update
    GET    /api/documents/{id}/signature/batches/{batch_id}/ 200 reads  documents.read
    POST   /api/documents/{id}/signature/batches/{batch_id}/cancel/ 200 writes documents.read
    POST   /api/documents/{id}/signature/preview/           200 reads  documents.update
    POST   /api/documents/{id}/signature/locate/            200 reads  documents.read
    GET    /api/documents/{id}/signature/audit/             200 reads  documents.read
    GET    /api/documents/{id}/signature/files/{file_id}/   200 reads  documents.read
    GET    /api/documents/{id}/signature/verify/            200 reads  documents.read
    POST   /api/documents/signature/verify/                 200 reads  documents.read
    GET    /api/calendar/info/                              200 reads  calendar.read
    GET    /api/calendar/info/groups/                       200 reads  calendar.read
    POST   /api/calendar/info/                              201 writes calendar.create
    GET    /api/calendar/info/{id}/                         200 reads  calendar.read
    PUT    /api/calendar/info/{id}/                         200 writes calendar.update
    PATCH  /api/calendar/info/{id}/                         200 writes calendar.update
    DELETE /api/calendar/info/{id}/                         204 writes calendar.delete
    POST   /api/calendar/info/{id}/restore/                 200 writes calendar.delete
    GET    /api/calendar/feed-url/                          200 reads  calendar.read
    POST   /api/calendar/feed-url/                          200 writes calendar.read
    GET    /api/calendar/connections/                       200 reads  calendar.read
    POST   /api/calendar/connections/                       200 writes calendar.read
    GET    /api/calendar/connections/kinds/                 200 reads  calendar.read
    POST   /api/calendar/connections/begin/                 200 reads  calendar.read
    POST   /api/calendar/connections/finish/                200 writes calendar.read
    PUT    /api/calendar/connections/{id}/                  200 writes calendar.read
    POST   /api/calendar/connections/{id}/sync/             200 writes calendar.read
    DELETE /api/calendar/connections/{id}/                  204 writes calendar.read
    GET    /api/calendar/info/options/                      200 reads  calendar.read
    GET    /api/calendar/info/source-ref/                   200 reads  calendar.read
    POST   /api/calendar/free-busy/                         200 reads  calendar.create
    POST   /api/calendar/info/{id}/respond/                 200 writes calendar.read
    GET    /api/calendar/info/{id}/answers/                 200 reads  calendar.update
    POST   /api/calendar/info/{id}/answers/{answer_id}/     200 writes calendar.update
    GET    /api/calendar/{id}/transcript/                   200 reads  calendar.read
    POST   /api/calendar/{id}/transcript/                   201 writes calendar.update
    DELETE /api/calendar/{id}/transcript/                   204 writes calendar.update
    POST   /api/calendar/insight/{id}/accept/               201 writes tasks.create
    GET    /api/calendar/insight/                           200 reads  calendar.read
    GET    /api/calendar/insight/groups/                    200 reads  calendar.read
    POST   /api/calendar/insight/                           201 writes calendar.create
    GET    /api/calendar/insight/{id}/                      200 reads  calendar.read
    PUT    /api/calendar/insight/{id}/                      200 writes calendar.update
    PATCH  /api/calendar/insight/{id}/                      200 writes calendar.update
    DELETE /api/calendar/insight/{id}/                      204 writes calendar.delete
    POST   /api/calendar/insight/{id}/restore/              200 writes calendar.delete
    POST   /api/calendar/insight/email/                     200 writes calendar.update
    GET    /api/calendar/insight/email/draft/               200 reads  calendar.read
    GET    /api/company/{id}/completed-meetings/            200 reads  companies.read
    GET    /api/contact/{id}/completed-meetings/            200 reads  contacts.read
    GET    /api/surveys/                                    200 reads  surveys.read
    GET    /api/surveys/groups/                             200 reads  surveys.read
    POST   /api/surveys/                                    201 writes surveys.create
    POST   /api/surveys/bulk-delete/                        200 writes surveys.delete
    GET    /api/surveys/counts/                             200 reads  surveys.read
    GET    /api/surveys/forms/                              200 reads  surveys.read
    GET    /api/surveys/answers/                            200 reads  surveys.read
    GET    /api/surveys/public/{encrypted_token}/           200 reads  signed_in
    POST   /api/surveys/public/{encrypted_token}/           201 writes signed_in
    POST   /api/surveys/{id}/link/                          200 reads  surveys.update
    GET    /api/surveys/{id}/link/code/                     200 reads  surveys.update
    GET    /api/surveys/{id}/links/export/                  200 reads  surveys.update
    GET    /api/surveys/{id}/embed/                         200 reads  surveys.update
    PUT    /api/surveys/{id}/embed/                         200 writes surveys.update
    GET    /api/surveys/{id}/share-results/                 200 reads  surveys.update
    POST   /api/surveys/{id}/share-results/                 201 writes surveys.update
    DELETE /api/surveys/{id}/share-results/{link_id}/       204 writes surveys.update
    PUT    /api/surveys/{id}/update-with-propagation/       200 writes surveys.update
    POST   /api/surveys/{id}/send/                          200 writes surveys.update
    POST   /api/surveys/{id}/schedule/                      201 writes surveys.update
    GET    /api/surveys/{id}/schedules/                     200 reads  surveys.read
    GET    /api/surveys/{id}/schedules/{schedule_id}/       200 reads  surveys.read
    DELETE /api/surveys/{id}/schedules/{schedule_id}/       204 writes surveys.update
    DELETE /api/surveys/{id}/schedules/{schedule_id}/reminders/ 204 writes surveys.update
    GET    /api/surveys/{id}/automation-options/            200 reads  surveys.read
    GET    /api/surveys/{id}/automations/                   200 reads  surveys.read
    GET    /api/surveys/{id}/automations/runs/              200 reads  surveys.read
    POST   /api/surveys/{id}/automations/simulate/          200 reads  surveys.update
    POST   /api/surveys/{id}/automations_save/              201 writes surveys.update
    GET    /api/surveys/automations/{automation_id}/        200 reads  surveys.read
    PUT    /api/surveys/automations/{automation_id}/        200 writes surveys.update
    DELETE /api/surveys/automations/{automation_id}/        204 writes surveys.update
    GET    /api/surveys/{id}/                               200 reads  surveys.read
    PUT    /api/surveys/{id}/                               200 writes surveys.update
    DELETE /api/surveys/{id}/                               204 writes surveys.delete
    POST   /api/surveys/{id}/restore/                       200 writes surveys.delete
    GET    /api/surveys/{id}/draft/                         200 reads  surveys.update
    PUT    /api/surveys/{id}/draft/                         200 writes surveys.update
    DELETE /api/surveys/{id}/draft/                         200 writes surveys.update
    GET    /api/surveys/{id}/translations/                  200 reads  surveys.update
    PUT    /api/surveys/{id}/translations/                  200 writes surveys.update
    GET    /api/surveys/{id}/translations/export/           200 reads  surveys.update
    POST   /api/surveys/{id}/preview/                       200 reads  surveys.update
    POST   /api/surveys/{id}/publish/                       200 writes surveys.update
    POST   /api/surveys/{id}/publish/preview/               200 reads  surveys.update
    PUT    /api/surveys/{id}/tasks/                         200 writes surveys.update
    POST   /api/surveys/{id}/close/                         200 writes surveys.update
    POST   /api/surveys/{id}/duplicate/                     201 writes surveys.create
    POST   /api/surveys/{id}/save-as-template/              201 writes surveys.create
    GET    /api/surveys/{id}/fill/                          200 reads  surveys.read
    POST   /api/surveys/{id}/fill/                          201 writes surveys.read
    GET    /api/surveys/{id}/insights/                      200 reads  surveys.read
    GET    /api/surveys/{id}/cross/                         200 reads  surveys.read
    GET    /api/surveys/{id}/score-groups/                  200 reads  surveys.read
    GET    /api/surveys/{id}/drivers/                       200 reads  surveys.read
    GET    /api/surveys/{id}/themes/                        200 reads  surveys.read
    POST   /api/surveys/{id}/themes/                        200 writes surveys.update
    GET    /api/surveys/{id}/limit-status/                  200 reads  surveys.read
    GET    /api/surveys/{id}/responses/                     200 reads  surveys.read
    GET    /api/surveys/{id}/responses/export/              200 reads  surveys.read
    GET    /api/surveys/{id}/usage-count/                   200 reads  surveys.read
    GET    /api/tags/info/                                  200 reads  tags.read
    GET    /api/tags/info/groups/                           200 reads  tags.read
    POST   /api/tags/info/                                  201 writes tags.create
    GET    /api/tags/info/{id}/                             200 reads  tags.read
    PUT    /api/tags/info/{id}/                             200 writes tags.update
    PATCH  /api/tags/info/{id}/                             200 writes tags.update
    DELETE /api/tags/info/{id}/                             204 writes tags.delete
    POST   /api/tags/info/{id}/restore/                     200 writes tags.delete
    GET    /api/users/profile/                              200 reads  users.read
    GET    /api/users/profile/groups/                       200 reads  users.read
    POST   /api/users/profile/action/                       200 writes signed_in
    GET    /api/users/profile/activity/                     200 reads  signed_in
    GET    /api/users/profile/{id}/                         200 reads  users.read
    PUT    /api/users/profile/{id}/                         200 writes signed_in
    DELETE /api/users/profile/{id}/                         204 writes users.delete
    POST   /api/users/profile/{id}/restore/                 200 writes users.delete
    GET    /api/users/profile/{id}/image/                   200 reads  signed_in
    PUT    /api/users/profile/{id}/image/                   200 writes signed_in
    DELETE /api/users/profile/{id}/image/                   204 writes signed_in
    DELETE /api/users/profile/{id}/sessions/                204 writes users.update
    DELETE /api/users/profile/{id}/totp/                    204 writes users.update
    GET    /api/users/role/                                 200 reads  roles.read
    POST   /api/users/role/                                 201 writes roles.create
    GET    /api/users/role/option/                          200 reads  roles.read
    GET    /api/users/role/{id}/                            200 reads  roles.read
    PUT    /api/users/role/{id}/                            200 writes roles.update
    PATCH  /api/users/role/{id}/                            200 writes roles.update
    DELETE /api/users/role/{id}/                            204 writes roles.delete
    GET    /api/activity/log/                               200 reads  activity.read
    POST   /api/activity/log/                               201 writes activity.create
    POST   /api/activity/log/track/                         201 writes activity.create
    GET    /api/activity/feed/                              200 reads  activity.read
    GET    /api/activity/customers/                         200 reads  activity.read
    GET    /api/activity/log/{id}/                          200 reads  activity.read
    GET    /api/activity/log/{module_id}/{reference_id}/    200 reads  activity.read
    POST   /api/activity/log/{id}/take-back/                200 writes activity.read
    GET    /api/filters/filter/                             200 reads  filters.read
    POST   /api/filters/filter/                             201 writes filters.create
    GET    /api/modules/                                    200 reads  signed_in
    GET    /api/modules/{module}/                           200 reads  signed_in
    PUT    /api/modules/{module}/layout/                    200 writes signed_in
    GET    /api/modules/{module}/fields/                    200 reads  signed_in
    PUT    /api/modules/{module}/fields/                    200 writes signed_in
    GET    /api/filters/filter/attributes/                  200 reads  filters.read
    GET    /api/filters/filter/{id}/                        200 reads  filters.read
    PUT    /api/filters/filter/{id}/                        200 writes filters.update
    DELETE /api/filters/filter/{id}/                        204 writes filters.delete
    POST   /api/filters/filter/{id}/restore/                200 writes filters.delete
    GET    /api/filters/filter/{id}/mail/                   200 reads  filters.read
    PUT    /api/filters/filter/{id}/mail/                   200 writes filters.read
    GET    /api/dashboards/info/                            200 reads  dashboards.read
    GET    /api/dashboards/info/groups/                     200 reads  dashboards.read
    POST   /api/dashboards/info/                            201 writes dashboards.create
    GET    /api/dashboards/info/{id}/                       200 reads  dashboards.read
    PUT    /api/dashboards/info/{id}/                       200 writes dashboards.update
    PATCH  /api/dashboards/info/{id}/                       200 writes dashboards.update
    DELETE /api/dashboards/info/{id}/                       204 writes dashboards.delete
    POST   /api/dashboards/info/{id}/restore/               200 writes dashboards.delete
    GET    /api/dashboards/info/{id}/mail/                  200 reads  dashboards.read
    PUT    /api/dashboards/info/{id}/mail/                  200 writes dashboards.read
    GET    /api/dashboards/widget/                          200 reads  dashboards.read
    POST   /api/dashboards/widgets/                         200 reads  dashboards.read
    GET    /api/dashboards/heatmap/                         200 reads  dashboards.read
    GET    /api/reports/{report}/                           200 reads  dashboards.read
  `,
  integration: `
    GET    /automation/test                                 200 reads  signed_in              -
    GET    /automation/company                              200 reads  companies.read         company.read
    POST   /automation/company                              201 writes companies.create       company.write
    PUT    /automation/company/{company_id}                 200 writes companies.update       company.write
    PUT    /automation/company/field-config                 200 writes companies.update       company.write
    GET    /automation/contact                              200 reads  contacts.read          contact.read
    POST   /automation/contact                              201 writes contacts.create        contact.write
    PUT    /automation/contact/{contact_id}                 200 writes contacts.update        contact.write
    PUT    /automation/contact/field-config                 200 writes contacts.update        contact.write
    GET    /automation/templates                            200 reads  templates.read         template.read
    GET    /automation/project                              200 reads  projects|deals.read    project|deal.read
    POST   /automation/project                              201 writes projects|deals.create  project|deal.write
    GET    /automation/project/{project_id}                 200 reads  projects|deals.read    project|deal.read
    PUT    /automation/project/{project_id}                 200 writes projects|deals.update  project|deal.write
    GET    /automation/deal/options                         200 reads  deals.read             deal.read
    GET    /automation/tasks                                200 reads  tasks.read             project|deal.read
    GET    /automation/task                                 200 reads  tasks.read             project|deal.read
    GET    /automation/task/{task_id}                       200 reads  tasks.read             project|deal.read
    PUT    /automation/task/{task_id}                       200 writes tasks.update           project|deal.write
    POST   /automation/task                                 201 writes tasks.create           project|deal.write
    GET    /automation/account                              200 reads  accounts.read          company.read
    GET    /automation/account/{account_id}                 200 reads  accounts.read          company.read
    POST   /automation/account                              201 writes accounts.create        company.write
    PUT    /automation/account/{account_id}                 200 writes accounts.update        company.write
    GET    /automation/meeting                              200 reads  calendar.read          meeting.read
    GET    /automation/meeting/{calendar_id}                200 reads  calendar.read          meeting.read
    POST   /automation/meeting                              201 writes calendar.create        meeting.write
    PUT    /automation/meeting/{calendar_id}                200 writes calendar.update        meeting.write
    GET    /automation/document                             200 reads  documents.read         document.read
    GET    /automation/document/{attach_id}                 200 reads  documents.read         document.read
    POST   /automation/document                             201 writes documents.create       document.write
    PUT    /automation/document/{attach_id}                 200 writes documents.update       document.write
    GET    /automation/survey                               200 reads  surveys.read           survey.read
    GET    /automation/survey/{survey_id}                   200 reads  surveys.read           survey.read
    GET    /automation/survey/{survey_id}/response          200 reads  surveys.read           survey.read
    GET    /automation/survey/{survey_id}/response/export   200 reads  surveys.read           survey.read
    GET    /automation/comment                              200 reads  interactions.read      interaction.read
    GET    /automation/comment/{interaction_id}             200 reads  interactions.read      interaction.read
    POST   /automation/comment                              201 writes interactions.create    company|contact|deal|project.write
    POST   /automation/company/bulk                         200 writes companies.update       company.write
    POST   /automation/contact/bulk                         200 writes contacts.update        contact.write
    POST   /automation/account/bulk                         200 writes accounts.update        company.write
    POST   /automation/project/bulk                         200 writes projects|deals.update  project|deal.write
    POST   /automation/task/bulk                            200 writes tasks.update           project|deal.write
    POST   /automation/meeting/bulk                         200 writes calendar.update        meeting.write
    GET    /automation/exports/companies                    200 reads  companies.read         company.read
    GET    /automation/exports/contacts                     200 reads  contacts.read          contact.read
    GET    /automation/exports/accounts                     200 reads  accounts.read          company.read
    GET    /automation/exports/deals                        200 reads  deals.read             deal.read
    GET    /automation/exports/projects                     200 reads  projects.read          project.read
    GET    /automation/exports/tasks                        200 reads  tasks.read             project|deal.read
    GET    /automation/exports/meetings                     200 reads  calendar.read          meeting.read
    GET    /automation/users                                200 reads  users.read             user.read
    GET    /automation/users/{user_id}                      200 reads  users.read             user.read
    GET    /automation/search                               200 reads  signed_in              company|contact|deal|project|template|user|survey|document|meeting|interaction.read
    GET    /automation/changes                              200 reads  signed_in              -
    DELETE /automation/invalidate                           200 writes signed_in              -
    POST   /webhook/subscribe                               201 writes signed_in              -
    DELETE /webhook/unsubscribe                             200 writes signed_in              -
    GET    /webhook/subscriptions                           200 reads  signed_in              -
    POST   /webhook/subscriptions/{id}/rotate-secret        200 writes signed_in              -
    GET    /webhook/events                                  200 reads  signed_in              -
    GET    /webhook/sample                                  200 reads  signed_in              -
    POST   /webhook/test                                    200 reads  signed_in              -
    POST   /webhook/trigger                                 200 writes signed_in              -
    GET    /webhook/deliveries                              200 reads  signed_in              -
    POST   /webhook/deliveries/resend-failed                200 writes signed_in              -
    POST   /webhook/deliveries/{id}/resend                  200 writes signed_in              -
  `,
}

/** What a route requires of its callers, and the status of a success. */
export type Access = {
  status: number
  writes: boolean
  /** `modules` of which one is enough */
  right: 'anyone' | 'signed_in' | { modules: string[]; action: string }
  /** scopes of which one is enough; none where a live token is */
  scopes: string[]
}

const known = new Map<string, Access>()
for (const [surface, lines] of Object.entries(table)) {
  for (const line of lines.trim().split('\n')) {
    const [method, path, status, effect, right, scope = '-'] = line.trim().split(/\s+/) as string[]
    const isOpen = right === 'anyone' || right === 'signed_in'
    known.set(`${surface} ${method} ${path}`, {
      status: Number(status),
      writes: effect === 'writes',
      right: isOpen ? right : either(right!),
      scopes:
        scope === '-' ? [] : either(scope).modules.map((each) => `${each}.${either(scope).action}`),
    })
  }
}

/** The table's words for its routes, such as `application GET /api/tags/info/`. */
export const allowedRoutes: string[] = [...known.keys()]

/** The line of a route; throws if there is none. */
export function accessOf(surface: { name: string }, { method, path }: Route): Access {
  const access = known.get(`${surface.name} ${method} ${path}`)
  if (!access)
    throw new Error(`test/support/access.ts has no line for ${surface.name} ${method} ${path}`)
  return access
}

/** Both sides of `companies|contacts.read`. */
function either(text: string): { modules: string[]; action: string } {
  const [words, action] = text.split('.') as [string, string]
  return { modules: words.split('|'), action }
}
