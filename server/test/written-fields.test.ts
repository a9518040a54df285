import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import type { AnyRecord, Field } from '../src/kit/record/record.ts'
import { ownField } from '../src/kit/record/record.ts'
import { records } from '../src/model/all.ts'
import { refusedField } from './support/refused.ts'
import type { JSONSchema } from '../src/kit/ground/json-schema.ts'
import type { Route } from '../src/surfaces/route.ts'
import { caseOf, everyRoute, readingOf, send } from './support/routes.ts'
import { startService } from './support/service.ts'
import { targets } from './support/targets.ts'
import type { Texts } from './support/world.ts'
import { fresh, makeWorld } from './support/world.ts'

// What a body may hold is either written, and then read, or refused by name: nothing is taken and ignored.

const service = await startService()
const world = await makeWorld(service)

const duplicates = ['on_duplicate', 'allow_duplicate']
const nameParts = ['first_name', 'last_name']

/** Properties that are nothing of the record: they say how to do something, or name it another way. */
const instructions: { [operation: string]: string[] } = {
  update_project: ['module'],
  update_survey_with_propagation: ['propagate_to_tasks'],
  create_company: duplicates,
  // beside a full name its parts say nothing
  create_contact: [...duplicates, ...nameParts],
  create_project: ['module'],
  integration_create_project: ['module'],
  create_survey_link: ['email'],
  // stored as a whole, which its own test reads back
  update_signature_preparation: [
    'recipients',
    'fields',
    'message',
    'expires',
    'allow_delegation',
    'check',
  ],
  // the keys of its texts are its own, and its own test reads them back
  update_survey_translations: ['texts', 'csv'],
  // shown as the day on which it ends
  create_access_token: ['expires_in_days'],
  // how the rows are read and what is done with them
  create_import: [
    'mapping',
    'options',
    'encoding',
    'on_duplicate',
    'empty_cells',
    'start',
    'new_options',
  ],
  update_import: [
    'mapping',
    'options',
    'formats',
    'encoding',
    'on_duplicate',
    'empty_cells',
    'unknown_links',
    'values',
    'new_options',
    'currencies',
    'answers',
  ],
}

/** Properties with which a change agrees or is refused by name. */
const fixed: { [operation: string]: string[] } = {
  update_project: ['project_type', 'org_temp_id', 'template_id', 'project_template', 'lost_reason'],
  // of a task that does not recur
  update_task: ['recurrence_status'],
  create_task: ['recurrence_status'],
  integration_create_task: ['recurrence_status', 'milestone_id'],
  create_project: ['lost_reason'],
  integration_create_project: ['lost_reason'],
  // the upload decides them
  update_import: ['delimiter', 'sheet'],
}

for (const { surface, route, title } of everyRoute(world)) {
  const reading = readingOf(surface, route)
  const { operation, method } = route
  // a PATCH is the operation of the PUT
  if (method !== 'PUT' || !reading || !operation.input.body) continue
  const properties = Object.entries(
    (operation.input.body.properties ?? {}) as { [name: string]: JSONSchema },
  )

  // both surfaces change a record alike
  const rules = operation.name.replace(/^integration_/, '')

  describe(`${title} writes what it takes`, () => {
    for (const [name, schema] of properties) {
      if (instructions[rules]?.includes(name)) continue
      const isFixed = fixed[rules]?.includes(name)
      test(isFixed ? `${name} is refused` : name, async () => {
        const { params } = await caseOf(route).request(world)
        const read = async () => (await send(world, surface, reading, { params })).body
        const before = await read()
        const tried: string[] = []
        for (const body of await bodiesFor(name, schema, before, recordOf(route))) {
          const reply = await send(world, surface, route, { params, body })
          tried.push(
            `${JSON.stringify(body).slice(0, 80)} ${reply.status} ${reply.status === 200 ? '' : reply.text}`,
          )
          assert.ok(reply.status < 500, reply.text)
          if (reply.status === route.status) {
            assert.notDeepEqual(shown(await read()), shown(before), `ignored: ${tried.join('\n')}`)
            assert.ok(!isFixed, `is written: ${tried.join('\n')}`)
            return
          }
        }
        if (!isFixed) assert.fail(`no value was taken:\n${tried.join('\n')}`)
        assert.ok(
          tried.every((each) => each.includes(`"field":"${name}`)),
          tried.join('\n'),
        )
      })
    }
  })
}

