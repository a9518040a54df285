import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { processorTimeOf } from '../../../test/support/processor-time.ts'
import type { TestOrganization, TestService } from '../../../test/support/service.ts'
import { makeOrganization, rows, sql, startService } from '../../../test/support/service.ts'

// The results of ten thousand answers, compared with a plain recount of each of them.

const count = 10_000
const choices = ['fast', 'help', 'price', 'ease']
type Row = {
  answers: { [id: string]: any }
  finished: boolean
  finished_at: string | null
  language: string
}

describe('the results of ten thousand answers', () => {
  let service: TestService
  let org: TestOrganization
  let survey: string
  let stored: Row[]

  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
    const options = choices.map((value) => ({ value, label: value.toUpperCase() }))
    const fields = [
      { id: 'nps', type: 'nps', label: 'How likely?' },
      { id: 'csat', type: 'csat', label: 'How good?' },
      { id: 'like', type: 'multi-select', label: 'What do you like?', options },
      { id: 'first', type: 'single-select', label: 'What first?', options },
      { id: 'why', type: 'short-text', label: 'Why?' },
    ]
    const { token } = org.users.admin
    const body = { name: 'Many', status: 'published', form_structure: [{ title: 'One', fields }] }
    survey = (await service.call('POST', '/api/surveys/', { token, body })).body.survey_id
    // numbers that follow from the place alone: each run has the same
    await service.runtime.database.transaction(org.id, (queries) =>
      queries.run(sql`
        insert into survey_responses (organization_id, id, survey_id, structure_version, answers,
          respondent_email, language, finished, finished_at, creation_time, last_update_time)
        select ${org.id}, lpad(n::text, 20, '0'), ${survey}, 1,
          jsonb_strip_nulls(jsonb_build_object(
            'nps', case when n % 13 = 0 then null else (n * 7) % 11 end,
            'csat', case when n % 17 = 0 then null else 1 + (n * 5) % 5 end,
            'like', case n % 4 when 0 then '["fast"]' when 1 then '["help", "ease"]'
              when 2 then '["price", "fast", "help"]' end::jsonb,
            'first', (array['fast', 'help', 'price', 'ease', null])[1 + n % 5],
            'why', case when n % 3 = 0 then 'Text ' || n end)),
          'p' || n || '@many.test', (array['en', 'fr', 'de'])[1 + n % 3], n % 10 <> 0,
          case when n % 10 <> 0
            then '2026-01-01T00:00:00Z'::timestamptz + n * interval '47 minutes' end,
          '2026-01-01T00:00:00Z'::timestamptz + n * interval '47 minutes' - n % 90 * interval '1 second',
          now()
        from generate_series(1, ${count}::int) n`),
    )
    stored = (await rows(
      service,
      sql`select answers, finished, finished_at, language from survey_responses
        where survey_id = ${survey}`,
    )) as Row[]
    assert.equal(stored.length, count)
  })

  const insights = async (query: string) => {
    const { token } = org.users.admin
    const path = `/api/surveys/${survey}/insights/?${query}`
    const { status, text, body } = await service.call('GET', path, { token })
    assert.equal(status, 200, text)
    return body.insights
  }

  /** What the results are, one answer after the other. */
  function recounted(all: Row[]) {
    const finished = all.filter((each) => each.finished)
    const begun = all.filter((each) => !each.finished)
    const scores = (of: Row[]) =>
      of.flatMap(({ answers: { nps } }) => (nps === undefined ? [] : [nps]))
    const npsOf = (of: number[]) => {
      const share = (such: (score: number) => boolean) => (100 * of.filter(such).length) / of.length
      return Math.round((share((n) => n >= 9) - share((n) => n <= 6)) * 100) / 100
    }
    const months = Map.groupBy(
      finished.filter(({ answers }) => answers.nps !== undefined),
      ({ finished_at }) => new Date(finished_at!).toISOString().slice(0, 7),
    )
    const ids = ['nps', 'csat', 'like', 'first', 'why']
    const timesOf = (id: string) => {
      const times = new Map<unknown, number>()
      for (const { answers } of finished) {
        for (const value of [answers[id] ?? []].flat())
          times.set(value, (times.get(value) ?? 0) + 1)
      }
      return times
    }
    return {
      total: all.length,
      finished: finished.length,
      nps: npsOf(scores(finished)),
      months: [...months]
        .map(([month, of]) => [month, of.length, npsOf(scores(of))])
        .toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
      questions: ids.map((id, at) => ({
        answered: finished.filter(({ answers }) => id in answers).length,
        stopped: begun.filter(
          ({ answers }) => id in answers && !ids.slice(at + 1).some((later) => later in answers),
        ).length,
        counts: id === 'why' ? new Map() : timesOf(id),
      })),
    }
  }

  const shownIn = (found: any) => ({
    total: found.total_responses,
    finished: found.finished_responses,
    nps: found.nps,
    months: found.nps_trend.map(({ date, promoters, passives, detractors, nps }: any) => [
      date.slice(0, 7),
      promoters + passives + detractors,
      nps,
    ]),
    questions: found.questions.map(({ answered, stopped, distribution }: any) => ({
      answered,
      stopped,
      counts: new Map(distribution.map(({ value, count: times }: any) => [value, times])),
    })),
  })

  test('are equal to a plain recount, as a whole and as filtered', async () => {
    assert.deepEqual(shownIn(await insights('')), recounted(stored))
    const french = stored.filter(({ language }) => language === 'fr')
    assert.deepEqual(shownIn(await insights('language=fr')), recounted(french))
    const conditions = JSON.stringify([{ field: 'answers.csat', operator: 'lte', value: 2 }])
    const poor = stored.filter(({ answers }) => answers.csat <= 2)
    assert.deepEqual(
      shownIn(await insights(`answers=${encodeURIComponent(conditions)}`)),
      recounted(poor),
    )
  })

  test('take at most 300 milliseconds of processor time', async (t) => {
    await insights('')
    const pids = await rows(
      service,
      sql`select pid from pg_stat_activity where datname = current_database()`,
    )
    const used = () => {
      const { user, system } = process.cpuUsage()
      const server = pids.map(({ pid }) => processorTimeOf(pid)).filter((each) => !isNaN(each))
      return (user + system) / 1e6 + server.reduce((sum, each) => sum + each, 0)
    }
    if (pids.every(({ pid }) => isNaN(processorTimeOf(pid)))) return t.skip('no /proc here')
    // the clock of a process ticks every ten milliseconds: the mean of several is exact enough
    const times = 5
    const before = used()
    for (let n = 0; n < times; n++) await insights('')
    const each = ((used() - before) / times) * 1000
    t.diagnostic(`${Math.round(each)} ms each`)
    assert.ok(each < 300, `${each} ms`)
  })
})
