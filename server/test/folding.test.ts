import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import fc from 'fast-check'
import { foldedLetters, foldedText, foldedWords, holds, piecesOf } from '../src/kit/ground/fold.ts'
import { depth } from './support/depth.ts'
import type { TestOrganization, TestService } from './support/service.ts'
import { makeOrganization, rows, sql, startService } from './support/service.ts'

/** What is typed, and the name that it must find wherever names are looked for. */
const pairs: [typed: string, stored: string][] = [
  // case
  ['ada lovelace', 'Ada Lovelace'],
  ['GRACE HOPPER', 'Grace Hopper'],
  ['москва строй', 'Москва Строй'],
  ['σοφος αθηνα', 'ΣΟΦΟΣ ΑΘΗΝΑ'],
  ['ΟΔΥΣΣΕΥΣ', 'Οδυσσεύς'],
  // accents
  ['muller anke', 'Anke Müller'],
  ['Jose Garcia', 'José García'],
  ['françois', 'Francois'],
  ['Nguyen Van', 'Nguyễn Văn'],
  ['Dvorak', 'Dvořák'],
  ['Angstrom Ltd', 'Ångström Ltd'],
  ['сергеи елкин', 'Сергей Ёлкин'],
  ['Ionita', 'Ioniță'],
  ['Sao Paulo', 'São Paulo'],
  // letters that Unicode does not take apart
  ['soren kierkegaard', 'Søren Kierkegaard'],
  ['Lodz', 'Łódź'],
  ['Dang Thi', 'Đặng Thị'],
  ['Aeroskobing', 'Ærøskøbing'],
  ['Oeuvre', 'Œuvre'],
  ['Strasse', 'Straße'],
  ['STRASSENBAU', 'Straßenbau'],
  ['GROẞE', 'Grosse'],
  ['Thor Gudmundsson', 'Þór Guðmundsson'],
  ['Isik', 'Işık'],
  ['ISTANBUL', 'İstanbul'],
  ['istanbul', 'ISTANBUL'],
  ['Zurrieq', 'Żurrieq'],
  ['Hal Qormi', 'Ħal Qormi'],
  // quotes, dashes, hyphens and blanks
  ["O'Brien", 'O’Brien'],
  ['O’Neill', "O'Neill"],
  ['"Sunrise" Hotel', '„Sunrise“ Hotel'],
  ['«Zarya»', '"Zarya"'],
  ['Jean Luc', 'Jean-Luc'],
  ['Anna-Lena', 'Anna Lena'],
  ['Kick-off', 'Kick‑off'],
  ['North - South', 'North – South'],
  ['West—East', 'West - East'],
  ['Blue  Sky', 'Blue Sky'],
  ['Green Field', 'Green\u00a0Field'],
  ['soft ware', 'Soft\u00a0-\u00a0Ware'],
  ['Hyphenation', 'Hyphen\u00adation'],
  ['zero width', 'Zero\u200b Width'],
  // forms of Unicode
  ['Zoë', 'Zoe\u0308'],
  ['Re\u0301gis', 'Régis'],
  ['Full Width', 'Ｆｕｌｌ Ｗｉｄｔｈ'],
  ['Office', 'Oﬃce'],
  ['Room 1', 'Room ①'],
  ['Kelvin', '\u212aelvin'],
  ['ｶﾀｶﾅ', 'カタカナ'],
  ['Acme', 'Acme™'],
  // Arabic
  ['احمد', 'أحمد'],
  ['إبراهيم', 'ابراهيم'],
  ['امال', 'آمال'],
  ['مكتبه', 'مكتبة'],
  ['على', 'علي'],
  ['محمد', 'مـحـمـد'],
  ['مُحَمَّد صالح', 'محمد صالح'],
  ['شركة ١٢', 'شركه 12'],
  ['کریم', 'كريم'],
  // words in any order
  ['Lovelace, Ada', 'Ada Lovelace'],
  ['Robotics Vega Nord', 'Nord Vega Robotics'],
  ['Castro Inés de', 'Inés de Castro'],
  ['müller, jürgen', 'Jurgen Muller'],
]