for (const { surface, route, title } of everyRoute(world)) {
  const { operation, method } = route
  const isCreate = /^(integration_)?create_/.test(operation.name) && method === 'POST'
  if (!isCreate || !operation.input.body) continue
  const properties = Object.entries(
    (operation.input.body.properties ?? {}) as { [name: string]: JSONSchema },
  )

  describe(`${title} creates with what it takes`, () => {
    /** The new record as it is read; undefined with the refusal. */
    async function create(more: object) {
      const made = await caseOf(route).request(world)
      const body = { ...made.body, ...more }
      const reply = await send(world, surface, route, { ...made, body })
      if (reply.status !== route.status) return { reply }
      const at = reply.headers.get('location')
      const read = at && (await service.call('GET', at, { headers: surface.admin() }))
      const row = read && read.status === 200 ? read.body : (reply.body.data ?? reply.body)
      return { reply, row, body: made.body }
    }
    let twice: ReturnType<typeof create>[] | undefined
    for (const [name, schema] of properties) {
      if (instructions[operation.name]?.includes(name)) continue
      const isFixed = fixed[operation.name]?.includes(name)
      test(isFixed ? `${name} is refused` : name, async () => {
        const [first, second] = await Promise.all((twice ??= [create({}), create({})]))
        assert.ok(first?.row && second?.row, first?.reply.text)
        // named by every create, and another one each time
        if (name in first.body) return
        const noise = Object.keys(first.row).filter(
          (key) => !isDeepStrictEqual(first.row[key], second.row[key]),
        )
        const shownOf = (row: any) =>
          Object.fromEntries(Object.entries(row).filter(([key]) => !noise.includes(key)))
        const tried: string[] = []
        const own = onCreating[name]
        for (const more of own
          ? await own()
          : await bodiesFor(name, schema, first.row, recordOf(route))) {
          const { row, reply } = await create(more)
          tried.push(
            `${JSON.stringify(more).slice(0, 80)} ${reply.status} ${row ? '' : reply.text}`,
          )
          assert.ok(reply.status < 500, reply.text)
          if (!row) continue
          // what differs each time shows the words and ids that were sent
          const words = JSON.stringify(more).match(/[\w]+-[0-9a-f]{10}|[0-9a-z]{25}/g) ?? []
          const isShown =
            words.some((word) => JSON.stringify(row).includes(word)) ||
            isDeepStrictEqual(row[name], (more as any)[name])
          if (!isShown) {
            assert.notDeepEqual(shownOf(row), shownOf(first.row), `ignored: ${tried.join('\n')}`)
          }
          assert.ok(!isFixed, `is written: ${tried.join('\n')}`)
          return
        }
        if (!isFixed) assert.fail(`no value was taken:\n${tried.join('\n')}`)
        assert.ok(
          tried.every((each) => each.includes(`"field":"${name}`)),
          tried.join('\n'),
        )
      })
    }
  })
}

for (const { surface, route, title } of everyRoute(world)) {
  const reading = readingOf(surface, route)
  const record = recordOf(route)
  if (route.method !== 'PUT' || !reading || !record) continue
  // the body of an automation is Survey-shaped (specification 4.4): what it says of the survey is passed over
  if (record.word === 'survey_automation') continue
  const refusals = Object.entries(record.fields).filter(([, { refusal }]) => refusal)
  if (!refusals.length) continue

  describe(`${title} refuses what it cannot write`, () => {
    for (const [name, field] of refusals) {
      test(name, async () => {
        const { params } = await caseOf(route).request(world)
        const { body: before } = await send(world, surface, reading, { params })
        const repeated = { [name]: before[name] }
        const same = await send(world, surface, route, { params, body: repeated })
        assert.equal(same.status, route.status, same.text)
        const body = { [name]: otherThan(field, before[name]) }
        refusedField(await send(world, surface, route, { params, body }), [name])
        // nor can a new record begin with it
        const creating = surface.routes.find(
          (each) => each.operation.name === `create_${record.word}`,
        )
        if (!creating || onCreate.includes(`${record.word}.${name}`)) return
        const made = await caseOf(creating).request(world)
        const created = { ...made, body: { ...made.body, ...body } }
        refusedField(await send(world, surface, creating, created), [name])
      })
    }
  })
}

