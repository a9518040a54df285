import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Route } from '../src/surfaces/route.ts'
import { startService } from './support/service.ts'

// One case for every operation of the specification, in its order, a line each: method, path, the
// status of a success (two where the specification leaves it open; 308 leads on from a merged
// record), `empty` where it has no body unless the record is preferred as one,
// after `?` the query parameters it names (`!` marks a required one). `pending` marks what is not
// built yet: such a line must lose its mark as soon as its route exists.
//
// How they are counted: every method of every path in parts 4.2 (3), 4.3 (19) and 4.4 (147), and
// POST /api/login/ of part 5.2, which is 170. Methods listed together ("GET, PUT, PATCH, DELETE")
// count one each; the modes of an integration GET (options, field_config, …) are query parameters of
// one operation. The three operations whose paths are "not shown" (the heatmap, a company's
// contacts, the other POST under a project) stand here with the contract's paths.

const listed = 'page items_per_page reverse sort'
const required = 'page! items_per_page! reverse sort'

const specification: { [part: string]: string } = {
  Identity: `
    GET    /oauth/authorize                               200|302 ? client_id! response_type! redirect_uri! state! timestamp! signature!
    POST   /oauth/token                                   200
    POST   /auth_refresh/                                 200`,

  Integration: `
    GET    /automation/test                               200
    GET    /automation/company                            200 ? limit sort filter next_cursor company_id options field_config
    POST   /automation/company                            200|201
    PUT    /automation/company/{company_id}               200
    PUT    /automation/{module}/field-config              200
    GET    /automation/contact                            200 ? limit sort filter next_cursor contact_id options field_config
    POST   /automation/contact                            200|201
    PUT    /automation/contact/{contact_id}               200
    GET    /automation/templates                          200 ? module template_type sub_template_type page items_per_page org_temp_id
    GET    /automation/project                            200 ? page items_per_page project_type module org_temp_id sort filter due_filter
    POST   /automation/project                            200|201
    GET    /automation/project/{project_id}               200 ? due_filter options milestone milestones
    GET    /automation/deal/options                       200
    GET    /automation/users                              200 ? email
    GET    /automation/tasks                              200 ? project_id! due_filter filter items_per_page page
    POST   /automation/task                               200|201
    DELETE /automation/invalidate                         200
    POST   /webhook/subscribe                             200|201
    DELETE /webhook/unsubscribe                           200 ? subscriptionId`,

  'Sign-in': `
    POST   /api/login/                                    200`,

  Surveys: `
    GET    /api/surveys/                                  200 ? account_id page_size page_number sort_order sort_key status
    POST   /api/surveys/                                  201
    GET    /api/surveys/{id}/                             200
    PUT    /api/surveys/{id}/                             200
    DELETE /api/surveys/{id}/                             204
    GET    /api/surveys/{id}/automation-options/          200
    GET    /api/surveys/{id}/automations/                 200
    POST   /api/surveys/{id}/automations_save/            200|201
    POST   /api/surveys/{id}/close/                       200
    POST   /api/surveys/{id}/publish/                     200
    POST   /api/surveys/{id}/duplicate/                   201
    GET    /api/surveys/{id}/fill/                        200
    GET    /api/surveys/{id}/insights/                    200
    GET    /api/surveys/{id}/usage-count/                 200
    GET    /api/surveys/{id}/limit-status/                200
    GET    /api/surveys/{id}/responses/                   200 ? page_size page_number respondent_email
    POST   /api/surveys/{id}/save-as-template/            201
    POST   /api/surveys/{id}/schedule/                    201
    GET    /api/surveys/{id}/schedules/                   200
    POST   /api/surveys/{id}/send/                        200
    PUT    /api/surveys/{id}/update-with-propagation/     200
    PUT    /api/surveys/automations/{automation_id}/      200
    DELETE /api/surveys/automations/{automation_id}/      204
    POST   /api/surveys/bulk-delete/                      200
    GET    /api/surveys/counts/                           200
    GET    /api/surveys/forms/                            200 ? account_id page_size page_number sort_order sort_key status
    GET    /api/surveys/public/{encrypted_token}/         200`,

  Dashboards: `
    GET    /api/dashboards/info/                          200
    POST   /api/dashboards/info/                          201
    GET    /api/dashboards/info/{id}/                     200
    PUT    /api/dashboards/info/{id}/                     200
    PATCH  /api/dashboards/info/{id}/                     200
    DELETE /api/dashboards/info/{id}/                     204
    GET    /api/dashboards/widget/                        200 ? widget_type! time_filter
    GET    /api/dashboards/heatmap/                       200 ? project_ids time_range`,

  Accounts: `
    GET    /api/account/info/                             200 ? ${listed}
    POST   /api/account/info/                             201
    GET    /api/account/info/{id}/                        200
    PUT    /api/account/info/{id}/                        200
    DELETE /api/account/info/{id}/                        204
    GET    /api/account/info/all-accounts/                200
    GET    /api/account/info/journey/                     200
    GET    /api/account/info/more-activities/             200
    POST   /api/account/info/del_vertical/                200`,

  'Meeting insights': `
    GET    /api/calendar/insight/                         200
    POST   /api/calendar/insight/                         201
    GET    /api/calendar/insight/{id}/                    200
    PUT    /api/calendar/insight/{id}/                    200
    DELETE /api/calendar/insight/{id}/                    204
    POST   /api/calendar/insight/email/                   200`,

  Tags: `
    GET    /api/tags/info/                                200 ? ${listed}
    POST   /api/tags/info/                                201
    GET    /api/tags/info/{id}/                           200
    PUT    /api/tags/info/{id}/                           200
    PATCH  /api/tags/info/{id}/                           200
    DELETE /api/tags/info/{id}/                           204`,

  Companies: `
    GET    /api/company/                                  200 ? ${required}
    POST   /api/company/                                  200 empty
    GET    /api/company/{id}/                             200|308
    PUT    /api/company/{id}/                             200 empty
    DELETE /api/company/{id}/                             204
    GET    /api/company/{id}/completed-meetings/          200 ? page items_per_page
    GET    /api/company/{id}/contacts/                    200|308 ? page items_per_page`,

  Contacts: `
    GET    /api/contact/                                  200 ? ${required}
    POST   /api/contact/                                  200 empty
    GET    /api/contact/{id}/                             200|308
    PUT    /api/contact/{id}/                             200 empty
    DELETE /api/contact/{id}/                             204
    GET    /api/contact/{id}/completed-meetings/          200`,

  Users: `
    GET    /api/users/profile/                            200 ? ${required}
    GET    /api/users/profile/{id}/                       200
    PUT    /api/users/profile/{id}/                       200 empty
    DELETE /api/users/profile/{id}/                       204
    POST   /api/users/profile/action/                     200
    GET    /api/users/profile/activity/                   200
    GET    /api/users/role/                               200 ? ${listed}
    GET    /api/users/role/{id}/                          200
    PUT    /api/users/role/{id}/                          200
    PATCH  /api/users/role/{id}/                          200
    DELETE /api/users/role/{id}/                          204
    GET    /api/users/role/option/                        200`,

  Projects: `
    GET    /api/project/info/                             200 ? ${required}
    POST   /api/project/info/                             201 empty
    GET    /api/project/info/{id}/                        200
    PUT    /api/project/info/{id}/                        200
    DELETE /api/project/info/{id}/                        204
    POST   /api/project/info/{id}/duplicate/              200|201`,

  'Activity logs': `
    GET    /api/activity/log/                             200
    POST   /api/activity/log/                             201
    GET    /api/activity/log/{id}/                        200
    GET    /api/activity/log/{module_id}/{reference_id}/  200
    POST   /api/activity/log/track/                       201`,

  Templates: `
    GET    /api/templates/template/                       200 ? ${listed}
    POST   /api/templates/template/                       201
    GET    /api/templates/template/{id}/                  200
    PUT    /api/templates/template/{id}/                  200
    DELETE /api/templates/template/{id}/                  204
    GET    /api/templates/template/ai-milestone/          200
    GET    /api/templates/template/ai-template/           200
    GET    /api/templates/template/default/               200
    GET    /api/templates/template/paginated-templates/   200`,

  Documents: `
    GET    /api/documents/                                200 ? ${listed}
    POST   /api/documents/                                201
    GET    /api/documents/{id}/                           200
    PUT    /api/documents/{id}/                           200
    DELETE /api/documents/{id}/                           204
    GET    /api/documents/activities/                     200
    GET    /api/documents/analytics/                      200`,

  Calendar: `
    GET    /api/calendar/info/                            200 ? ${listed}
    POST   /api/calendar/info/                            201
    GET    /api/calendar/info/{id}/                       200
    PUT    /api/calendar/info/{id}/                       200
    DELETE /api/calendar/info/{id}/                       204
    GET    /api/calendar/info/options/                    200
    GET    /api/calendar/info/source-ref/                 200 ? source_ref_id`,

  Holidays: `
    GET    /api/holidays/holinfo/                         200 ? ${required}
    POST   /api/holidays/holinfo/                         201 empty
    GET    /api/holidays/holinfo/{id}/                    200
    GET    /api/holidays/holinfo/import/                  200`,

  Tasks: `
    GET    /api/tasks/                                    200 ? ${listed}
    POST   /api/tasks/                                    201
    GET    /api/tasks/{id}/                               200
    PUT    /api/tasks/{id}/                               200
    DELETE /api/tasks/{id}/                               204
    GET    /api/tasks/activity/                           200
    GET    /api/tasks/attachments/                        200
    POST   /api/tasks/bulk_actions/                       200`,

  Filters: `
    GET    /api/filters/filter/                           200
    POST   /api/filters/filter/                           201
    GET    /api/filters/filter/{id}/                      200
    PUT    /api/filters/filter/{id}/                      200
    DELETE /api/filters/filter/{id}/                      204
    GET    /api/filters/filter/attributes/                200`,

  Interactions: `
    GET    /api/interactions/info/                        200 ? module_name reference_id
    POST   /api/interactions/info/                        201
    GET    /api/interactions/info/{id}/                   200
    PUT    /api/interactions/info/{id}/                   200
    DELETE /api/interactions/info/{id}/                   204
    POST   /api/interactions/info/add-reaction/           200
    POST   /api/interactions/info/mark-read/              200
    POST   /api/interactions/info/unread-counts/          200
    GET    /api/interactions/info/summary/                200`,

  'Feedback widget': `
    GET    /api/widget-config                             200
    POST   /api/widget-submit                             200 empty`,

  Notifications: `
    GET    /api/notifyhub/notify-info/                    200 ? ${required}
    POST   /api/notifyhub/notify-info/                    201
    GET    /api/notifyhub/notify-info/{id}/               200`,
}

