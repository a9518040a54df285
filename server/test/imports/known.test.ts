import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { TestService } from '../support/service.ts'
import { makeOrganization, startService } from '../support/service.ts'
import { addMember } from '../support/world.ts'
import { bringing } from './bring.ts'

type Shown = { [name: string]: unknown }

describe('what an import knows again', () => {
  let service: TestService

  before(async () => {
    service = await startService({}, undefined, true)
  })

  async function fresh() {
    const org = await makeOrganization(service)
    return { org, ...bringing(service, org) }
  }

  test('people without an e-mail by name and number, or name and company', async () => {
    const { bring, contacts, call } = await fresh()
    await call('POST', '/api/company/', { company_name: 'Acme' })
    const csv = 'Name,Phone,Company\nAda,+1 (2) 34,\nAda,56,\nBo,,Acme\nCy,,\nCy,,\n,+99 1,\n'
    assert.equal((await bring('contacts', csv)).created, 6)
    const again = await bring('contacts', csv.replace('+1 (2) 34', '1234'))
    assert.deepEqual([again.created, again.skipped], [0, 6])
    assert.equal((await contacts()).length, 6)
  })

  test('a person with a new e-mail whose name and number another has is a possible duplicate', async () => {
    const { upload, start, bring, contacts, call } = await fresh()
    await call('POST', '/api/contact/', { full_name: 'Ada', phone: '+1 (2) 34' })
    const primary_email = 'bo@a.example'
    await call('POST', '/api/contact/', { full_name: 'Bo', phone: '56', primary_email })
    await call('POST', '/api/contact/', { full_name: 'Cy' })
    const csv =
      'Name,Email,Phone\nAda,ada@x.example,1234\nBo,bo@x.example,5-6\nCy,cy@x.example,78\nDi,di@x.example,\nBo,,56\n'
    const preview = await upload('contacts', csv, { on_duplicate: 'update' })
    assert.deepEqual(
      preview.matches.map(({ line, is, text }: Shown) => [line, is, text]),
      [
        [2, 'possible_duplicate', 'Ada, +1 (2) 34'],
        [3, 'possible_duplicate', 'Bo, bo@a.example'],
        [6, 'same', 'Bo, bo@a.example'],
      ],
    )
    const done = await start(preview)
    assert.deepEqual([done.created, done.updated, done.errors], [4, 0, []])
    assert.equal((await contacts()).length, 7)
    const again = await bring('contacts', csv, { on_duplicate: 'update' })
    assert.deepEqual([again.created, again.skipped], [0, 5])
  })

  test('a company by its website alone', async () => {
    const { bring, contacts, companies, call } = await fresh()
    await call('POST', '/api/company/', { company_name: 'Acme', domain: 'acme.example' })
    await bring('contacts', 'Name,Email,Website\nAda,ada@x.example,https://www.acme.example/en\n')
    const [ada] = await contacts()
    assert.equal(ada.company.company_name, 'Acme')
    assert.equal((await companies()).length, 1)
  })

  test('merged people and companies as the one that is left, in files, bodies and links', async () => {
    const { bring, call, contacts, companies } = await fresh()
    const make = async (path: string, body: object) =>
      (await call('POST', path, body)).headers.get('x-record-id')!
    const left = await make('/api/contact/', { full_name: 'Ada', primary_email: 'ada@a.example' })
    const gone = await make('/api/contact/', { full_name: 'A.', primary_email: 'old@a.example' })
    await call('POST', '/api/contact/merge/', { primary_id: left, merge_ids: [gone] })
    const firm = await make('/api/company/', { company_name: 'Acme', domain: 'acme.example' })
    const other = await make('/api/company/', { company_name: 'Acne', domain: 'acne.example' })
    await call('POST', '/api/company/merge/', { primary_id: firm, merge_ids: [other] })

    const csv = 'Name,Email,Company domain,Job title\nAda,old@a.example,acne.example,Boss\n'
    const done = await bring('contacts', csv, { on_duplicate: 'update' })
    assert.deepEqual([done.created, done.updated, done.errors], [0, 1, []])
    const [ada] = await contacts()
    assert.deepEqual([ada.contact_id, ada.job_title, ada.company.company_id], [left, 'Boss', firm])
    assert.equal(ada.primary_email, 'ada@a.example')
    const places = 'Company,Domain,Industry\nAcne,acne.example,media\nAcne,,sports\n'
    await bring('companies', places, { on_duplicate: 'update' })

    const body = { full_name: 'Ada', primary_email: 'OLD@a.example', department: 'Works' }
    const upsert = await call('POST', '/api/contact/?on_duplicate=update', body)
    assert.equal(upsert.headers.get('x-record-id') ?? left, left)
    const upserted = await contacts()
    assert.deepEqual(
      upserted.map(({ primary_email, department }) => [primary_email, department]),
      [['ada@a.example', 'Works']],
    )
    const acne = { company_name: 'Acne', domain: 'acne.example', hq_country: 'Norway' }
    await call('POST', '/api/company/?on_duplicate=update', acne)
    const [only, ...more] = await companies()
    assert.deepEqual(more, [])
    const { company_id, company_name, domain, industry, hq_country } = only
    assert.deepEqual(
      [company_id, company_name, domain, industry, hq_country],
      [firm, 'Acme', 'acme.example', 'sports', 'Norway'],
    )
    // so the next file finds it by its own key, and by the other
    const next = 'Name,Email\nAda,ada@a.example\nAda,old@a.example\n'
    const again = await bring('contacts', next)
    assert.deepEqual([again.created, again.skipped], [0, 2])
    await call('POST', '/api/contact/', {
      full_name: 'Bo',
      company: { domain: 'acne.example' },
      reports_to: { email: 'old@a.example' },
    })
    const bo = (await contacts()).find(({ full_name }) => full_name === 'Bo')
    assert.deepEqual([bo.company.company_id, bo.reports_to.contact_id], [firm, left])
    assert.equal((await companies()).length, 1)
  })

  test('a name that a body does not say stays as it is', async () => {
    const { call, contacts } = await fresh()
    const primary_email = 'ada@a.example'
    await call('POST', '/api/contact/', { full_name: 'Ada Lovelace', primary_email })
    await call('POST', '/api/contact/?on_duplicate=update', { primary_email, department: 'Works' })
    const [{ full_name, department }] = await contacts()
    assert.deepEqual([full_name, department], ['Ada Lovelace', 'Works'])
  })

  test('people in bodies by the part before the @ or their number', async () => {
    const { call, contacts } = await fresh()
    await call('POST', '/api/contact/', { primary_email: 'noname@x.example' })
    await call('POST', '/api/contact/', { phone: '+31 6 1' })
    const names = (await contacts()).map(({ full_name }) => full_name).sort()
    assert.deepEqual(names, ['+31 6 1', 'noname'])
  })

  test('a row that fits several deals is asked about, and an answer says which it is', async () => {
    const { bring, upload, start, deals, call } = await fresh()
    const make = async (due_date: string) =>
      (
        await call('POST', '/api/project/info/', {
          project_name: 'Renewal',
          project_type: 'deal',
          due_date,
          expected_deal_value: 1,
        })
      ).headers.get('x-record-id')!
    await make('2027-01-01')
    const second = await make('2028-01-01')
    const csv = 'Deal name,Amount\nRenewal,5\n'
    const preview = await upload('deals', csv, { on_duplicate: 'update' })
    const [question] = preview.questions
    assert.deepEqual(
      [question.line, question.candidates.map(({ text }: any) => text)],
      [2, ['Renewal, 2027-01-01', 'Renewal, 2028-01-01']],
    )
    const silent = await start(preview)
    assert.deepEqual([silent.updated, silent.failed], [0, 1])
    assert.match(silent.errors[0].reason, /could be any of 2 deals/)
    const done = await bring('deals', csv, { on_duplicate: 'update' }, { answers: { 2: second } })
    assert.equal(done.updated, 1)
    const changed = (await deals()).find(({ project_id }) => project_id === second)
    assert.equal(changed.expected_deal_value, 5)
  })

  test('a question and a match name no record that the caller may not read', async () => {
    const { org, call } = await fresh()
    const all = { create: 'all', read: 'all', update: 'all', delete: 'all' }
    const make = async (path: string, body: object) =>
      (await call('POST', path, body)).headers.get('x-record-id')!
    const company_id = await make('/api/company/', { company_name: 'Acme', domain: 'acme.example' })
    const account_id = await make('/api/account/info/', { account_name: 'Secret', company_id })
    const deal = { project_name: 'Renewal', project_type: 'deal', account_id }
    await make('/api/project/info/', { ...deal, forecasted_date: '2027-01-01' })
    await make('/api/project/info/', { ...deal, forecasted_date: '2028-01-01' })
    const plan = { project_name: 'Secret plan', account_id }
    const project_id = await make('/api/project/info/', plan)
    await make('/api/tasks/', { title: 'Call', project_id, display_id: 'T-1' })
    const previewBy = async (permission: object, module: string, csv: string) => {
      const { token } = await addMember(service, org, { tags: all, ...permission })
      const body = { module, csv, on_duplicate: 'skip' }
      const reply = await service.call('POST', '/api/imports/', { token, body })
      assert.equal(reply.status, 201, reply.text)
      return reply.body
    }
    const deals = 'Deal name,Company domain\nRenewal,acme.example\n'
    const whole = await previewBy({ deals: all, accounts: all, companies: all }, 'deals', deals)
    assert.equal(whole.matches[0].text, 'Renewal, Secret, 2027-01-01')
    // which account is of that company is not theirs to learn
    const { matches } = await previewBy({ deals: all, companies: all }, 'deals', deals)
    assert.deepEqual(matches, [])
    const bare = await previewBy({ deals: all }, 'deals', 'Deal name\nRenewal\n')
    assert.equal(bare.matches[0].text, 'Renewal, 2027-01-01')
    const task = await previewBy({ tasks: all }, 'tasks', 'Task,Task number\nCall,T-1\n')
    assert.equal(task.matches[0].text, 'Call')
  })

  test('an answer stays in the preview, where another one can be given', async () => {
    const { upload, call } = await fresh()
    for (const forecasted_date of ['2027-01-01', '2028-01-01']) {
      const deal = { project_name: 'Renewal', project_type: 'deal', forecasted_date }
      await call('POST', '/api/project/info/', deal)
    }
    const csv = 'Deal name,Amount\nRenewal,5\n'
    const { import_id, questions } = await upload('deals', csv, { on_duplicate: 'update' })
    const [{ candidates }] = questions
    const path = `/api/imports/${import_id}/`
    for (const answer of [candidates[0].record_id, 'new', 'skip']) {
      const { body } = await call('PUT', path, { answers: { 2: answer } })
      assert.deepEqual(body.questions, questions, answer)
      assert.equal(body.checked.failed, 0)
    }
  })

  test('values as what they were chosen to be, options among them', async () => {
    const { bring, upload, contacts, call } = await fresh()
    const fields = [{ key: 'tier', type: 'select', options: ['Gold', 'Silver'] }]
    await call('PUT', '/api/modules/contacts/fields/', { fields })
    const csv = 'Name,tier\nAda,gold\nBo,Bronze\nCy,Tin\nDi,Lead\n'
    const preview = await upload('contacts', csv)
    const [{ may_add, values }] = preview.value_report
    assert.deepEqual(
      [may_add, values.map(({ value, needs_choice }: any) => [value, needs_choice])],
      [
        true,
        [
          ['Bronze', true],
          ['Tin', true],
          ['Lead', true],
          ['gold', false],
        ],
      ],
    )
    const choices = { values: { tier: { Tin: 'Silver' } }, new_options: { tier: ['Bronze'] } }
    const changed = await call('PUT', `/api/imports/${preview.import_id}/`, choices)
    const news = changed.body.value_report[0].values.filter(({ is_new }: any) => is_new)
    assert.deepEqual(
      news.map(({ value }: any) => value),
      ['Bronze'],
    )
    const done = await bring('contacts', csv, {}, choices)
    assert.deepEqual(
      done.errors.map(({ line }: any) => line),
      [5],
    )
    const found = new Map(
      (await contacts()).map((each) => [each.full_name, each.custom_fields.tier]),
    )
    assert.deepEqual(Object.fromEntries(found), {
      Ada: 'Gold',
      Bo: 'Bronze',
      Cy: 'Silver',
      Di: undefined,
    })
  })

  test('each of many deals of the same name by its company and year', async () => {
    const { bring, deals } = await fresh()
    const rowsOf = (add: number) =>
      Array.from({ length: 48 }, (_, i) => {
        const company = `Company ${i % 8}`
        const year = 2027 + Math.floor(i / 8)
        return { company, day: `${year}-03-0${1 + (i % 3)}`, amount: 100 + i + add }
      })
    const csvOf = (rows: ReturnType<typeof rowsOf>) =>
      `Deal name,Amount,Company,Close date\n${rows.map(({ company, day, amount }) => `Renewal,${amount},${company},${day}`).join('\n')}\n`
    const links = { unknown_links: 'create' }
    assert.equal((await bring('deals', csvOf(rowsOf(0)), links)).created, 48)
    const changed = rowsOf(1000).reverse()
    const done = await bring('deals', csvOf(changed), { ...links, on_duplicate: 'update' })
    assert.deepEqual([done.created, done.updated, done.failed], [0, 48, 0])
    const again = await bring('deals', csvOf(changed), { ...links, on_duplicate: 'update' })
    assert.deepEqual([again.created, again.updated, again.skipped], [0, 0, 48])
    const found = await deals()
    const amounts = new Map(changed.map(({ day, amount }) => [`${day} ${amount}`, amount]))
    for (const { forecasted_date, expected_deal_value } of found) {
      assert.equal(amounts.get(`${forecasted_date} ${expected_deal_value}`), expected_deal_value)
    }
  })

  test('a choice that is no more is asked about anew, and chosen people have names', async () => {
    const { org, upload, bring, call } = await fresh()
    const { member, manager } = org.users
    const settings = '/api/organization/settings/statuses/tasks/'
    const statuses = [{ status_name: 'Odd', category: 'not_started' }]
    await call('PUT', settings, { statuses })
    const { body: after } = await call('GET', '/api/statuses/?module=tasks')
    const odd = after.statuses.find(({ status_name }: Shown) => status_name === 'Odd')
    const csv = 'Task,Status,Task owner\nCall,Weird,Somebody\n'
    const values = {
      Status: { Weird: odd.status_key },
      'Task owner': { Somebody: member.user_id },
    }
    const reportOf = (preview: { value_report: { values: Shown[] }[] }) =>
      preview.value_report.map(({ values: [each] }) => [
        each?.becomes,
        each?.label,
        each?.needs_choice,
        each?.is_remembered,
      ])
    const chosen = await upload('tasks', csv, { values })
    const name = `member of ${org.name}`
    assert.deepEqual(reportOf(chosen), [
      [odd.status_key, 'Odd', false, false],
      [member.user_id, name, false, false],
    ])
    assert.deepEqual((await bring('tasks', csv, {}, { values })).errors, [])
    assert.deepEqual(reportOf(await upload('tasks', csv)), [
      [odd.status_key, 'Odd', false, true],
      [member.user_id, name, false, true],
    ])
    // what is chosen for this file is more than what is remembered, also that nothing is
    const nothing = { 'Task owner': { Somebody: null } }
    const left = await upload('tasks', csv, { values: nothing, on_duplicate: 'create' })
    assert.equal(left.preview[0].values.owner, undefined)
    const others = await upload('tasks', csv, {
      values: { 'Task owner': { Somebody: manager.user_id } },
    })
    assert.equal(reportOf(others)[1]?.[1], `manager of ${org.name}`)

    const [task] = (await call('GET', '/api/tasks/?page=1&items_per_page=50')).body
    await call('DELETE', `/api/tasks/${task.item_id}/`)
    const archived = { status_id: odd.status_id, is_archived: true }
    await call('PUT', settings, { statuses: [archived] })
    await call('DELETE', `/api/users/profile/${member.user_id}/`)
    const anew = await upload('tasks', csv)
    assert.deepEqual(reportOf(anew), [
      [null, null, true, false],
      [null, null, true, false],
    ])
    assert.equal(anew.checked.failed, 0)
  })

  test('a row that is left out writes nothing, whatever is wrong with it', async () => {
    const { bring, companies, contacts } = await fresh()
    const csv = 'Deal name,Company,Stage\nRenewal,Acme,No such stage\n,Globex,\n'
    const answers = { 2: 'skip', 3: 'skip' }
    const deals = await bring('deals', csv, {}, { answers })
    assert.deepEqual([deals.failed, deals.skipped, deals.created], [0, 2, 0])
    const people = 'Name,Email,Company\nAda,ada@a.example,Acme\nBo,not an address,Globex\n'
    const done = await bring('contacts', people, {}, { answers })
    assert.deepEqual([done.failed, done.skipped, done.created], [0, 2, 0])
    assert.deepEqual([await companies(), await contacts()], [[], []])
  })

  test('an answer that is no record changes none', async () => {
    const { upload, start, deals, call } = await fresh()
    const make = async () =>
      (
        await call('POST', '/api/project/info/', { project_name: 'Renewal', project_type: 'deal' })
      ).headers.get('x-record-id')!
    await make()
    const gone = await make()
    const third = await make()
    const preview = await upload('deals', 'Deal name,Amount\nRenewal,5\n', {
      on_duplicate: 'update',
    })
    await call('DELETE', `/api/project/info/${gone}/`)
    const path = `/api/imports/${preview.import_id}/`
    const { body } = await call('PUT', path, { answers: { 2: gone } })
    assert.deepEqual([body.checked.failed, body.questions.length], [1, 1])
    const done = await start(preview, { answers: { 2: gone } })
    assert.deepEqual([done.failed, done.updated], [1, 0])
    assert.match(done.errors[0].reason, /the chosen record does not exist/)
    const amounts = (await deals()).map(({ expected_deal_value }) => expected_deal_value)
    assert.deepEqual(amounts, [null, null], third)
  })

  test('a preview counts alike people as the import does', async () => {
    const { bring, upload, call } = await fresh()
    await call('POST', '/api/contact/', {
      full_name: 'Di',
      phone: '12 34',
      primary_email: 'd@x.example',
    })
    const others = Array.from({ length: 60 }, (_, at) => `Person ${at},,`)
    const csv = [
      'Name,Email,Phone',
      'Cy,,',
      'Di,d@x.example,',
      ...others,
      'Cy,,',
      'Di,,1234',
      '',
    ].join('\n')
    const { created, skipped } = (await upload('contacts', csv)).checked
    const done = await bring('contacts', csv)
    assert.deepEqual([done.created, done.skipped], [created, skipped])
    assert.deepEqual([created, skipped], [63, 1])
  })
})
