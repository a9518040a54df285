import { callerOf, forever } from '../caller.ts'
import type { Scenario } from '../scenario.ts'

const meeting = {
  start: '2026-01-05T10:00:00Z',
  end: '2026-01-05T11:00:00Z',
  repeat: {
    rrule: 'FREQ=DAILY;BYHOUR=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23',
    exdates: Array.from({ length: 1000 }, (_, i) => new Date(1.77e12 + i * 3.6e6).toISOString()),
  },
}
const keys = Object.fromEntries(Array.from({ length: 60_000 }, (_, i) => [`k${i * 7919}`, 1]))

/** The requests, each sent repeatedly: the path, and the body of a POST. */
const requests: [path: string, body?: object][] = [
  ['/api/documents/', { document_name: 'Tags', editor_html_content: '<b><i>'.repeat(80_000) }],
  ['/api/documents/', { document_name: 'Text', editor_html_content: '<p>A b</p>'.repeat(48_000) }],
  ['/api/company/', { company_name: 'Keys', ...keys }],
  ['/api/calendar/info/', { title: 'Hourly', ...meeting }],
  ['/api/calendar/info/?start=2026-01-01&end=2026-12-31&items_per_page=500'],
  ['/api/tasks/', { title: 'Never', recurrence_pattern: 'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30' }],
]

export default {
  name: 'the most expensive bodies at once: nested tags, exceptions, keys, rules that never come',
  shows: 'What takes long to compute holds up nobody else.',
  settings: { RATE_LIMIT_APPLICATION: '0' },
  without: { compute_processes: 0 },
  async attack(attack) {
    const caller = callerOf(attack, 12, attack.noisy.users.admin.token)
    attack.ready()
    await forever(attack, 2 * requests.length, (nth) => {
      const [path, body] = requests[nth % requests.length]!
      return body ? caller.send('POST', path, body) : caller.load(path)
    })
  },
} satisfies Scenario