/** What must not be found. */
const others: [typed: string, stored: string][] = [
  ['Mueller', 'Müller'],
  ['Ada Lovelock', 'Ada Lovelace'],
  ['Tasks', 'Task'],
  ['Acme Beta', 'Acme'],
  ['Boris', 'Doris'],
  ['كتاب', 'مكتبة'],
  ['Lodź Nord', 'Łódź'],
  ['x', 'ß'],
]

describe('one way of comparing texts', () => {
  let service: TestService
  let org: TestOrganization

  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
  })

  test('is the same in SQL and in TypeScript', async () => {
    const alphabet = [
      [
        'aAzZ09 -_.,;\'"@%&/()[]{}~^`|\\#+*=<>?!:$\t\n',
        'ÄäÖöÜüßẞÉéÈèÇçÑñÅåØøÆæŒœÐðÞþŁłĐđŠšŽžİıĞğŞşŐőŰűĦħŦŧŊŋſ',
      ],
      ['ΑαΆάΣσςΩωΐΰ', 'АаБбЁёЙйЇїҐґЂђ', 'אבגדהוזְּׁ֑', 'اأإآٱةهىيكکیےہھؤئء٠١٩۰۹ًٌٍَُِّْـٰ،؛؟'],
      [
        'ｆＦﬁﬃ①²ªº™®©℠…µÅK',
        '‘’‚‛“”„‟«»‹›′″´ʼ‐‑‒–—―−﹣－\u00a0\u00ad\u200b\u200d\u2028\u3000\u0300\u0301\u0308\u0327\u0345',
      ],
      ['日本語カタカナがガｶﾞ한국어', 'नमस्ते', 'ไทย', '😀👩‍💻🇩🇪', '、。「」《》'],
    ].flat()
    const word = fc.array(fc.oneof(...alphabet.map((all) => fc.constantFrom(...Array.from(all)))), {
      maxLength: 12,
    })
    const samples = fc
      .sample(word, { numRuns: depth(4000, 40_000), seed: 38 })
      .map((each) => each.join(''))
    const texts = [...samples, ...pairs.flat()]
    const found = await rows<{ letters: string; text: string; words: string; held: boolean }>(
      service,
      sql`select folded_letters(t) as letters, folded_text(t) as text, folded_words(t) as words,
          folded_holds(t, array[folded_letters(left(o, 3))]) as held
        from unnest(${texts}::text[], ${[...texts.slice(1), '']}::text[]) with ordinality as u (t, o, n) order by n`,
    )
    for (const [i, text] of texts.entries()) {
      const piece = foldedLetters(
        Array.from(texts[i + 1] ?? '')
          .slice(0, 3)
          .join(''),
      )
      assert.deepEqual(
        found[i],
        {
          letters: foldedLetters(text),
          text: foldedText(text),
          words: foldedWords(text).join(' '),
          held: holds(text, [piece]),
        },
        JSON.stringify(text),
      )
      assert.equal(foldedLetters(foldedLetters(text)), foldedLetters(text), JSON.stringify(text))
    }
  })

  test('takes no longer for a letter with a hundred thousand marks than for other letters', async () => {
    // each of these is to stand before the one in front of it: in order by swapping neighbours, that would take an hour
    const texts = ['\u0315\u0300', '\u0f72\u0f71', '\u094d\u093c'].flatMap((marks) => [
      `e${marks.repeat(100_000)}`,
      `e${marks.repeat(25)} `.repeat(4000),
    ])
    for (const text of texts) {
      const [found] = await rows<{ letters: string; terms: number }>(
        service,
        sql`select folded_letters(t) as letters, cardinality(filter_text_terms('x', t)) as terms
          from (values (${text}::text)) v (t)`,
      )
      assert.ok(found!.letters === foldedLetters(text))
    }
  })

  test('finds the same in lists, choosers, filters, references and the search', async () => {
    assert.ok(pairs.length >= 60)
    const missed: string[] = []
    for (const [typed, stored] of pairs) {
      const company_id = await company(stored)
      const found = await ways(typed, stored, company_id)
      for (const [way, isFound] of Object.entries(found)) {
        if (!isFound) missed.push(`${typed} → ${stored}: ${way}`)
      }
      await call('DELETE', `/api/company/${company_id}/`)
    }
    assert.deepEqual(missed, [])
  })

  test('does not find what is another name', async () => {
    const wrong: string[] = []
    for (const [typed, stored] of others) {
      const company_id = await company(stored)
      const found = await ways(typed, stored, company_id)
      for (const [way, isFound] of Object.entries(found)) {
        // the search corrects names
        if (isFound && way !== 'search') wrong.push(`${typed} → ${stored}: ${way}`)
      }
      await call('DELETE', `/api/company/${company_id}/`)
    }
    assert.deepEqual(wrong, [])
  })

  test('q finds people by the digits of a phone, and records by their number', async () => {
    const abroad = await contact({ full_name: 'Country Code', phone: '+49 (0)170 123 4567' })
    const home = await contact({ full_name: 'No Country', whatsapp_number: '0171/7654321' })
    for (const typed of ['0170 123', '+49 170 1234567', '0049-170-123', '(0170) 1234', '170123'])
      assert.deepEqual([typed, await found('contact', typed)], [typed, [abroad]])
    for (const typed of ['0171 765', '+49 171 7654', '1717654321'])
      assert.deepEqual([typed, await found('contact', typed)], [typed, [home]])
    assert.deepEqual(await found('contact', '0172 123'), [])
    const numbered = await contact({ full_name: 'Numbered', display_id: 'C-2041' })
    assert.deepEqual(await found('contact', 'c 2041'), [numbered])
    const matched = async (typed: string) => {
      const { body } = await call('GET', `/api/search/?q=${encodeURIComponent(typed)}`)
      return body.results.map((each: any) => [each.id, each.matched])
    }
    assert.deepEqual(await matched('C‑2041'), [[numbered, 'display_id']])
    assert.deepEqual(await matched('0170 1234567'), [[abroad, 'phone']])
    assert.deepEqual(await matched('+49 171 7654'), [[home, 'whatsapp_number']])
  })

  test('q finds what belongs to a company by its name, for whoever may read the company', async () => {
    const company_id = await company('Größte Wäscherei')
    const person = await contact({ full_name: 'Nora Quist', company: company_id })
    await contact({ full_name: 'Nora Other' })
    const deal = await made('/api/project/info/', {
      project_name: 'Nora renewal',
      project_type: 'deal',
      company_id,
    })
    for (const typed of ['WASCHEREI', 'nora grosste', 'waescherei quist'.replace('ae', 'a')])
      assert.deepEqual([typed, await found('contact', typed)], [typed, [person]])
    assert.deepEqual(await found('contact', 'other wascherei'), [])
    assert.deepEqual(await found('project/info', 'wascherei', '&project_type=deal'), [deal])
    const reader = await memberWith({ contacts: { read: 'all' }, companies: { read: 'none' } })
    assert.deepEqual(await found('contact', 'wascherei', '', reader), [])
    assert.deepEqual(await found('contact', 'quist', '', reader), [person])
  })

  test('a name as it is written comes before one that is alike', async () => {
    const [plain, marked] = [await company('Belen'), await company('Belén')]
    for (const [typed, company_id] of [
      ['belen', plain],
      ['BELÉN', marked],
      ['Bélen', plain],
    ] as const) {
      const id = await contact({ full_name: typed, company: typed })
      const condition = JSON.stringify([{ field: 'company', operator: 'eq', value: company_id }])
      const { body } = await call(
        'GET',
        `/api/contact/?page=1&items_per_page=9&filter=${encodeURIComponent(condition)}`,
      )
      assert.ok(
        body.some((each: any) => each.contact_id === id),
        typed,
      )
    }
  })

  test('a list finds words wherever its records keep them, past what an index can hold', async () => {
    const ids: string[] = []
    for (const name of ['ab Überzug', 'Überzug-ab', 'ÜBERZUG Nr. 50%', 'Überzüge'])
      ids.push(await made('/api/tasks/', { title: name }))
    const titled = async (operator: string, value: string) => {
      const filter = encodeURIComponent(JSON.stringify([{ field: 'title', operator, value }]))
      const { body } = await call('GET', `/api/tasks/?page=1&items_per_page=9&filter=${filter}`)
      return body.map((each: any) => ids.indexOf(each.task_id ?? each.item_id)).sort()
    }
    assert.deepEqual(await titled('contains', 'uberzug ab'), [0, 1])
    assert.deepEqual(await titled('starts_with', 'uberzug'), [1, 2, 3])
    assert.deepEqual(await titled('starts_with', 'uberzug ab'), [1])
    assert.deepEqual(await titled('ends_with', 'UBERZUG'), [0])
    assert.deepEqual(await titled('contains', '50%'), [2])
    // equality is exact but for case
    assert.deepEqual(await titled('eq', 'überzug-ab'), [1])
    assert.deepEqual(await titled('eq', 'uberzug ab'), [])
  })

  async function found(list: string, q: string, more = '', token = org.users.admin.token) {
    const path = `/api/${list}/?page=1&items_per_page=9&q=${encodeURIComponent(q)}${more}`
    const reply = await service.call('GET', path, { token })
    assert.equal(reply.status, 200, reply.text)
    return reply.body.map((each: any) => each.contact_id ?? each.project_id)
  }

  function contact(body: object): Promise<string> {
    return made('/api/contact/', body)
  }

  async function made(path: string, body: object): Promise<string> {
    return (await call('POST', path, body)).headers.get('x-record-id')!
  }

  async function memberWith(permission: object): Promise<string> {
    const role_name = `Reader ${JSON.stringify(permission).length}`
    const role_id = await made('/api/users/role/', { role_name, permission })
    const { token, user_id } = org.users.member
    await call('PUT', `/api/users/profile/${user_id}/`, { role_id })
    return token
  }

  /** In which ways a text finds a company by its name. */
  async function ways(typed: string, stored: string, company_id: string) {
    const list = async (query: string) => {
      const { body } = await call('GET', `/api/company/?page=1&items_per_page=100&${query}`)
      return body.some((each: any) => each.company_id === company_id)
    }
    const filter = (field: string, operator: string) =>
      `filter=${encodeURIComponent(JSON.stringify([{ field, operator, value: typed }]))}`
    const contact = await service.call('POST', '/api/contact/', {
      token: org.users.admin.token,
      body: { full_name: 'Somebody', company: typed },
    })
    const contact_id = contact.headers.get('x-record-id')
    const { company } = contact_id ? (await call('GET', `/api/contact/${contact_id}/`)).body : {}
    const conditions = contact_id
      ? await service.call(
          'GET',
          `/api/contact/?page=1&items_per_page=5&${filter('company', 'eq')}`,
          {
            token: org.users.admin.token,
          },
        )
      : undefined
    if (contact_id) await call('DELETE', `/api/contact/${contact_id}/`)
    const search = await call('GET', `/api/search/?modules=company&q=${encodeURIComponent(typed)}`)
    return {
      list: await list(`q=${encodeURIComponent(typed)}`),
      chooser: holds(stored, piecesOf(typed)),
      contains: await list(filter('company_name', 'contains')),
      reference: contact.status < 300 && company?.company_id === company_id,
      condition:
        conditions?.status === 200 &&
        conditions.body.some((each: any) => each.contact_id === contact_id),
      search: search.body.results.some((each: any) => each.id === company_id),
    }
  }

  async function company(company_name: string): Promise<string> {
    return (await call('POST', '/api/company/', { company_name })).headers.get('x-record-id')!
  }

  async function call(method: string, path: string, body?: object) {
    const reply = await service.call(method, path, {
      token: org.users.admin.token,
      ...(body ? { body } : {}),
    })
    assert.ok(reply.status < 300, `${method} ${path}: ${reply.text}`)
    return reply
  }
})
