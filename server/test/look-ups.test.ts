import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { runAutomation } from '../src/records/surveys/automations/run.ts'
import type { Enqueued } from '../src/jobs/work.ts'
import { runJob } from '../src/jobs/work.ts'
import type { Job } from '../src/kit/ground/job.ts'
import { asService } from './support/contexts.ts'
import { connectApp } from './support/integration.ts'
import { refused, refusedField } from './support/refused.ts'
import type { Reply, TestOrganization, TestService } from './support/service.ts'
import { makeOrganization, sql, startService } from './support/service.ts'

// Whom and what a caller may find by an e-mail, a name or a domain, in every place that takes one.

describe('records that are named', () => {
  let service: TestService
  let org: TestOrganization
  let token: string
  /** a user whom nobody of a customer sees, and a task of theirs that everybody sees */
  let hidden: { user_id: string; email: string; full_name: string }

  const nobody = { email: 'nobody@acme.test', full_name: 'No Body' }
  const list = 'page=1&items_per_page=50'

  const call = (method: string, path: string, body?: unknown, as = token) =>
    service.call(method, path, { token: as, body })
  const done = async (method: string, path: string, body?: unknown, as = token) => {
    const reply = await call(method, path, body, as)
    assert.ok(reply.status < 300, `${method} ${path} ${reply.status} ${reply.text}`)
    return reply
  }
  const make = async (path: string, body: object, as?: string) =>
    (await done('POST', path, body, as)).headers.get('x-record-id')!
  const filtered = (path: string, field: string, operator: string, value: unknown, as: string) => {
    const filter = JSON.stringify([{ field, operator, value }])
    return call('GET', `${path}?${list}&filter=${encodeURIComponent(filter)}`, undefined, as)
  }

  /** Gives the member a role with these levels; the token stays theirs. */
  async function memberWith(permission: object): Promise<string> {
    const role_name = `role ${Math.random()}`
    const role = await done('POST', '/api/users/role/', { role_name, permission })
    const { member } = org.users
    await done('PUT', `/api/users/profile/${member.user_id}/`, { role_id: role.body.role_id })
    return member.token
  }

  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
    token = org.users.admin.token
    const { manager } = org.users
    hidden = { ...manager, full_name: `manager of ${org.name}` }
  })

  describe('people, in the parameters of lists', () => {
    const lists = [
      ['/api/tasks/', 'owner'],
      ['/api/tasks/groups/', 'owner', 'by=priority&items=9'],
      ['/api/milestones/', 'owner'],
      ['/api/activity/log/', 'created_by'],
    ] as const

    test('are found by id, me, e-mail and name, and nobody is 400 that names the parameter', async () => {
      const { manager } = org.users
      const project = await make('/api/project/info/', {
        project_name: 'P',
        project_type: 'project',
      })
      const task = { title: 'Theirs', project_id: project, owner: hidden.user_id }
      await make('/api/tasks/', task)
      const milestones = `/api/project/info/${project}/milestones/`
      await done('POST', milestones, { name: 'Theirs', owner: hidden.user_id })
      await make('/api/tasks/', { title: 'Made by them' }, manager.token)
      for (const [path, name, more = list] of lists) {
        const ask = (word: string, as = token) =>
          call('GET', `${path}?${more}&${name}=${encodeURIComponent(word)}`, undefined, as)
        const byId = (await ask(hidden.user_id)).text
        assert.notEqual(byId, '[]', path)
        for (const word of [hidden.email, hidden.email.toUpperCase(), hidden.full_name])
          assert.equal(shape((await ask(word)).text), shape(byId), `${path} ${word}`)
        assert.equal(shape((await ask('me', manager.token)).text), shape(byId), path)
        for (const word of Object.values(nobody)) refusedField(await ask(word), [name])
      }
    })

    test('are like nobody to who may not look them up', async () => {
      for (const as of [
        org.users.customer.token,
        await memberWith({
          tasks: { read: 'own' },
          projects: { read: 'own' },
          activity: { read: 'all' },
        }),
      ]) {
        for (const [path, name, more = list] of lists) {
          const ask = (word: string) =>
            call('GET', `${path}?${more}&${name}=${encodeURIComponent(word)}`, undefined, as)
          for (const key of ['email', 'full_name'] as const) {
            const [known, unknown] = [await ask(hidden[key]), await ask(nobody[key])]
            assert.deepEqual(learned(known), learned(unknown), path)
          }
        }
      }
    })

    const learned = ({ status, body }: Reply) => (status === 200 ? body : [status, body.code])
    // the log shows times such as "2 minutes ago"
    const shape = (text: string) => text.replace(/"(time_ago|live_position)":"[^"]*"/g, '')
  })

  describe('people, in conditions', () => {
    const fields = ['owner', 'created_by', 'project_owner', 'company_owner', 'account_owner']
    const operators = ['eq', 'neq', 'in', 'not_in']

    test('are like nobody to who may not look them up, whatever the field and operator', async () => {
      const members = {
        tasks: { read: 'own' },
        contacts: { read: 'own' },
        companies: { read: 'own' },
        projects: { read: 'own' },
        filters: { read: 'all', create: 'all' },
      }
      let compared = 0
      for (const as of [org.users.customer.token, await memberWith(members)]) {
        for (const path of [
          '/api/tasks/',
          '/api/project/info/',
          '/api/company/',
          '/api/contact/',
        ]) {
          for (const field of [...fields, 'company.company_owner', 'account.account_owner']) {
            for (const operator of operators) {
              const answers = [hidden.email, nobody.email, hidden.full_name, nobody.full_name].map(
                async (word) => {
                  const value = operator.endsWith('in') ? [word] : word
                  const { status, text } = await filtered(path, field, operator, value, as)
                  return [status, status === 200 ? text : '']
                },
              )
              const [mail, noMail, name, noName] = await Promise.all(answers)
              assert.deepEqual([mail, name], [noMail, noName], `${path} ${field} ${operator}`)
              if (mail?.[0] === 200) compared++
            }
          }
        }
      }
      assert.ok(compared > 20, `${compared} lists`)
    })

    test('and are found by who sees them in the record', async () => {
      const owner = org.users.member.user_id
      const id = await make('/api/tasks/', { title: 'Seen', owner })
      const as = await memberWith({ tasks: { read: 'own' } })
      const reply = await filtered('/api/tasks/', 'owner', 'eq', org.users.member.email, as)
      assert.ok(reply.body.some((each: { item_id: string }) => each.item_id === id))
      assert.equal((await filtered('/api/tasks/', 'owner', 'eq', 'me', as)).text, reply.text)
    })

    test('and in saved filters and bodies alike', async () => {
      const as = await memberWith({
        tasks: { read: 'all', create: 'all', update: 'all' },
        filters: { read: 'all', create: 'all' },
      })
      const both = async (ask: (person: string) => Promise<{ status: number; text: string }>) => {
        const [known, unknown] = [await ask(hidden.email), await ask(nobody.email)]
        const without = (text: string) =>
          text
            .replaceAll(hidden.email, '')
            .replaceAll(nobody.email, '')
            .replace(/"\w{25}"/g, '')
        assert.equal(known.status, unknown.status, `${known.text} ${unknown.text}`)
        return [without(known.text), without(unknown.text)]
      }
      const conditions = (word: string) => [{ field: 'created_by', operator: 'eq', value: word }]
      await both((word) =>
        call(
          'POST',
          '/api/filters/filter/',
          {
            filter_name: word,
            module: 'tasks',
            conditions: conditions(word),
            visibility: 'private',
          },
          as,
        ),
      )
      const tasks = (owner: unknown) => call('POST', '/api/tasks/', { title: 'T', owner }, as)
      for (const body of [(word: string) => word, (email: string) => ({ email })]) {
        const [known, unknown] = await both((word) => tasks(body(word)))
        assert.equal(known, unknown)
      }
      await both((word) => call('POST', '/api/tasks/', { title: 'T', users: [word] }, as))
      const own = await tasks({ email: org.users.member.email })
      assert.equal(own.status, 201, own.text)
    })
  })

  test('companies are not found by a domain that an app does not read', async () => {
    const company_id = await make('/api/company/', {
      company_name: 'Closed',
      domain: 'closed.test',
    })
    await make('/api/contact/', { full_name: 'Of Closed', company_id })
    const app = await connectApp(service, org, { scopes: ['contact.read', 'contact.write'] })
    const found = async (value: string) => {
      const filter = JSON.stringify([{ field: 'company', operator: 'eq', value }])
      const reply = await app.call('GET', '/automation/contact', { query: { filter } })
      assert.equal(reply.status, 200, reply.text)
      return reply.body.results.map((each: { full_name: string }) => each.full_name)
    }
    assert.deepEqual(await found('closed.test'), [])
    assert.deepEqual(await found('nothing.test'), [])
    assert.deepEqual(await found('closed'), ['Of Closed'])
    assert.deepEqual(await found('Nothing'), [])
    assert.deepEqual(await found(company_id), ['Of Closed'])
    for (const domain of ['closed.test', 'nothing.test']) {
      const body = { full_name: 'New', company: { domain } }
      const reply = await app.call('POST', '/automation/contact', { body })
      assert.deepEqual([reply.status, reply.body.code], [403, 'missing_scope'], reply.text)
    }
  })

  describe('contacts, in the runs of an automation', () => {
    test('whose author may not read them are like nobody', async () => {
      const levels = { read: 'all', create: 'all', update: 'all' }
      const none = await memberWith({ surveys: levels, contacts: { update: 'all' } })
      const contact = { full_name: 'Hidden', primary_email: 'hidden@acme.test', tags: ['seen'] }
      await make('/api/contact/', contact)
      assert.deepEqual(await runsOf(none), ['done', 'done', 'done'])
      const noRight = await memberWith({ surveys: levels })
      assert.deepEqual(
        await runsOf(noRight),
        Array.from({ length: 3 }, () => 'failed Your role may not update contacts'),
      )
    })

    /** What the log of runs says for a contact with the tag, one without, and nobody. */
    async function runsOf(as: string): Promise<string[]> {
      await done('POST', '/api/contact/', {
        full_name: 'Other',
        primary_email: `other-${Math.random()}@acme.test`,
      })
      const fields = [{ id: 'why', type: 'long-text', label: 'Why?' }]
      const survey = await done('POST', '/api/surveys/', {
        name: 'Why?',
        form_structure: [{ title: 'One', fields }],
        status: 'published',
      })
      const { survey_id } = survey.body
      const trigger = { type: 'response_submitted' }
      const actions = [{ type: 'add_tag', config: { tag: 'seen' } }]
      const body = { name: 'Tag', trigger, actions }
      await done('POST', `/api/surveys/${survey_id}/automations_save/`, body, as)
      const outcomes: string[] = []
      for (const respondent_email of ['hidden@acme.test', 'other@acme.test', 'nobody@acme.test']) {
        const answers = { why: 'Because' }
        await done('POST', `/api/surveys/${survey_id}/fill/`, { answers, respondent_email })
        await runWaiting()
        const runs = await done('GET', `/api/surveys/${survey_id}/automations/runs/`)
        const [run] = runs.body
        outcomes.push([run.status, run.error].filter(Boolean).join(' '))
      }
      return outcomes
    }

    async function runWaiting() {
      const waiting = await asService(service, org, (ctx) =>
        ctx.all<Enqueued>(sql`delete from asked_jobs
          where organization_id = ${org.id} and name = ${runAutomation.name}
          returning organization_id, id, user_id, source, data`),
      )
      assert.equal(waiting.length, 1)
      for (const each of waiting)
        await runJob(service.runtime, runAutomation as Job, each, new AbortController().signal)
    }
  })

  test('the preview of a merge shows no company that its reader may not read', async () => {
    const company_id = await make('/api/company/', { company_name: 'Unread' })
    const primary_id = await make('/api/contact/', { full_name: 'One' })
    const other = await make('/api/contact/', { full_name: 'Two', company_id })
    const levels = { read: 'all', create: 'all', update: 'all', delete: 'all' }
    const as = await memberWith({ contacts: levels })
    const body = { primary_id, merge_ids: [other], dry_run: true }
    const reply = await done('POST', '/api/contact/merge/', body, as)
    assert.ok(!reply.text.includes('Unread') && !reply.text.includes(company_id), reply.text)
    const whole = await done('POST', '/api/contact/merge/', body)
    assert.ok(whole.text.includes('Unread'))
  })

  test('a project that its author does not see is no target of an automation', async () => {
    const project_id = await make('/api/project/info/', {
      project_name: 'P',
      project_type: 'project',
    })
    const as = await memberWith({ surveys: { read: 'all', create: 'all', update: 'all' } })
    const survey = await done('POST', '/api/surveys/', { name: 'S', form_structure: [] })
    for (const id of [project_id, 'nothing']) {
      const actions = [{ type: 'create_task', config: { title: 'T', project_id: id } }]
      const body = { name: 'A', trigger: { type: 'closed' }, actions }
      refused(
        await call('POST', `/api/surveys/${survey.body.survey_id}/automations_save/`, body, as),
        400,
      )
    }
  })
})