type Stated = {
  method: string
  path: string
  statuses: number[]
  isEmpty: boolean
  isPending: boolean
  query: { name: string; isRequired: boolean }[]
}

const stated = Object.entries(specification).map(
  ([part, lines]) => [part, lines.trim().split('\n').map(read)] as const,
)
const operations = stated.flatMap(([, list]) => list)
const service = await startService()
const standing = operations.filter(({ isPending }) => !isPending).length

test(`${standing} of ${operations.length} operations stand`, () => {
  assert.equal(operations.length, 170)
  assert.equal(new Set(operations.map(({ method, path }) => `${method} ${path}`)).size, 170)
})

for (const [part, list] of stated) {
  describe(part, () => {
    for (const operation of list) {
      const { method, path, statuses, isEmpty, isPending } = operation
      const name = `${method} ${path} answers ${statuses.join(' or ')}${isEmpty ? ' without a body' : ''}`
      const found = described(operation)
      if (isPending && !found.length) {
        test(name, { todo: 'not built yet' })
        continue
      }
      test(name, () => {
        assert.ok(!isPending, 'it stands: take its pending mark away')
        assert.ok(found.length, 'there is no such route')
        for (const each of found) agrees(operation, each)
      })
    }
  })
}

/** One line of the table. */
function read(line: string): Stated {
  const [method, path, status, ...words] = line.trim().split(/\s+/)
  const flags = ['empty', 'pending', '?']
  return {
    method: method!,
    path: path!,
    statuses: status!.split('|').map(Number),
    isEmpty: words.includes('empty') || status === '204',
    isPending: words.includes('pending'),
    query: words
      .filter((word) => !flags.includes(word))
      .map((word) => ({ name: word.replace('!', ''), isRequired: word.endsWith('!') })),
  }
}