/** Fields that the body of a create holds, and that stay from then on. */
const onCreate = [
  'interaction.module_id',
  'interaction.reference_id',
  'interaction.parent_interaction_id',
  'time_entry.user',
]

/** Fields that the specification marks read-only, and which of them bodies write all the same. */
const readOnlyMarks: { [word: string]: { ro: string; written: string } } = {
  company: {
    ro: `id linkedin_url twitter_url hq_location hq_country industry estimated_arr logo_url
      company_owner lead_status customer_segment operating_regions partner_type investors partners
      subsidiaries contacts_count record_source associated_deal_project`,
    written: `linkedin_url twitter_url hq_location hq_country industry estimated_arr logo_url
      company_owner lead_status customer_segment operating_regions partner_type investors partners
      subsidiaries`,
  },
  contact: {
    ro: `id profile_image_url primary_email company lead_source contact_owner person_category
      seniority_level buying_role phone whatsapp_number linkedin_url twitter_url linked_user
      associated_deal_project login_info`,
    written: `primary_email company lead_source contact_owner person_category seniority_level
      buying_role phone whatsapp_number linkedin_url twitter_url`,
  },
  user: {
    ro: `phone_no email role_id background_image profile_image projects tasks full_name role
      cover_image is_active is_fir_login deals`,
    written: 'role_id is_active',
  },
  project: {
    ro: `project_score project_owner currency_unit stages project_team insights current_stage
      milestone_status recent_activities time_left time_spent customer_project_owner partner_orgs
      project_type_str template_name template_desc calculated_revenue object_source pipeline_stages
      current_pipe_stage formatted_deal_value formatted_revenue formatted_other_revenue other_revenue`,
    written: 'project_owner project_team',
  },
  meeting_insight: {
    ro: 'title start_time duration users status is_favorite',
    written: '',
  },
}

describe('what the specification marks read-only', () => {
  for (const [word, { ro, written }] of Object.entries(readOnlyMarks)) {
    test(`is ignored in the bodies of a ${word}`, async () => {
      const { surface, route } = everyRoute(world).find(
        ({ route: { operation, method } }) =>
          operation.name === `update_${word}` && method === 'PUT',
      )!
      const ignored = ro.split(/\s+/).filter((name) => !written.split(/\s+/).includes(name))
      const { properties = {} } = route.operation.input.body as { properties?: object }
      assert.deepEqual(
        ignored.filter((name) => name in properties),
        [],
      )
      // whatever stands there, and however it is meant
      const reading = readingOf(surface, route)!
      const { params } = await caseOf(route).request(world)
      const before = (await send(world, surface, reading, { params })).body
      for (const value of ['x', 7, null, true, ['x'], { id: 'x' }]) {
        const body = Object.fromEntries(ignored.map((name) => [name, value]))
        const reply = await send(world, surface, route, { params, body })
        assert.equal(reply.status, route.status, reply.text)
        assert.deepEqual((await send(world, surface, reading, { params })).body, before)
      }
    })
  }
})

/** What a write changes in any case is no sign that it wrote something. */
function shown(row: Texts): unknown {
  return { ...row, last_update_time: '', version: 0, record_version: 0 }
}

/** A value that a field of this kind could hold, and does not. */
function otherThan({ kind, schema, reference }: Field, now: unknown): unknown {
  const [word] = ((schema.enum ?? []) as unknown[]).filter((each) => each !== now)
  if (word !== undefined) return word
  if (reference) return world.org.users.manager.user_id
  if (kind === 'boolean') return !now
  if (kind === 'integer') return Number(now ?? 0) + 1
  if (kind === 'list') return [{ id: 'x' }]
  return 'x'
}

