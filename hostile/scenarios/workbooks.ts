import { zipOf } from '../../server/test/spreadsheets/workbook.ts'
import { forever } from '../caller.ts'
import type { Scenario } from '../scenario.ts'

const relations = (...all: [id: string, type: string, target: string][]) =>
  `<Relationships>${all.map(([id, type, target]) => `<Relationship Id="${id}" Type="x/${type}" Target="${target}"/>`).join('')}</Relationships>`
const rows = '<row><c t="s"><v>0</v></c></row>'.repeat(200_000)

/** Of some kilobytes: a million texts that no cell needs, and as many cells as may be written. */
const workbook = zipOf({
  '_rels/.rels': relations(['1', 'officeDocument', 'xl/workbook.xml']),
  'xl/workbook.xml': '<workbook xmlns:r="r"><sheets><sheet name="a" r:id="1"/></sheets></workbook>',
  'xl/_rels/workbook.xml.rels': relations(
    ['1', 'worksheet', 'a.xml'],
    ['2', 'sharedStrings', 'texts.xml'],
  ),
  'xl/a.xml': `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
  'xl/texts.xml': `<sst>${'<si/>'.repeat(999_999)}</sst>`,
})

export default {
  name: '8 workbooks at once that unpack to a hundred times their size',
  shows: 'What takes long or much memory to read is read in processes that others do not need.',
  settings: { RATE_LIMIT_APPLICATION: '0' },
  without: { COMPUTE_PROCESSES: '0' },
  async attack(attack) {
    const { url, noisy, signal, ready } = attack
    const headers = { authorization: `Bearer ${noisy.users.admin.token}` }
    const upload = async () => {
      const form = new FormData()
      form.set('module', 'contacts')
      form.set('file', new Blob([new Uint8Array(workbook)]), 'people.xlsx')
      const request = { method: 'POST', headers, body: form, signal }
      await (await fetch(`${url}/api/imports/`, request)).arrayBuffer()
    }
    ready()
    await forever(attack, 8, upload)
  },
} satisfies Scenario
