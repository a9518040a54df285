import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { TestService } from '../support/service.ts'
import { makeOrganization, rows, sql, startService } from '../support/service.ts'
import { connectApp } from '../support/integration.ts'
import { subscribe } from '../support/receiver.ts'
import { bringing, fileFor } from './bring.ts'
import { assertRows } from './rows.ts'

type Row = { [field: string]: any }

describe('a file as another product exports it', () => {
  let service: TestService

  before(async () => {
    service = await startService({}, undefined, true)
  })

  async function fresh() {
    const org = await makeOrganization(service)
    return { org, ...bringing(service, org) }
  }

  /** Imports the same file once more, to change what is there: nothing changes. */
  async function again(
    { bring }: Pick<ReturnType<typeof bringing>, 'bring'>,
    module: string,
    csv: string,
  ) {
    const { created, updated, failed } = await bring(module, csv, {
      on_duplicate: 'update',
      unknown_links: 'create',
    })
    assert.deepEqual({ created, updated, failed }, { created: 0, updated: 0, failed: 0 })
  }

  const links = { unknown_links: 'create' }

  test('of contacts of Google has numbers, addresses and second values', async () => {
    const { org, contacts, ...own } = await fresh()
    const csv = fileFor(org, 'google-contacts.csv')
    const done = await own.bring('contacts', csv, links)
    assertRows(await contacts(), 'full_name', {
      'Iris Vandam': {
        primary_email: 'iris@vandam.example',
        phone: '+31 6 1234 0001',
        'company.company_name': 'Vandam Logistics',
        job_title: 'Head of Operations',
        location: {
          address: '4 Quay Street, Floor 3',
          city: 'Utrecht',
          zip_code: '3511 AB',
          country: 'Netherlands',
        },
        'custom_fields.email_2': 'iris@home.example',
        'custom_fields.notes': 'Call before noon, please',
        'custom_fields.birthday': '1987-06-21',
      },
      'Noor Haddad': { primary_email: 'noor@haddad.example', phone: '1234' },
    })
    assert.match(done.warnings.join(), /E-mail 2 - Value .*custom field email_2/)
    assert.equal(done.errors.length, 1)
    assert.match(done.errors[0].reason, /5678/)
    assert.match(done.errors[0].reason, /noor@second\.example/)
    await again(own, 'contacts', csv)
  })

  test('of contacts of Outlook has no form of address for a job', async () => {
    const { org, contacts, ...own } = await fresh()
    const csv = fileFor(org, 'outlook-contacts.csv')
    await own.bring('contacts', csv, links)
    assertRows(await contacts(), 'full_name', {
      'Olav Brekke': {
        primary_email: 'olav@brekke.example',
        job_title: 'Fleet manager',
        phone: '+47 22 00 00 02',
        'custom_fields.phone_2': '+47 90 00 00 03',
        'custom_fields.phone_3': '+47 22 00 00 01',
        'custom_fields.email_2': 'olav@private.example',
        'custom_fields.website': 'https://brekke.example',
        'custom_fields.birthday': '1969-12-28',
        'custom_fields.notes': 'Prefers Norwegian',
        'company.company_name': 'Brekke Marine',
        department: 'Operations',
        location: {
          address: '2 Harbour Road',
          city: 'Bergen',
          zip_code: '5003',
          country: 'Norway',
        },
        tags: ['Friends', 'Harbour'],
      },
      'Greta van der Meer': {
        primary_email: 'greta@meer.example',
        phone: '+31 6 0000 0004',
        job_title: null,
        'custom_fields.phone_2': null,
      },
    })
    await again(own, 'contacts', csv)
  })

  test('of contacts of HubSpot loses nobody for want of a name', async () => {
    const { org, contacts, ...own } = await fresh()
    const csv = fileFor(org, 'hubspot-contacts.csv')
    const done = await own.bring('contacts', csv, links)
    assert.deepEqual([done.created, done.skipped, done.errors], [3, 1, []])
    const { email } = org.users.member
    assertRows(await contacts(), 'full_name', {
      'Lena Moreau': {
        primary_email: 'lena@moreau.example',
        display_id: '5101',
        phone: '+33 6 00 00 00 01',
        lead_status: 'new',
        contact_stage: 'customer',
        'contact_owner.email': email,
        'company.company_name': 'Moreau et Fils',
        'location.country': 'France',
        'custom_fields.created_on': '2024-03-12',
      },
      'Paul Keller': {
        lead_status: 'open',
        contact_stage: 'lead',
        job_title: 'Buyer',
        'contact_owner.email': email,
        'location.country': 'Australia',
        'custom_fields.created_on': '2024-03-15',
      },
      noname: { primary_email: 'noname@keller.example', display_id: '5104' },
    })
    await again(own, 'contacts', csv)
  })

  test('of contacts of Zoho takes the whole name where its parts are empty', async () => {
    const { org, contacts, ...own } = await fresh()
    const csv = fileFor(org, 'zoho-contacts.csv')
    const done = await own.bring('contacts', csv, links)
    assert.deepEqual(done.errors, [])
    assertRows(await contacts(), 'full_name', {
      'Anders Holm': {
        primary_email: 'anders@fjordline.example',
        job_title: 'Director',
        department: 'Sales',
        twitter_url: 'https://twitter.com/fjordline',
        'custom_fields.facebook_url': 'https://www.facebook.com/fjordline',
        'custom_fields.website': 'https://fjordline.example',
        'company.company_name': 'Fjordline',
        lead_status: null,
        location: { address: '1 Pier', city: 'Oslo', country: 'Norway', zip_code: '0150' },
      },
      'Maya Lind': {
        primary_email: 'maya@lindwerk.example',
        phone: '888-867-0001',
        'custom_fields.phone_2': '+46 70 000 00 01',
        twitter_url: 'https://twitter.com/lindwerk',
      },
    })
    await again(own, 'contacts', csv)
  })

  test('of customers makes a company of a firm without a person, and takes it back', async () => {
    const { org, contacts, companies, call, ...own } = await fresh()
    const csv = fileFor(org, 'kunden-de.csv')
    const done = await own.bring('contacts', csv, links)
    assert.deepEqual([done.created, done.errors], [2, []])
    assertRows(await contacts(), 'full_name', {
      'Jonas Reuter': {
        primary_email: 'jonas@reuter.example',
        phone: '0221 100001',
        'custom_fields.phone_2': '0171 100002',
        location: { address: 'Lindenweg 1', zip_code: '50667', city: 'Köln' },
      },
    })
    assertRows(await companies(), 'company_name', {
      'Hellwerk GmbH': {
        'address.address': 'Industriestr. 5',
        'address.city': 'Köln',
        'address.zip_code': '50859',
        'custom_fields.phone': '0221 100003',
        description: 'Stammkunde',
      },
    })
    await again(own, 'contacts', csv)
    await call('POST', `/api/imports/${done.import_id}/undo/`)
    assert.deepEqual([await contacts(), await companies()], [[], []])
  })

  test('of deals of HubSpot is history, and an unknown stage is asked about', async () => {
    const { org, deals, upload, start, ...own } = await fresh()
    await own.call('POST', '/api/contact/', { full_name: 'Lena Moreau' })
    const csv = fileFor(org, 'hubspot-deals.csv')
    const preview = await upload('deals', csv, links)
    const stage = preview.value_report.find(({ field }: Row) => field === 'stage_id')
    assert.deepEqual(
      stage.values.map(({ value, count, label, needs_choice }: Row) => [
        value,
        count,
        label,
        needs_choice,
      ]),
      [
        ['Decision Maker Bought-In', 1, null, true],
        ['Closed Won', 1, 'Closed won', false],
        ['Closed Lost', 1, 'Closed lost', false],
      ],
    )
    assert.deepEqual(preview.refused[0].lines, [4])
    // without an answer the row is reported
    const silent = await start(preview, { values: {} })
    assert.deepEqual([silent.created, silent.failed], [2, 1])
    const { email } = org.users.member
    const closed = {
      'Moreau renewal': {
        'current_pipe_stage.category': 'won',
        closed_at: '2022-12-25T00:00:00.000Z',
        forecasted_date: '2022-12-25',
        expected_deal_value: 5000,
        'project_owner.email': email,
        display_id: '9001',
      },
      'Keller pilot': {
        'current_pipe_stage.category': 'lost',
        closed_at: '2023-11-01T00:00:00.000Z',
        lost_reason: null,
        'project_owner.email': email,
      },
    }
    assertRows(await deals(), 'project_name', closed)
    // with it only that row is new
    const done = await own.bring('deals', csv, links)
    assert.deepEqual([done.created, done.skipped], [1, 2])
    assertRows(await deals(), 'project_name', {
      ...closed,
      'Vandam trial': {
        'current_pipe_stage.stage_key': 'negotiation',
        forecasted_date: '2027-01-15',
        'customer_project_owner.full_name': 'Lena Moreau',
        'custom_fields.created_on': '2026-01-02',
      },
    })
    await again(own, 'deals', csv)
    // the choice is remembered for other files
    const other = await upload('deals', 'Name,Stage\nNext,decision maker bought-in\n')
    const [value] = other.value_report[0].values
    assert.deepEqual([value.label, value.is_remembered], ['Negotiation', true])
  })

  test('of deals by their keys knows the won stage', async () => {
    const { org, deals, upload, start, ...own } = await fresh()
    const csv = fileFor(org, 'hubspot-deals-api.csv')
    const preview = await upload('deals', csv)
    const stage = preview.value_report.find(({ field }: Row) => field === 'stage_id')
    assert.deepEqual(
      stage.values.filter(({ needs_choice }: Row) => needs_choice).map(({ value }: Row) => value),
      ['appointmentscheduled', 'qualifiedtobuy', 'contractsent'],
    )
    await start(preview)
    assertRows(await deals(), 'project_name', {
      'Set-up Moreau': { 'current_pipe_stage.category': 'open', forecasted_date: '2027-05-15' },
      'Sync Keller': { 'current_pipe_stage.category': 'open', expected_deal_value: 3400 },
      'Contract Brekke': { 'current_pipe_stage.stage_key': 'negotiation' },
      'Renewal Haddad': {
        'current_pipe_stage.category': 'won',
        closed_at: '2024-06-10T00:00:00.000Z',
      },
    })
    await again(own, 'deals', csv)
  })

  test('of deals of Pipedrive keeps status, reason, people and currencies', async () => {
    const { org, deals, upload, start, call, ...own } = await fresh()
    await call('POST', '/api/contact/', { full_name: 'Olav Brekke' })
    const csv = fileFor(org, 'pipedrive-deals.csv')
    const preview = await upload('deals', csv, links)
    assert.deepEqual(
      preview.currency_report.map(({ currency, amounts, as, needs_choice }: Row) => [
        currency,
        amounts,
        as,
        needs_choice,
      ]),
      [
        ['CZK', 1, 'keep', true],
        ['EUR', 2, 'keep', true],
      ],
    )
    const done = await start(preview)
    assert.deepEqual(done.errors, [])
    const company = await own.companies()
    const idOf = (name: string) => company.find((each) => each.company_name === name).company_id
    const { email } = org.users.member
    assertRows(await deals(), 'project_name', {
      'Harbour rollout': {
        'current_pipe_stage.stage_key': 'qualification',
        forecasted_date: '2027-09-30',
        expected_deal_value: 120000,
        currency_unit: 'CZK',
        company_id: idOf('Brekke Marine'),
        'customer_project_owner.full_name': 'Olav Brekke',
        'project_owner.email': email,
      },
      'Harbour phase 2': {
        'current_pipe_stage.category': 'won',
        closed_at: '2025-06-15T08:00:00.000Z',
        currency_unit: 'EUR',
        expected_deal_value: 5000,
      },
      'Support renewal': {
        'current_pipe_stage.category': 'lost',
        closed_at: '2025-05-20T08:00:00.000Z',
        lost_reason: 'Too expensive',
        company_id: idOf('Gamma GmbH'),
        currency_unit: 'EUR',
      },
    })
    await again(own, 'deals', csv)
  })

  test('of amounts in another currency says so, and converts or leaves out what it is told to', async () => {
    const { org, deals, upload, start, bring } = await fresh()
    const csv = fileFor(org, 'euro-deals.csv')
    const preview = await upload('deals', csv)
    const [{ currency, amounts, columns }] = preview.currency_report
    assert.deepEqual([currency, amounts, columns], ['EUR', 2, ['Amount']])
    await start(preview)
    assertRows(await deals(), 'project_name', {
      'Renewal North': { expected_deal_value: 1000, currency_unit: 'EUR' },
      'Renewal South': { expected_deal_value: 2500.5, currency_unit: 'EUR' },
    })
    const converted = await fresh()
    const other = fileFor(converted.org, 'euro-deals.csv')
    const currencies = { EUR: { as: 'convert', rate: 1.1, rate_date: '2026-01-02' } }
    await converted.bring('deals', other, {}, { currencies })
    assertRows(await converted.deals(), 'project_name', {
      'Renewal North': { expected_deal_value: 1100, currency_unit: 'USD' },
      'Renewal South': { expected_deal_value: 2750.55, currency_unit: 'USD' },
    })
    const none = { EUR: { as: 'leave_out' } }
    const csvOnly = 'Deal name,ARR (EUR)\nOnly header,8000\n'
    await bring('deals', csvOnly, {}, { currencies: none })
    const found = (await deals()).find(({ project_name }) => project_name === 'Only header')!
    assert.deepEqual([found.expected_deal_value, found.currency_unit], [null, 'USD'])
  })

  test('of renewals changes the deal of its own company, and makes those of another year', async () => {
    const { org, deals, bring } = await fresh()
    const csv = fileFor(org, 'renewals.csv')
    assert.equal((await bring('deals', csv, links)).created, 2)
    const dearer = csv.replace('100', '150').replace('200', '250')
    const preview = await bring('deals', dearer, { ...links, on_duplicate: 'update' })
    assert.deepEqual([preview.created, preview.updated], [0, 2])
    assert.deepEqual(
      preview.matches.map(({ is, text }: Row) => [is, text]),
      [
        ['updates', 'Renewal, Acme, 2027-01-01'],
        ['updates', 'Renewal, Globex, 2027-06-01'],
      ],
    )
    const amounts = async () =>
      (await deals())
        .map(({ forecasted_date, expected_deal_value }) => [forecasted_date, expected_deal_value])
        .sort()
    assert.deepEqual(await amounts(), [
      ['2027-01-01', 150],
      ['2027-06-01', 250],
    ])
    const next = csv.replaceAll('2027', '2028')
    const later = await bring('deals', next, links)
    assert.deepEqual([later.created, later.skipped], [2, 0])
    const same = await bring('deals', next, links)
    assert.deepEqual([same.created, same.skipped], [0, 2])
    assert.match(same.errors[0].reason, /exists already: Renewal, Acme, 2028-01-01/)
    assert.equal((await amounts()).length, 4)
  })

  test('of tasks of Asana has owners by name or e-mail, tags, notes and what is below', async () => {
    const { org, tasks, call, ...own } = await fresh()
    await call('POST', '/api/project/info/', { project_name: 'Website' })
    const csv = fileFor(org, 'asana-tasks.csv', 'Website')
    const done = await own.bring('tasks', csv)
    assert.deepEqual(
      done.errors.map(({ line, phase }: Row) => [line, phase]),
      [[5, 'cell']],
    )
    const { email } = org.users.member
    const found = await tasks()
    const top = found.find(({ title }) => title === 'Launch the site')!
    assertRows(found, 'title', {
      'Launch the site': {
        'owner.email': email,
        tags: ['Design', 'Q4 launch'],
        description: 'Line one\nLine two, with a comma',
        start_date: '2027-09-20',
        due_date: '2027-10-15',
        project_name: 'Website',
        is_completed: false,
      },
      'Write the texts': {
        'owner.email': email,
        parent_id: top.item_id,
        is_completed: true,
        completed_at: '2025-09-10T00:00:00.000Z',
        due_date: '2025-09-09',
      },
      'Choose the fonts': { owner: null, tags: ['Fonts'], project_name: 'Website' },
    })
    await again(own, 'tasks', csv)
  })

  test('of issues of Jira has the labels of all columns, and what is resolved is done', async () => {
    const { org, tasks, ...own } = await fresh()
    const csv = fileFor(org, 'jira-issues.csv')
    const done = await own.bring('tasks', csv)
    assert.deepEqual(done.errors, [])
    assertRows(await tasks(), 'title', {
      'Crane list stays empty after the import': {
        display_id: 'HRB-41',
        is_completed: true,
        completed_at: '2024-10-25T19:07:00.000Z',
        'priority.value': 'high',
        tags: ['one', 'two'],
        'custom_fields.created_on': '2024-10-22',
      },
      'Show the berth plan to the pilot': {
        display_id: 'HRB-52',
        'owner.email': org.users.member.email,
        'status.status_key': 'not_started',
        'priority.value': 'high',
        tags: ['shared_view'],
        due_date: '2027-06-30',
      },
    })
    await again(own, 'tasks', csv)
  })

  test('of finished records is no news, unless somebody wants it to be', async () => {
    const { org, bring } = await fresh()
    const app = await connectApp(service, org)
    await subscribe(app, ['deal_created', 'deal_won'], 'http://127.0.0.1:9/')
    const heard = (name: string) =>
      rows<{ type: string; is_sent: boolean; source: string }>(
        service,
        sql`select e.type, d.id is not null as is_sent, e.source from events e
          join projects p on p.organization_id = ${org.id} and p.id = e.reference_id
          left join deliveries d on d.organization_id = ${org.id} and d.event_id = e.id
          where e.organization_id = ${org.id} and p.project_name = ${name} order by e.type`,
      )
    const header = 'Deal name,Stage,Close date\n'
    await bring('deals', `${header}Old,Closed Won,2022-01-05\nOpen,Qualification,2027-01-05\n`)
    const source = 'import'
    assert.deepEqual(await heard('Old'), [
      { type: 'deal_created', is_sent: false, source },
      { type: 'deal_won', is_sent: false, source },
    ])
    assert.deepEqual(await heard('Open'), [{ type: 'deal_created', is_sent: true, source }])
    await bring('deals', `${header}Told,Closed Won,2022-01-05\n`, {}, { tell_apps: true })
    assert.deepEqual(await heard('Told'), [
      { type: 'deal_created', is_sent: true, source },
      { type: 'deal_won', is_sent: true, source },
    ])
  })
})