/** Bodies with one property, as its schema describes it and as it is not now, the likeliest first. */
async function bodiesFor(
  name: string,
  schema: JSONSchema,
  before: any,
  record?: AnyRecord,
): Promise<object[]> {
  const own = special[name]
  if (own) return own(before)
  const values: unknown[] = []
  const field = record && (ownField(record, name) ?? ownField(record, record.aliases[name] ?? ''))
  for (const table of field?.reference ? [field.reference.table] : (linked[name] ?? []))
    values.push(await targets[table]!(world))
  for (const each of [schema, ...((schema.anyOf ?? []) as JSONSchema[])]) {
    const types = [each.type].flat()
    if (Array.isArray(each.enum)) values.push(...each.enum.filter((word) => word !== before[name]))
    else if (each.format === 'date') values.push('2031-02-03')
    else if (each.format === 'date-time') values.push('2031-02-03T10:00:00.000Z')
    else if (each.format === 'email') values.push(`${fresh()}@acme.test`)
    else if (each.format === 'time-zone') values.push('Asia/Tokyo')
    else if (each.format === 'locale') values.push('pt-BR')
    else if (each.format === 'web-address') values.push('https://acme.test/x.png')
    else if (each.format === 'color') values.push('#14704c')
    else if (types.includes('boolean')) values.push(before[name] !== true)
    else if (types.includes('integer')) values.push(2, 3)
    else if (types.includes('number')) values.push(41)
    else if (types.includes('string')) {
      values.push(fresh('word').slice(0, Number(each.maxLength ?? 20)))
    } else if (types.includes('array')) values.push([fresh('entry')], [{ a: 1 }])
    else if (types.includes('object')) values.push({ [fresh('key')]: 1 })
  }
  return values.map((value) => ({ [name]: value }))
}

/** The tables of the records that properties name which are no fields. */
const linked: { [name: string]: string[] } = {
  user_id: ['people'],
  project_id: ['projects'],
  holidays_id: ['holiday_sets'],
}

/** Bodies for properties whose valid values do not follow from a schema. */
const special: { [name: string]: (before: any) => object[] | Promise<object[]> } = {
  domain: () => [{ domain: `${fresh()}.test` }],
  redirect_uris: () => [{ redirect_uris: [`https://${fresh()}.test/callback`] }],
  scopes: () => [{ scopes: ['deal.read'] }],
  events: () => [{ events: ['contact_created'] }],
  where: () => [
    {
      events: ['contact_created'],
      where: [{ field: 'full_name', operator: 'eq', value: fresh() }],
    },
  ],
  fields: () => [{ events: ['contact_created'], fields: ['full_name'] }],
  url: () => [{ url: `http://127.0.0.1:1/${fresh()}` }],
  currency_unit: () => [{ currency_unit: 'CHF' }],
  working_hours: () => [{ working_hours: [{ days: [1, 2], from: '07:00', to: '15:30' }] }],
  absences: () => [{ absences: [{ start_date: '2031-02-03', end_date: '2031-02-04' }] }],
  roles: ({ template_config }) => {
    const roles = [{ key: 'data', name: fresh(), side: 'ours' }]
    // a draft is stored as a whole
    return [{ roles }, { roles, template_config }]
  },
  link_projects: async () => [{ link_projects: [{ project_id: await targets.projects!(world) }] }],
  project_team: async () => [{ project_team: [await targets.people!(world)] }],
  users: async () => [{ users: [await targets.people!(world)] }],
  optional_users: async () => [{ optional_users: [await targets.people!(world)] }],
  private_users: async () => [{ private_users: [await targets.people!(world)] }],
  attachment_ids: async () => {
    const made = await world.post('/api/documents/', { document_name: fresh('Document') })
    return [{ attachment_ids: [made.headers.get('x-record-id')] }]
  },
  mentions: () => [{ mentions: [world.org.users.manager.user_id] }],
  visible_to_users: () => [{ visible_to_users: [world.org.users.manager.user_id] }],
  attendees: () => [{ attendees: [{ type: 'external', email: `${fresh()}@acme.test` }] }],
  status: () => [{ status: 'in_progress' }, { status: 'published' }],
  pipeline_id: async () => [{ pipeline_id: await pipeline() }],
  stage_id: () => [{ stage_id: 'proposal' }],
  stages: () => [{ stages: [{ stage_name: fresh('Stage') }] }],
  recurrence_pattern: () => [{ recurrence_pattern: 'FREQ=DAILY', due_date: '2031-01-01' }],
  repeat: () => [{ repeat: 'FREQ=DAILY' }],
  holidays: () => [{ holidays: [{ name: 'Day off', date: '2031-05-01' }] }],
  module_id: async () => [{ module_id: 5, reference_id: await targets.contacts!(world) }],
  module_name: async () => [
    { module_name: 'contacts', reference_id: await targets.contacts!(world) },
  ],
  reference_id: async () => [{ module_id: 5, reference_id: await targets.contacts!(world) }],
  project_template: () => [{ project_template: { template_id: 'other' } }],
  account: () => [{ account: { account_name: fresh('Account') } }],
  document: () => [{ document: { description: fresh('About') } }],
  start: () => [{ start: '2020-02-03T10:00:00.000Z' }],
  permission: () => [{ permission: { companies: { read: 'own' } } }],
  is_user_role: () => [{ is_user_role: false, is_customer_role: true }],
  trigger: () => [{ trigger: { type: 'closed' } }],
  conditions: () => [
    { conditions: [{ field: 'respondent_email', operator: 'eq', value: fresh() }] },
    { conditions: [{ field: 'company_name', operator: 'eq', value: fresh() }] },
    { conditions: [{ field: 'full_name', operator: 'eq', value: fresh() }] },
  ],
  actions: () => [{ actions: [{ type: 'create_task', config: { title: fresh('Task') } }] }],
  module: () => [{ module: 'tags', conditions: [], columns: [] }],
  columns: () => [{ columns: ['domain'] }, { columns: ['full_name'] }],
  sort: () => [{ sort: 'company_name' }, { sort: 'full_name' }],
  group_by: () => [{ group_by: 'industry' }, { group_by: 'job_title' }],
  column_widths: () => [{ column_widths: { domain: 120 } }, { column_widths: { full_name: 120 } }],
  report: () => [{ report: { by: 'industry' } }, { report: { by: 'lead_status' } }],
  // a survey is translated as it is
  translations: () => [{ translations: { fr: { name: fresh('Nom') } } }],
  pages: () => [{ pages: [`/${fresh()}/*`] }],
  widgets: () => [{ widgets: [{ widget_type: 'meetings' }] }],
  access_list: async () => [{ access_list: [{ access_id: await targets.people!(world) }] }],
  time_range_default: () => [{ time_range_default: 'this_year' }],
  // a survey's has a shape, a task's is the caller's own
  form_structure: ({ survey_id }: { survey_id?: string }) => {
    const fields = [{ id: 'q2', type: 'short-text', label: 'Why?' }]
    return [
      { form_structure: survey_id ? [{ id: 'p1', title: 'Two', fields }] : { [fresh('key')]: 1 } },
    ]
  },
}

