import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { networkOf } from '../../server/src/schedule/network.ts'
import { dayText } from '../../server/src/schedule/workdays.ts'
import { depth, drawn } from '../../server/test/support/depth.ts'
import { planStory } from '../../server/test/support/plan-story.ts'
import { randomPlan } from '../../server/test/support/random-plan.ts'
import type { TestOrganization, TestService } from '../../server/test/support/service.ts'
import { makeOrganization, sql, startService } from '../../server/test/support/service.ts'
import { enginePlan } from '../src/projects/engine-plan.ts'
import { movedHere } from '../src/projects/timeline/engine.ts'

type Row = { [field: string]: any }

const seeds = drawn(
  Array.from({ length: 40_000 }, (_, n) => n),
  depth(40, 1000),
)

describe('a move in a random plan', () => {
  let service: TestService
  let org: TestOrganization
  let story: ReturnType<typeof planStory>

  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
    story = planStory(service, org)
    await story.make('/api/holidays/holinfo/', {
      country: 'FR',
      holidays: [
        { name: 'Armistice', date: '2026-11-11' },
        { name: 'Christmas', date: '2026-12-25', is_repeat_annually: true },
      ],
    })
  })

  /** Stores a random plan as a project; undefined where its dependencies lead in a circle. */
  async function stored(seed: number) {
    const { plan, random, some, dates } = randomPlan(seed)
    if (networkOf(plan).cycle) return undefined
    const project = await story.make('/api/project/info/', {
      project_name: `Plan ${seed}`,
      start_date: '2026-11-02',
      due_date: plan.agreed === null ? null : dayText(plan.agreed),
    })
    const idOf = (word: string | null) => word && `${word}x${seed}`.padStart(25, '0')
    const tasks = plan.tasks.map(({ id, parent, milestone, state, isPinned, start, due }, at) => ({
      id: idOf(id),
      parent_id: idOf(parent),
      milestone_id: idOf(milestone),
      category: state === 'started' ? 'in_progress' : 'not_started',
      is_completed: state === 'done',
      is_pinned: isPinned,
      start_date: start === null ? null : dayText(start),
      due_date: due === null ? null : dayText(due),
      position: at,
    }))
    const milestones = plan.milestones.map(({ id, start, due }, at) => ({
      id: idOf(id),
      start_date: start === null ? null : dayText(start),
      due_date: due === null ? null : dayText(due),
      position: at,
    }))
    const links = plan.links.map(({ task, predecessor, type, lag }) => ({
      task_id: idOf(task),
      predecessor_id: idOf(predecessor),
      type,
      lag_days: lag,
    }))
    await service.runtime.database.transaction(org.id, async (queries) => {
      await queries.run(sql`insert into milestones
          (organization_id, id, name, project_id, start_date, due_date, position)
        select ${org.id}, r.id, r.id, ${project}, r.start_date, r.due_date, r.position
        from jsonb_to_recordset(${JSON.stringify(milestones)}::jsonb)
          as r (id text, start_date date, due_date date, position int)`)
      await queries.run(sql`insert into tasks (organization_id, id, title, project_id, milestone_id,
          parent_id, status_id, is_completed, completed_at, is_pinned, start_date, due_date, position)
        select ${org.id}, r.id, r.id, ${project}, r.milestone_id, r.parent_id,
          (select s.id from statuses s where s.organization_id = ${org.id} and s.module = 'tasks'
            and s.category = r.category order by s.id limit 1),
          r.is_completed, case when r.is_completed then now() end, r.is_pinned, r.start_date, r.due_date,
          r.position
        from jsonb_to_recordset(${JSON.stringify(tasks)}::jsonb) as r (id text, milestone_id text,
          parent_id text, category text, is_completed boolean, is_pinned boolean, start_date date,
          due_date date, position int)`)
      await queries.run(sql`insert into task_dependencies
          (organization_id, task_id, predecessor_id, type, lag_days)
        select ${org.id}, r.task_id, r.predecessor_id, r.type, r.lag_days
        from jsonb_to_recordset(${JSON.stringify(links)}::jsonb)
          as r (task_id text, predecessor_id text, type text, lag_days int)`)
    })
    const to = dates()
    const id = idOf(some(plan.tasks).id) ?? ''
    const set = {
      start_date: to.start === null ? null : (dayText(to.start) ?? null),
      due_date: to.due === null ? null : (dayText(to.due) ?? null),
    }
    const follow = random(2) ? ('use_gaps' as const) : ('keep_gaps' as const)
    return { project, ops: [{ op: 'set' as const, id, set }], follow }
  }

  test('is counted the same by the browser and the service, stored as counted, and taken back as it was', async (t) => {
    let moves = 0
    for (const seed of seeds) {
      const made = await stored(seed)
      if (!made) continue
      const { project, ops, follow } = made
      const path = `/api/project/info/${project}/plan/`
      const read = () => story.ask('GET', path)
      const datesIn = ({ tasks, milestones }: Row) =>
        Object.fromEntries(
          [...tasks, ...milestones].map((row: Row) => [
            row.item_id ?? row.milestone_id,
            [row.start_date, row.due_date],
          ]),
        )
      const plan = await read()
      const before = datesIn(plan)
      const here = [...movedHere(enginePlan(plan), ops, follow)]
      const dry = await story.ask('POST', `${path}changes/`, { ops, follow, dry_run: true })
      const there = dry.moved.flatMap(({ id, to }: Row) => {
        const [start, due] = [to.start ?? to.due, to.due ?? to.start]
        return start === null ? [] : [[id, { start, due }]]
      })
      assert.deepEqual(here, there, `browser and service of ${seed}, ${follow}`)
      assert.deepEqual(datesIn(await read()), before, `dry run of ${seed}`)
      const done = await story.ask('POST', `${path}changes/`, { ops, follow })
      assert.deepEqual(done.moved, dry.moved, `${seed}`)
      const expected = { ...before }
      for (const { id, to } of done.moved) expected[id] = [to.start, to.due]
      const after = await read()
      assert.deepEqual(datesIn(after), expected, `stored of ${seed}, ${follow}`)
      for (const { slack, is_critical } of after.tasks) {
        if (slack && is_critical) assert.ok(slack.go_live <= 0, `critical of ${seed}`)
      }
      if (!done.bulk_id) continue
      moves += done.moved.length
      await story.ask('POST', `/api/bulk/${done.bulk_id}/undo/`, {})
      assert.deepEqual(datesIn(await read()), before, `undo of ${seed}`)
    }
    t.diagnostic(`${moves} moves in ${seeds.length} plans`)
    assert.ok(moves > seeds.length, `${moves} moves`)
  })
})
