import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { dashboardMails } from '../../src/jobs/dashboard-mails.ts'
import { mailDashboards } from '../../src/records/reports/dashboard-mail.ts'
import { mailReports } from '../../src/records/reports/report-mail.ts'
import { asService } from '../support/contexts.ts'
import type { Mailbox } from '../support/mailbox.ts'
import { startMailbox } from '../support/mailbox.ts'
import { refusedField } from '../support/refused.ts'
import type { Member, TestOrganization, TestService } from '../support/service.ts'
import { makeOrganization, rows, sql, startService } from '../support/service.ts'

// Somebody chooses to get a dashboard every Monday: once a week, by their own rights, until they stop it.

describe('a dashboard by mail', () => {
  let service: TestService
  let org: TestOrganization
  let mailbox: Mailbox
  let dashboard_id = ''

  before(async () => {
    mailbox = await startMailbox()
    service = await startService({ smtpUrl: mailbox.url }, undefined, true)
    org = await makeOrganization(service)
    for (const company_name of ['One', 'Two', 'Three'])
      await call(org.users.admin, 'POST', '/api/company/', { company_name })
    dashboard_id = 'onmondays'
    await call(org.users.admin, 'POST', '/api/dashboards/info/', {
      dashboard_id,
      dashboard_name: 'Our week',
      visibility: 'public',
      widgets: [
        { widget_id: 'a', widget_type: 'new_companies' },
        { widget_id: 'b', widget_type: 'accounts_health', config: { title: 'How they are' } },
        { widget_id: 'c', widget_type: 'new_contacts', is_visible: false },
      ],
    })
  })

  async function call({ token }: Member, method: string, path: string, body?: object) {
    const reply = await service.call(method, path, { token, body })
    assert.ok(reply.status < 300, `${method} ${path}: ${reply.status} ${reply.text}`)
    return reply.body
  }
  const path = () => `/api/dashboards/info/${dashboard_id}/mail/`
  const onMonday = (monday: string) => asService(service, org, (ctx) => mailDashboards(ctx, monday))
  const mailsTo = ({ email }: Member) =>
    mailbox.received.filter(({ to_addresses }) => to_addresses.includes(email))

  test('is chosen by its reader alone, and comes once a week with the numbers of the screen', async () => {
    const { admin, member } = org.users
    assert.deepEqual(await call(admin, 'GET', path()), { is_on: false })
    assert.deepEqual(await call(admin, 'PUT', path(), { is_on: true }), { is_on: true })
    assert.deepEqual(await call(admin, 'GET', path()), { is_on: true })
    assert.deepEqual(await call(member, 'GET', path()), { is_on: false })
    assert.equal(await onMonday('2031-01-06'), 1)
    assert.equal(await onMonday('2031-01-06'), 0)
    const mail = await mailbox.next(admin.email)
    assert.match(mail.subject ?? '', /Our week/)
    const { totals } = await call(
      admin,
      'GET',
      `/api/dashboards/widget/?widget_type=new_companies&dashboard_id=${dashboard_id}`,
    )
    assert.ok(totals.count >= 3)
    assert.ok(mail.text && mail.html)
    assert.match(mail.text, new RegExp(`New companies \\| ${totals.count} \\|`))
    assert.match(mail.text, /How they are \| /)
    assert.doesNotMatch(mail.text, /New contacts/)
    assert.match(mail.html, /<table[^>]*>[\s\S]*<th scope="row"/)
    assert.match(mail.text, new RegExp(`/dashboards/${dashboard_id}`))
    assert.equal(mailsTo(member).length, 0)
    assert.equal(await onMonday('2031-01-13'), 1)
    assert.match((await mailbox.next(admin.email)).subject ?? '', /Our week/)
  })

  test('is stopped by its link', async () => {
    const { admin } = org.users
    const mail = mailsTo(admin)[0]
    assert.ok(mail)
    const stop = /\S+\/unsubscribe\/\S+/.exec(mail.text ?? '')?.[0] ?? ''
    const reply = await fetch(new URL(new URL(stop).pathname, service.url), { method: 'POST' })
    assert.ok(reply.ok, await reply.text())
    assert.deepEqual(await call(admin, 'GET', path()), { is_on: false })
    assert.equal(await onMonday('2031-01-20'), 0)
  })

  test('is not mailed to whom it is not shown any more, nor to customers', async () => {
    const { admin, member, customer } = org.users
    await call(member, 'PUT', path(), { is_on: true })
    await call(admin, 'PUT', `/api/dashboards/info/${dashboard_id}/`, { visibility: 'private' })
    const before = mailsTo(member).length
    assert.equal(await onMonday('2031-01-27'), 1)
    assert.equal(mailsTo(member).length, before)
    const hidden = await service.call('PUT', path(), { token: member.token, body: { is_on: true } })
    assert.equal(hidden.status, 404)
    const access = { access_type: 'user', access_id: customer.user_id }
    await call(admin, 'PUT', `/api/dashboards/info/${dashboard_id}/`, {
      visibility: 'restricted',
      access_list: [access],
    })
    const outside = await service.call('PUT', path(), {
      token: customer.token,
      body: { is_on: true },
    })
    assert.equal(outside.status, 403)
    refusedField(
      await service.call('PUT', path(), { token: admin.token, body: { is_on: 'yes' } }),
      ['is_on'],
    )
  })

  test('is of a saved report too: its groups, within the rights and in the language of its reader', async () => {
    const { admin, member } = org.users
    const made = await call(admin, 'POST', '/api/filters/filter/', {
      name: 'Companies by source',
      module: 'companies',
      layout: 'report',
      visibility: 'public',
      report: { by: 'creation_time', unit: 'year', measures: 'count,share' },
    })
    const of = `/api/filters/filter/${made.filter_id}/mail/`
    await call(member, 'PUT', `/api/users/profile/${member.user_id}/`, { language: 'de' })
    assert.deepEqual(await call(member, 'PUT', of, { is_on: true }), { is_on: true })
    assert.deepEqual(await call(admin, 'GET', of), { is_on: false })
    const monday = (day: string) => asService(service, org, (ctx) => mailReports(ctx, day))
    const before = mailsTo(member).length
    assert.equal(await monday('2031-02-03'), 1)
    assert.equal(await monday('2031-02-03'), 0)
    const mail = await mailbox.next(member.email)
    assert.equal(mailsTo(member).length, before + 1)
    const groups = '/api/company/groups/?by=creation_time&unit=year&measures=count'
    const { total } = await call(member, 'GET', groups)
    assert.match(mail.text ?? '', /\| Anzahl \| Anteil/)
    assert.match(
      mail.text ?? '',
      new RegExp(`${new Date().getUTCFullYear()} \\| ${total} \\| 100\\s%`),
    )
    assert.match(mail.text ?? '', new RegExp(`report=${made.filter_id}`))
    const stop = /\S+\/unsubscribe\/\S+/.exec(mail.text ?? '')?.[0] ?? ''
    const reply = await fetch(new URL(new URL(stop).pathname, service.url), { method: 'POST' })
    assert.ok(reply.ok, await reply.text())
    assert.deepEqual(await call(member, 'GET', of), { is_on: false })
    const plain = await call(admin, 'POST', '/api/filters/filter/', {
      name: 'A view',
      module: 'companies',
    })
    refusedField(
      await service.call('PUT', `/api/filters/filter/${plain.filter_id}/mail/`, {
        token: admin.token,
        body: { is_on: true },
      }),
      ['is_on'],
    )
    // the total of a report on a dashboard is in its mail
    await call(admin, 'POST', '/api/dashboards/info/', {
      dashboard_id: 'withreport',
      dashboard_name: 'With a report',
      widgets: [
        {
          widget_id: 'r',
          widget_type: 'new_companies',
          config: { report_id: made.filter_id },
        },
        { widget_id: 'h', widget_type: 'accounts_health', config: { report_id: 'health' } },
        { widget_id: 'p', widget_type: 'activities', config: { report_id: 'plan' } },
      ],
    })
    await call(admin, 'PUT', '/api/dashboards/info/withreport/mail/', { is_on: true })
    // the member's, whom it is not shown any more, is gone through too
    assert.equal(await onMonday('2031-02-10'), 2)
    const whole = await mailbox.next(admin.email)
    assert.match(whole.text ?? '', new RegExp(`Companies by source \\| ${total} \\|`))
    const health = await call(admin, 'GET', '/api/reports/health/')
    const healthy = health.rows.at(-1).values[
      health.columns.findIndex(({ key }: { key: string }) => key === 'healthy')
    ] as number
    assert.match(whole.text ?? '', new RegExp(`Healthy accounts \\| ${healthy} \\|`))
    await call(admin, 'PUT', '/api/dashboards/info/withreport/mail/', { is_on: false })
  })

  test('comes on Monday morning, in the zone of the organization', async () => {
    const { admin } = org.users
    await call(admin, 'PUT', path(), { is_on: true })
    const at = (time: string) =>
      dashboardMails({ ...service.runtime, now: () => new Date(`${time}:00Z`) })
    const weekOf = async () => {
      const [found] = await rows(
        service,
        sql`select week::text from dashboard_mails
          where organization_id = ${org.id} and user_id = ${admin.user_id}`,
      )
      return found?.week as string | null
    }
    await at('2032-01-04T12:00')
    assert.notEqual(await weekOf(), '2032-01-04')
    await at('2032-01-05T12:00')
    assert.equal(await weekOf(), '2032-01-05')
  })
})
