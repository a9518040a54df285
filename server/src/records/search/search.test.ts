import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { refusedField } from '../../../test/support/refused.ts'
import type { TestOrganization, TestService } from '../../../test/support/service.ts'
import { makeOrganization, rows, sql, startService } from '../../../test/support/service.ts'
import { rememberWords } from '../../jobs/search-words.ts'
import { distance, nearest } from './typos.ts'

type Result = { module: string; id: string; title: string; matched: string; score: number }

describe('search', () => {
  let service: TestService
  let org: TestOrganization
  let other: TestOrganization

  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
    other = await makeOrganization(service)
    for (const name of ['Zebulon Quartermaine', 'Zebulon Quint', 'Ann Zebulon', 'José Müller'])
      await make('/api/contact/', { full_name: name })
    await make('/api/contact/', { full_name: 'Ada L', primary_email: 'ada.love_42@engine.test' })
    await make('/api/company/', { company_name: 'Quartermaine & Sons', domain: 'quarter.test' })
    await make('/api/tags/info/', { tag_name: 'Zebulon' })
    await make('/api/account/info/', { account_name: 'Quartermaine Holding' })
    await make('/api/tasks/', { title: 'Call Quartermaine back' })
    await make('/api/contact/', { full_name: 'Zebulon Elsewhere' }, other)
  })

  test('finds records of every kind, the best first', async () => {
    const found = await titles('zebulon')
    assert.deepEqual(found.slice(0, 1), ['Zebulon'])
    assert.deepEqual(new Set(found.slice(1, 3)), new Set(['Zebulon Quint', 'Zebulon Quartermaine']))
    assert.deepEqual(found.slice(3), ['Ann Zebulon'])
    const kinds = (await ask('quartermaine')).map(({ module }) => module)
    assert.deepEqual(new Set(kinds), new Set(['accounts', 'companies', 'contacts', 'tasks']))
  })

  test('forgives typing mistakes', async () => {
    for (const typed of [
      'Zebulno Quatermaine',
      'zebulon quartremaine',
      'zebuln quart',
      'Zebbulon quar',
    ])
      assert.equal((await titles(typed))[0], 'Zebulon Quartermaine', typed)
    assert.equal((await titles('qartermaine sons'))[0], 'Quartermaine & Sons')
    assert.deepEqual(await titles('completely different'), [])
  })

  test('sees past case, accents, punctuation and the order of words', async () => {
    for (const typed of ['JOSE muller', 'josé  MÜLLER', 'müller, josé', 'mul jo'])
      assert.deepEqual(await titles(typed), ['José Müller'], typed)
    for (const typed of ['ada.love_42@engine.test', 'love_42@eng', 'engine.test', 'ove_4'])
      assert.deepEqual(await titles(typed), ['Ada L'], typed)
    assert.deepEqual(await titles('%'), [])
    assert.deepEqual(await titles(`o'brien \\ "%_`), [])
  })

  test('says where it was found and how well', async () => {
    const [ada] = await ask('engine')
    const { id, score, ...rest } = ada!
    assert.match(id, /^\w{25}$/)
    assert.ok(score > 0 && score < 1)
    assert.deepEqual(rest, {
      module: 'contacts',
      module_id: 5,
      title: 'Ada L',
      subtitle: 'ada.love_42@engine.test',
      matched: 'primary_email',
      parent: null,
    })
    const [tag] = await ask('zebulon', '&modules=tags')
    assert.deepEqual(
      [tag!.module, (tag as any).module_id, tag!.matched, (tag as any).subtitle],
      ['tags', null, 'tag_name', null],
    )
    assert.ok(tag!.score > 0.98)
  })

  test('folds hyphens', async () => {
    const project = await make('/api/project/info/', { project_name: 'Rollout of Kick-off' })
    await make('/api/tasks/', { title: 'Kick‑off agenda', project_id: project })
    await make('/api/contact/', { full_name: 'Jean-Luc Pic' })
    for (const typed of ['kickoff', 'kick-off', 'kick off', 'KICKOFF']) {
      const found = await titles(typed)
      assert.ok(found.includes('Rollout of Kick-off') && found.includes('Kick‑off agenda'), typed)
    }
    const [found] = await ask('jeanluc')
    assert.deepEqual([found!.title, found!.matched], ['Jean-Luc Pic', 'full_name'])
    // a renamed one is no longer found by its old name
    await service.call('PUT', `/api/project/info/${project}/`, {
      token: org.users.admin.token,
      body: { project_name: 'Rollout' },
    })
    assert.ok(!(await titles('kickoff')).includes('Rollout'))
  })

  test('says what a task, a milestone and a comment belong to, to whoever may read that', async () => {
    const { member, admin } = org.users
    const project = await make('/api/project/info/', {
      project_name: 'Parentage',
      visible_to_all: false,
    })
    const deal = await make('/api/project/info/', { project_name: 'Sale', project_type: 'deal' })
    const account = await make('/api/account/info/', { account_name: 'Parent account' })
    await make('/api/tasks/', {
      title: 'Xylophone one',
      project_id: project,
      owner: member.user_id,
    })
    await make('/api/tasks/', { title: 'Xylophone two', project_id: deal })
    await make('/api/tasks/', { title: 'Xylophone three', account_id: account })
    await make('/api/tasks/', { title: 'Xylophone four' })
    await make(`/api/project/info/${project}/milestones/`, { name: 'Xylophone step' })
    const company = await make('/api/company/', { company_name: 'Commented' })
    const about = { module_name: 'companies', reference_id: company }
    await make('/api/interactions/info/', { ...about, content: 'Xylophone, said a comment' })
    const parents = async (token: string) => {
      const reply = await service.call('GET', '/api/search/?q=xylophone', { token })
      assert.equal(reply.status, 200, reply.text)
      return Object.fromEntries(
        reply.body.results.map(({ title, parent }: any) => [title, parent]),
      ) as { [title: string]: unknown }
    }
    const of = { module: 'projects', id: project, title: 'Parentage' }
    assert.deepEqual(await parents(admin.token), {
      'Xylophone one': of,
      'Xylophone two': { module: 'deals', id: deal, title: 'Sale' },
      'Xylophone three': { module: 'accounts', id: account, title: 'Parent account' },
      'Xylophone four': null,
      'Xylophone step': of,
      'Xylophone, said a comment': { module: 'companies', id: company, title: 'Commented' },
    })
    const theirs = await parents(member.token)
    for (const shown of Object.values(theirs)) assert.notDeepEqual(shown, of)
  })

  test('searches only the modules requested', async () => {
    assert.deepEqual(await kinds('quartermaine', 'companies'), ['companies'])
    assert.deepEqual(await kinds('quartermaine', '4, task'), ['companies', 'tasks'])
    assert.deepEqual(await kinds('quartermaine', 'company'), ['companies'])
    assert.deepEqual(await kinds('quartermaine', 'meetings'), [])
    for (const modules of ['13', 'nothing', 'contacts,,tasks']) {
      const reply = await call(`q=x&modules=${modules}`)
      refusedField(reply, ['modules'])
    }
  })

  test('refuses what it cannot look for', async () => {
    for (const query of ['', 'q=', `q=${'x'.repeat(201)}`, 'q=%20'])
      refusedField(await call(query), ['q'])
    refusedField(await call('q=x&items_per_page=501'), ['items_per_page'])
    refusedField(await call('q=x&page=0'), ['page'])
    assert.equal((await call(`q=${'x'.repeat(200)}`)).status, 200)
    const anonymous = await service.call('GET', '/api/search/?q=x')
    assert.equal(anonymous.status, 401)
  })

  test('returns pages without gaps', async () => {
    const whole = await ask('zebulon')
    const pages: Result[] = []
    for (let page = 1; ; page++) {
      const reply = await call(`q=zebulon&items_per_page=1&page=${page}`)
      assert.equal(reply.status, 200, reply.text)
      assert.equal(reply.headers.get('x-page'), String(page))
      pages.push(...reply.body.results)
      if (!reply.body.has_more) break
    }
    assert.deepEqual(pages, whole)
    assert.deepEqual((await call('q=zebulon&page=9')).body, { results: [], has_more: false })
  })

  test('follows changes, deletion and restoring', async () => {
    const id = await make('/api/contact/', { full_name: 'Marmaduke Old' })
    const is = async (q: string) => (await ask(q)).map((one) => one.id)
    assert.deepEqual(await is('marmaduke'), [id])
    const path = `/api/contact/${id}/`
    const { token } = org.users.admin
    await service.call('PUT', path, { token, body: { full_name: 'Hyacinth New' } })
    assert.deepEqual([await is('marmaduke old'), await is('hyacinht')], [[], [id]])
    await service.call('DELETE', path, { token })
    assert.deepEqual(await is('hyacinth'), [])
    await service.call('POST', `${path}restore/`, { token })
    assert.deepEqual(await is('hyacinth'), [id])
  })

  test('shows a page of what has hundreds of matches, each once', async () => {
    const many = 40
    for (let i = 0; i < many; i++) await make('/api/tags/info/', { tag_name: `Plenty ${i}` })
    const found = await ask('plenty', '&items_per_page=500')
    assert.equal(new Set(found.map(({ id }) => id)).size, many)
    assert.equal(found.length, many)
  })

  test('guesses from a list of words in a large organization', async () => {
    const home = await makeOrganization(service)
    for (const full_name of ['Marigold Featherstone', 'Basil Marigold'])
      await make('/api/contact/', { full_name }, home)
    // the people of the organization have entries too
    assert.ok((await rememberWords(service.runtime, 3)) > 3)
    assert.equal(await rememberWords(service.runtime, 3), 0)
    const [{ known } = { known: [] }] = await rows<{ known: string[] }>(
      service,
      sql`select json_agg(word) as known from search_words where organization_id = ${home.id}`,
    )
    for (const word of ['marigold', 'basil', 'featherstone']) assert.ok(known.includes(word), word)
    const find = async (q: string) => {
      const reply = await call(`q=${encodeURIComponent(q)}`, home.users.admin.token)
      return reply.body.results.map(({ title }: Result) => title)
    }
    assert.deepEqual(await find('fetherstone'), ['Marigold Featherstone'])
    assert.deepEqual(await find('basl marigodl'), ['Basil Marigold'])
    // not there yet when the list was made
    await make('/api/contact/', { full_name: 'Hollis Pepperell' }, home)
    assert.deepEqual(await find('peperell'), [])
    assert.deepEqual(await find('pepperell'), ['Hollis Pepperell'])
    await rememberWords(service.runtime, 3)
    assert.deepEqual(await find('peperell'), ['Hollis Pepperell'])
  })

  test('candidates for a list are of its own organization and type, or none if there are too many', async () => {
    const [large, small] = [await makeOrganization(service), await makeOrganization(service)]
    const named = (home: TestOrganization, full_name: string) =>
      make('/api/contact/', { full_name }, home)
    const ids = [await named(large, 'Ottilie Wren'), await named(large, 'Wren Ottilie')]
    await make('/api/company/', { company_name: 'Ottilie Wren' }, large)
    await rememberWords(service.runtime, 3)
    const theirs: string[] = []
    for (let i = 0; i < 5; i++) theirs.push(await named(small, `Ottilie Wren ${i}`))
    const narrow = async (home: TestOrganization, needle: string, most: number) => {
      const reads = service.runtime.database.reads(home.id)
      const row = await reads.one<{ ids: string[] | null }>(
        sql`select array_to_json(search_ids('contacts', ${needle}, ${most})) as ids`,
      )
      return row!.ids?.toSorted() ?? null
    }
    for (const home of [large, small]) {
      const its = home === large ? ids : theirs
      // all that has the words is looked at, or only the first few of them
      for (const most of [its.length, 100]) {
        assert.deepEqual(await narrow(home, 'Ttilie', most), its.toSorted())
        assert.deepEqual(await narrow(home, 'wren OTTILIE', most), its.toSorted())
      }
      if (home === small) assert.deepEqual(await narrow(home, 'wren 0', 100), [its[0]])
      assert.equal(await narrow(home, 'ottilie', its.length - 1), null)
      assert.deepEqual(await narrow(home, 'ottilie nobody', 100), [])
    }
  })

  test('mistakes are letters left out, put in, mistaken or swapped', () => {
    const away = [
      ['john', 'jonh'],
      ['john', 'jon'],
      ['john', 'johan'],
      ['smith', 'smyth'],
    ] as const
    for (const [a, b] of away) assert.equal(distance(a, b), 1)
    assert.equal(distance('quartermaine', 'quatremaine'), 2)
    assert.equal(distance('', 'abc'), 3)
    assert.deepEqual(nearest('jonh', ['john', 'jona', 'jonah', 'jane', 'jonh'], 5), [
      'john',
      'jona',
      'jonah',
    ])
    assert.deepEqual(nearest('ann', ['anna'], 5), [])
  })

  const call = (query: string, token = org.users.admin.token) =>
    service.call('GET', `/api/search/?${query}`, { token })

  async function ask(q: string, more = ''): Promise<Result[]> {
    const reply = await call(`q=${encodeURIComponent(q)}${more}`)
    assert.equal(reply.status, 200, reply.text)
    return reply.body.results
  }

  async function titles(q: string) {
    return (await ask(q)).map(({ title }) => title)
  }

  async function kinds(q: string, modules: string) {
    return (await ask(q, `&modules=${modules}`)).map(({ module }) => module).sort()
  }

  async function make(path: string, body: object, home = org): Promise<string> {
    const reply = await service.call('POST', path, { token: home.users.admin.token, body })
    assert.ok(reply.status < 300, `${path} ${reply.text}`)
    return reply.headers.get('x-record-id')!
  }
})