/** The same for new records, where that is something else. */
const onCreating: { [name: string]: () => Promise<object[]> } = {
  org_temp_id: async () => [{ org_temp_id: await template() }],
  template_id: async () => [{ template_id: await template() }],
  project_template: async () => [{ project_template: { template_id: await template() } }],
  parent_interaction_id: async () => {
    const reference_id = await targets.contacts!(world)
    const about = { module_id: 5, reference_id }
    const first = await world.post('/api/interactions/info/', { ...about, content: 'First' })
    return [{ ...about, parent_interaction_id: first.headers.get('x-record-id') }]
  },
  // of columns of the file that the case sends, and shown among the options
  formats: async () => [{ formats: { Name: 'decimal_comma' } }],
  // the other one is what it is when absent
  unknown_links: async () => [{ unknown_links: 'report' }],
  values: async () => [{ values: { Name: { Ada: null } } }],
  currencies: async () => [{ currencies: { EUR: { as: 'keep' } } }],
  answers: async () => [{ answers: { 2: 'skip' } }],
  external_submission_id: async () => [
    { external_submission_id: Math.floor(Math.random() * 1e9) + 1 },
  ],
}

async function template(): Promise<string> {
  const template_config = { stages: [{ stage_id: 'one', name: 'One' }] }
  const body = { template_name: fresh('Template'), template_config }
  return (await world.post('/api/templates/template/', body)).headers.get('x-record-id')!
}

async function pipeline(): Promise<string> {
  const body = { pipeline_name: fresh('Pipeline'), stages: [{ stage_name: 'First' }] }
  return (await world.post('/api/pipelines/', body)).headers.get('x-record-id')!
}

function recordOf({ operation }: Route): AnyRecord | undefined {
  const word = operation.name.replace(/^(integration_)?(create|update)_/, '')
  return records.find((record) => record.word === word)
}
