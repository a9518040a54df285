import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { workbookOf, zipOf } from '../../../test/spreadsheets/workbook.ts'
import type { TestOrganization, TestService } from '../../../test/support/service.ts'
import { makeOrganization, rows, sql, startService } from '../../../test/support/service.ts'

describe('an import of a spreadsheet', () => {
  let service: TestService
  let org: TestOrganization

  before(async () => {
    service = await startService({}, undefined, true)
    org = await makeOrganization(service)
  })

  const token = () => org.users.admin.token

  async function call(method: string, path: string, body?: unknown, status?: number) {
    const reply = await service.call(method, path, { token: token(), body })
    assert.ok(
      status ? reply.status === status : reply.status < 300,
      `${reply.status} ${reply.text}`,
    )
    return reply.body
  }

  async function send(bytes: Buffer, more: { [name: string]: string }, status = 201) {
    const form = new FormData()
    for (const [name, value] of Object.entries({ module: 'contacts', ...more }))
      form.set(name, value)
    form.set('file', new Blob([bytes as any]), 'list.xlsx')
    const reply = await fetch(`${service.url}/api/imports/`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token()}` },
      body: form,
    })
    const body = (await reply.json()) as any
    assert.equal(reply.status, status, JSON.stringify(body))
    return body
  }

  async function ended(id: string) {
    for (;;) {
      const body = await call('GET', `/api/imports/${id}/`)
      if (!['running', 'undoing'].includes(body.status)) return body
      await sleep(20)
    }
  }

  const start = (id: string, body: object = {}, status = 200) =>
    call('POST', `/api/imports/${id}/start/`, body, status)

  test('is refused as what it is where it is a PDF, a picture or a page', async () => {
    const pdf = Buffer.from('%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\n%%EOF\n')
    const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.from('a,b\n1,2\n')])
    const page = Buffer.from('\ufeff<!DOCTYPE html>\n<html>\n<table>\n</table>\n</html>\n')
    const packed = Buffer.from('1f8b08000a0a0a', 'hex')
    const kinds = [
      [pdf, 'application/pdf'],
      [png, 'image/png'],
      [packed, 'application/gzip'],
      [page, 'HTML or XML'],
    ] as const
    for (const [bytes, kind] of kinds) {
      const { errors } = await send(bytes, {}, 400)
      const message = `is ${kind}, not a table: save it as CSV, TSV or .xlsx`
      assert.deepEqual(errors, [{ field: 'file', message }])
    }
    const csv = pdf.toString()
    const refused = await call('POST', '/api/imports/', { module: 'contacts', csv }, 400)
    assert.equal(refused.errors[0].field, 'csv')
  })

  test('asks how a column is read where nothing in it decides, and never guesses', async () => {
    const csv = 'Dealname;Wert;Abschlussdatum\nEins;8.000;03/04/2027\nZwei;12;\n'
    const refused = await call('POST', '/api/imports/', { module: 'deals', csv, start: true }, 400)
    assert.equal(refused.code, 'format_needed')
    assert.deepEqual(
      refused.errors.map(({ field }: any) => field),
      ['formats.Wert', 'formats.Abschlussdatum'],
    )
    assert.match(refused.errors[0].message, /decimal_comma makes 8.000 8000/)
    const { import_id, column_report } = await call('POST', '/api/imports/', {
      module: 'deals',
      csv,
    })
    const [, wert, day] = column_report
    assert.deepEqual(
      [wert.field, wert.format, wert.needs_choice, wert.choices],
      [
        'expected_deal_value',
        null,
        true,
        [
          { format: 'decimal_point', example: '8.000', becomes: '8' },
          { format: 'decimal_comma', example: '8.000', becomes: '8000' },
        ],
      ],
    )
    assert.deepEqual(wert.first_faults[0].line, 2)
    assert.deepEqual(
      day.choices.map(({ becomes }: any) => becomes),
      ['2027-04-03', '2027-03-04'],
    )
    assert.equal((await start(import_id, {}, 400)).code, 'format_needed')
    await start(import_id, { formats: { Wrong: 'day_first' } }, 400)
    await start(import_id, { formats: { Wert: 'roman' } }, 400)
    await start(import_id, { formats: { Wert: 'decimal_comma', Abschlussdatum: 'month_first' } })
    const done = await ended(import_id)
    assert.deepEqual([done.created, done.failed, done.cell_errors], [2, 0, 0])
    const deals = await call('GET', '/api/project/info/?page=1&items_per_page=9&project_type=deal')
    const eins = deals.find(({ project_name }: any) => project_name === 'Eins')
    assert.deepEqual([eins.expected_deal_value, eins.forecasted_date], [8000, '2027-03-04'])

    // the next file with these columns, in whatever order, needs no choice any more
    const next = 'Abschlussdatum;Dealname;Wert\n05/06/2027;Drei;9.000\n'
    const again = await call('POST', '/api/imports/', { module: 'deals', csv: next, start: true })
    assert.equal(again.is_remembered, true)
    assert.deepEqual(again.mapping, {
      Abschlussdatum: 'forecasted_date',
      Dealname: 'project_name',
      Wert: 'expected_deal_value',
    })
    assert.equal((await ended(again.import_id)).created, 1)
    const drei = (
      await call('GET', '/api/project/info/?page=1&items_per_page=9&project_type=deal&q=Drei')
    )[0]
    assert.deepEqual([drei.expected_deal_value, drei.forecasted_date], [9000, '2027-05-06'])
    const other = await makeOrganization(service)
    const foreign = await service.call('POST', '/api/imports/', {
      token: other.users.admin.token,
      body: { module: 'deals', csv: next },
    })
    assert.equal(foreign.body.is_remembered, false)
  })

  test('checks the first thousand rows in full and leaves nothing of that', async (t) => {
    // however busy the machine is
    t.mock.method(performance, 'now', () => 0)
    await call('POST', '/api/contact/', { full_name: 'Known', primary_email: 'known@x.test' })
    const lines = Array.from(
      { length: 1200 },
      (_, i) => `P${i},p${i}@x.test,${i % 100 ? i : 'much'}`,
    )
    const csv = `Name,Email,Lead score\nKnown,known@x.test,1\n,,2\n${lines.join('\n')}\n`
    const before = await rows(
      service,
      sql`select count(*)::int as n from events where organization_id = ${org.id} and raw_description->>'module' = 'contacts'`,
    )
    const { checked, column_report, total } = await call('POST', '/api/imports/', {
      module: 'contacts',
      csv,
    })
    assert.deepEqual(
      [total, checked],
      [1202, { rows: 1000, created: 998, updated: 0, skipped: 1, failed: 1, cell_errors: 10 }],
    )
    const score = column_report[2]
    assert.deepEqual(
      [score.field, score.filled, score.faults, score.first_faults[0]],
      ['lead_score', 1202, 10, { line: 4, value: 'much', message: 'is not a number' }],
    )
    const after = await rows(
      service,
      sql`select count(*)::int as n from events where organization_id = ${org.id} and raw_description->>'module' = 'contacts'`,
    )
    assert.deepEqual(after, before)
    assert.equal((await call('GET', '/api/contact/?page=1&items_per_page=9&q=P7')).length, 0)
  })

  test('checks as many rows as there is time for, and says how many', async (t) => {
    let ms = 0
    const now = () => {
      // 0.8 s pass whenever the preview itself looks at the clock
      const frames = new Error('where').stack?.split('\n').slice(1) ?? []
      const caller = frames.find((frame) => !/sheets\.test\.ts|node:internal/.test(frame))
      if (caller?.includes('/imports/preview.ts')) ms += 800
      return ms
    }
    t.mock.method(performance, 'now', now)
    const lines = Array.from({ length: 300 }, (_, i) => `Number ${i}`)
    const csv = `Name\n${lines.join('\n')}\n`
    // records that are written one by one are checked fewer at a time
    for (const [module, rows] of Object.entries({ accounts: 20, companies: 100 })) {
      const { checked, total } = await call('POST', '/api/imports/', { module, csv })
      assert.deepEqual([total, checked.rows, checked.created], [300, rows, rows], module)
    }
  })

  test('creates the companies and accounts that rows name where that is requested, and takes them back', async () => {
    const csv =
      'Name,Email,Company,Company domain\nAda,ada@n.test,New Ltd,new.test\nBob,bob@n.test,New Ltd,new.test\nEve,eve@n.test,Other,\n'
    const made = await call('POST', '/api/imports/', {
      module: 'contacts',
      csv,
      start: true,
      unknown_links: 'create',
    })
    const done = await ended(made.import_id)
    assert.deepEqual([done.created, done.cell_errors], [3, 0])
    const companies = async () =>
      (await call('GET', '/api/company/?page=1&items_per_page=9'))
        .map((each: any) => [each.company_name, each.domain])
        .sort()
    assert.deepEqual(await companies(), [
      ['New Ltd', 'new.test'],
      ['Other', null],
    ])
    await call('POST', `/api/imports/${made.import_id}/undo/`)
    assert.equal((await ended(made.import_id)).undone, 5)
    assert.deepEqual(await companies(), [])
  })

  test('reports what it leaves empty with line, column, value and reason, and writes the row', async () => {
    const csv = 'Name,Email,Lead score,Contact owner\nAda,ada@r.test,many,nobody@r.test\n'
    const made = await call('POST', '/api/imports/', { module: 'contacts', csv, start: true })
    await ended(made.import_id)
    const [error] = await call('GET', `/api/imports/${made.import_id}/errors/`)
    const { record_id, values, ...rest } = error
    assert.deepEqual(rest, {
      line: 2,
      phase: 'cell',
      reason:
        'Lead score: many is not a number; Contact owner: nobody@r.test no such record: nobody@r.test',
      errors: [
        { field: 'lead_score', message: 'is not a number', column: 'Lead score', value: 'many' },
        {
          field: 'contact_owner',
          message: 'no such record: nobody@r.test',
          column: 'Contact owner',
          value: 'nobody@r.test',
        },
      ],
    })
    assert.equal(values['Lead score'], 'many')
    assert.equal((await call('GET', `/api/contact/${record_id}/`)).full_name, 'Ada')
  })

  test('names the column of a row that is lost once its other cells were read, and counts as the import does', async () => {
    const csv = 'Name,Email,Lead score\n,,much\n'
    const { import_id, checked, column_report } = await call('POST', '/api/imports/', {
      module: 'contacts',
      csv,
    })
    assert.deepEqual(checked, {
      rows: 1,
      created: 0,
      updated: 0,
      skipped: 0,
      failed: 1,
      cell_errors: 0,
    })
    assert.deepEqual(column_report[0].first_faults, [
      { line: 2, value: '', message: 'is required' },
    ])
    await start(import_id)
    const { failed, cell_errors } = await ended(import_id)
    assert.deepEqual([failed, cell_errors], [1, 0])
    const [{ errors }] = await call('GET', `/api/imports/${import_id}/errors/`)
    assert.deepEqual(errors, [
      { field: 'full_name', message: 'is required', column: 'Name', value: '' },
    ])
  })

  test('undoes what it wrote of records that have operations of their own', async () => {
    const first = await call('POST', '/api/imports/', {
      module: 'tasks',
      csv: 'Task,Due date,Parent task\nTop,2027-01-01,\nBelow,,Top\n',
      start: true,
    })
    assert.equal((await ended(first.import_id)).created, 2)
    const second = await call('POST', '/api/imports/', {
      module: 'tasks',
      csv: 'Task,Due date,Priority\nTop,2027-01-01,high\n',
      start: true,
      on_duplicate: 'update',
    })
    assert.equal((await ended(second.import_id)).updated, 1)
    const top = async () => (await call('GET', '/api/tasks/?page=1&items_per_page=9&q=Top'))[0]
    assert.equal((await top()).priority.value, 'high')
    await call('POST', `/api/imports/${second.import_id}/undo/`)
    assert.equal((await ended(second.import_id)).undone, 1)
    assert.equal((await top()).priority, null)
    await call('POST', `/api/imports/${first.import_id}/undo/`)
    // changed since, by the second import and its undoing
    const undone = await ended(first.import_id)
    assert.deepEqual([undone.undone, undone.kept], [1, 1])
  })

  test('reads the requested sheet, and names the sheets', async () => {
    const bytes = workbookOf(
      [
        ['Name', 'Email'],
        ['Ada', 'ada@s.test'],
      ],
      'Leute',
    )
    const { reading, warnings } = await send(bytes, {})
    assert.deepEqual(
      [reading.type, reading.sheet, reading.sheets],
      ['xlsx', 'Leute', ['Hidden', 'Leute']],
    )
    assert.match(warnings[0], /Only the sheet Leute/)
    const missing = await send(bytes, { sheet: 'None' }, 400)
    assert.match(missing.errors[0].message, /sheets are Hidden, Leute/)
    assert.equal((await send(bytes, { sheet: 'hidden' }, 400)).errors[0].field, 'file')
  })

  test('refuses workbooks that would take more than they may', async () => {
    const sheetOf = (xml: string) => ({
      'xl/workbook.xml':
        '<workbook xmlns:r="r"><sheets><sheet name="A" r:id="i"/></sheets></workbook>',
      'xl/_rels/workbook.xml.rels':
        '<Relationships><Relationship Id="i" Type="x/worksheet" Target="worksheets/a.xml"/></Relationships>',
      'xl/worksheets/a.xml': xml,
    })
    const zeros = Buffer.alloc(64 * 1024 * 1024, 32)
    const lying = zipOf(sheetOf('<worksheet>'), 10)
    const long = `<worksheet><sheetData>${'<row><c t="inlineStr"><is><t>'.concat('x'.repeat(70_000))}</t></is></c></row></sheetData></worksheet>`
    const wide =
      '<worksheet><sheetData><row r="1"><c r="ZZZ1"><v>1</v></c></row></sheetData></worksheet>'
    const tall =
      '<worksheet><sheetData><row r="9999999999"><c><v>1</v></c></row></sheetData></worksheet>'
    const billion = `<!DOCTYPE x [<!ENTITY a "${'ha'.repeat(100)}"><!ENTITY b "&a;&a;&a;">]><worksheet><sheetData><row><c t="inlineStr"><is><t>&b;</t></is></c></row></sheetData></worksheet>`
    for (const [bytes, word] of [
      [
        zipOf({ ...sheetOf('<worksheet/>'), 'xl/worksheets/a.xml': zeros }, 3 * 1024 ** 3),
        /768 MiB|damaged/,
      ],
      [lying, /damaged/],
      [zipOf(sheetOf(long)), /characters/],
      [zipOf(sheetOf(wide)), /column/],
      [zipOf(sheetOf(tall)), /rows/],
      [zipOf(sheetOf(billion)), /damaged/],
      [zipOf({ 'content.xml': '<x/>' }), /not an .xlsx/],
      [Buffer.concat([Buffer.from([0xd0, 0xcf, 0x11, 0xe0]), zeros.subarray(0, 100)]), /old Excel/],
      [Buffer.from('PK\x03\x04 and nothing'), /damaged/],
    ] as const) {
      const { errors } = await send(bytes, {}, 400)
      assert.equal(errors[0].field, 'file')
      assert.match(errors[0].message, word)
    }
    // one text that all cells share: small as a file, 3 GB as rows
    const many = '<c t="s"><v>0</v></c>'.repeat(200)
    const shared = {
      ...sheetOf(
        `<worksheet><sheetData>${`<row>${many}</row>`.repeat(500)}</sheetData></worksheet>`,
      ),
      'xl/sharedStrings.xml': `<sst><si><t>${'x'.repeat(5000)}</t></si></sst>`,
    }
    const { errors } = await send(zipOf(shared), {}, 400)
    assert.match(errors[0].message, /MiB/)
    // empty shared strings, more than there are cells
    const empty = {
      ...sheetOf('<worksheet/>'),
      'xl/sharedStrings.xml': `<sst>${'<si/>'.repeat(1_000_001)}</sst>`,
    }
    const refused = await send(zipOf(empty), {}, 400)
    assert.match(refused.errors[0].message, /too many texts/)
    // all names are answered: a workbook of some kilobytes would make an answer of megabytes
    const sheets = (count: number, name: string) => ({
      ...sheetOf('<worksheet/>'),
      'xl/workbook.xml': `<workbook xmlns:r="r"><sheets>${`<sheet name="${name}" r:id="i"/>`.repeat(count)}</sheets></workbook>`,
    })
    const named = await send(zipOf(sheets(1001, 'A')), {}, 400)
    assert.match(named.errors[0].message, /more than 1000 sheets/)
    const longNamed = await send(zipOf(sheets(1, 'A'.repeat(256))), {}, 400)
    assert.match(longNamed.errors[0].message, /name is longer/)
  })
})