/** The document's entries for an operation: made from the route tables, or by hand for identity. */
function described({ method, path }: Stated): any[] {
  const paths = path.includes('{module}')
    ? ['company', 'contact'].map((module) => path.replace('{module}', module))
    : [path]
  const entries = paths.map((each) => {
    const wanted = shapeOf(each)
    const known = Object.keys(service.document().paths).find((other) => shapeOf(other) === wanted)
    return service.document().paths[known ?? '']?.[method.toLowerCase()]
  })
  return entries.every(Boolean) ? entries : []
}

function agrees({ method, path, statuses, isEmpty, query }: Stated, entry: any) {
  const success = Object.keys(entry.responses)
    .map(Number)
    .filter((status) => status < 400)
  assert.ok(success.length)
  for (const status of success) assert.ok(statuses.includes(status), `answers ${status}`)
  for (const status of success) {
    // the pages on the way to a redirect are for people
    if (statuses.includes(302)) continue
    // the envelope of an error, with the way on
    if (status === 308) continue
    const { content, headers = {} } = entry.responses[status]
    // the record is the body where it is preferred, and nowhere else
    assert.equal(content === undefined || 'Preference-Applied' in headers, isEmpty, 'its body')
  }
  const parameters = (entry.parameters ?? []) as any[]
  for (const { name, isRequired } of query) {
    const parameter = parameters.find((each) => each.name === name && each.in === 'query')
    assert.ok(parameter, `has no query parameter ${name}`)
    assert.equal(parameter.required ?? false, isRequired, `whether ${name} is required`)
  }
  // the document speaks for a route that is really there
  const url = path.replace('{module}', 'company')
  const isThere = service.app.hasRoute({ method: method as never, url: routed(url) })
  assert.ok(isThere, 'is described and not served')
  const route = service.routes.find(
    (each: Route) => each.method === method && shapeOf(each.path) === shapeOf(url),
  )
  if (route) assert.ok(statuses.includes(route.status))
}

function shapeOf(path: string): string {
  return path.replace(/\{\w+\}/g, '{}').replace(/\/$/, '')
}

/** The path as the router knows it: its own parameter names, and no last slash. */
function routed(path: string): string {
  const wanted = shapeOf(path)
  const known = Object.keys(service.document().paths).find((each) => shapeOf(each) === wanted)!
  return known.replace(/\{(\w+)\}/g, ':$1').replace(/\/$/, '')
}
