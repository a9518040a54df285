import type { BulkChange } from './bulk.ts'
import { countOf, undoBulk, writeMany } from './bulk.ts'
import type { Values } from './change.ts'
import { asSent, changeRecord } from './change.ts'
import { perform } from './history.ts'
import { keys } from './keys.ts'
import type { Place } from './modules.ts'
import { notify } from './notices.ts'
import { whenOnline } from './plan-waiting.ts'
import { milestonesOf, projectPlanQuery, refreshPlan, showInPlan } from './project-plan.ts'
import { queryClient } from './query-client.ts'
import type { AnyRecord } from './record.ts'
import { valueOf } from './record.ts'
import { t } from '../locales/text.ts'

/** A task or milestone of a plan that is changed: where it is stored, and as it was shown. */
export type PlanTarget = { projectId: string; place: Place; id: string; row: AnyRecord }

type PlanChange = {
  values: Values
  /** the values in the plan's form, where it differs */
  shown?: Values
  message: string
  /** overwrite what others changed meanwhile */
  regardless?: boolean
}

/**
 * Changes a task or milestone of a plan: shown at once, reverted if it is refused; an act that can be undone, unless
 * somebody has changed the same since. Throws the `Problem`.
 */
export async function changeInPlan(target: PlanTarget, change: PlanChange): Promise<void> {
  const { row } = target
  const { values, message } = change
  const shown = { ...values, ...change.shown }
  const was = Object.fromEntries(Object.keys(shown).map((name) => [name, valueOf(row, name)]))
  const before = Object.fromEntries(
    Object.keys(values).map((name) => [name, asSent(valueOf(row, name))]),
  )
  let { version, regardless } = { version: row.version, regardless: change.regardless ?? false }
  const put = async (sent: Values, seen: Values) => {
    version = await putInPlan(target, sent, { shown: seen, version, regardless })
    regardless = false
  }
  await perform(target.projectId, async () => {
    await put(values, shown)
    return { message, undo: () => put(before, was) }
  })
}

/** The versions that this page has made of rows, and of which ones: a row that is changed twice was not read in between. */
const ownVersions = new Map<string, { from: unknown; to: number }>()

function ownVersionOf(id: string, shown: unknown): unknown {
  const own = ownVersions.get(id)
  return own?.from === shown ? own?.to : shown
}

async function putInPlan(
  { projectId, place, id }: PlanTarget,
  values: Values,
  options: { shown: Values; version: unknown; regardless: boolean },
) {
  const apply = <Row extends object>(each: Row): Row =>
    (each as AnyRecord)[place.key] === id ? { ...each, ...options.shown } : each
  const putBack = await showInPlan(projectId, (plan) => ({
    ...plan,
    tasks: plan.tasks.map(apply),
    milestones: plan.milestones.map(apply),
  }))
  try {
    return await whenOnline(async () => {
      const version = ownVersionOf(id, options.version)
      const made = await changeRecord(place, id, values, { ...options, version })
      // where others have changed the row in between, what they did has not been seen
      const isNext = typeof version === 'number' && made === version + 1
      if (isNext) ownVersions.set(id, { from: options.version, to: made })
      else ownVersions.delete(id)
      return made
    })
  } catch (error) {
    putBack()
    void refreshPlan(projectId)
    throw error
  } finally {
    void queryClient.invalidateQueries({ queryKey: keys.record('projects', projectId) })
  }
}

/** Some milestones and tasks of a plan, by their ids. */
export type PlanRows = { tasks: string[]; milestones: string[] }

/**
 * Gives many milestones and tasks the same value of a field, as one act; its undo leaves those whose field somebody has
 * changed since. Throws the `Problem`.
 */
export function changeManyInPlan(
  projectId: string,
  tasks: Place,
  rows: PlanRows,
  { field, value, message }: { field: string; value: unknown; message: string },
): Promise<void> {
  const put = (of: PlanRows, sent: unknown) =>
    writeRows(projectId, tasks, of, () => ({ action: 'update', fields: { [field]: sent } }))
  return perform(projectId, async () => {
    const before = valuesIn(projectId, field)
    await put(rows, value)
    const after = valuesIn(projectId, field)
    const undo = async () => {
      const now = valuesIn(projectId, field)
      const isAsLeft = (id: string) => isSame(now.get(id), after.get(id))
      const groups = Map.groupBy([...rows.tasks, ...rows.milestones].filter(isAsLeft), (id) =>
        JSON.stringify(before.get(id) ?? null),
      )
      for (const [text, ids] of groups) {
        const its = new Set(ids)
        const of = {
          tasks: rows.tasks.filter((id) => its.has(id)),
          milestones: rows.milestones.filter((id) => its.has(id)),
        }
        await put(of, JSON.parse(text))
      }
      const kept = rows.tasks.length + rows.milestones.length - [...groups.values()].flat().length
      if (kept)
        notify({
          message: t(
            '{count} row stayed, because others changed it since | {count} rows stayed, because others changed it since',
            { count: kept },
          ),
        })
    }
    return { message, undo }
  })
}

/** The values of a field in the plan as it is shown, in the form in which they are sent. */
function valuesIn(projectId: string, field: string): Map<string, unknown> {
  const plan = queryClient.getQueryData(projectPlanQuery(projectId).queryKey)?.plan
  const valueIn = (row: AnyRecord) => {
    const value = valueOf(row, field)
    const isChoice = field === 'priority' || field === 'status'
    return isChoice ? keyOf(value) : asSent(value)
  }
  return new Map([
    ...(plan?.tasks ?? []).map((row): [string, unknown] => [row.item_id, valueIn(row)]),
    ...(plan?.milestones ?? []).map((row): [string, unknown] => [row.milestone_id, valueIn(row)]),
  ])
}

/** The key of an option, which is sent in place of what is shown of it. */
function keyOf(option: unknown): unknown {
  if (typeof option !== 'object' || option === null) return option
  const { value, status_key }: { value?: unknown; status_key?: unknown } = option
  return value ?? status_key ?? null
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one ?? null) === JSON.stringify(other ?? null)
}

/**
 * Deletes milestones and tasks of a plan with all that is below them, which are the further `gone` ids; one act. Throws
 * the `Problem`.
 */
export function deleteFromPlan(
  projectId: string,
  tasks: Place,
  rows: PlanRows,
  gone: ReadonlySet<string>,
  message: string,
): Promise<void> {
  return perform(projectId, async () => {
    const all = new Set([...gone, ...rows.tasks, ...rows.milestones])
    const putBack = await showInPlan(projectId, (plan) => ({
      ...plan,
      tasks: plan.tasks.filter(({ item_id }) => !all.has(item_id)),
      milestones: plan.milestones.filter(({ milestone_id }) => !all.has(milestone_id)),
    }))
    try {
      const bulks = await deleteRows(projectId, tasks, rows)
      return { message, undo: () => undoAll(projectId, bulks) }
    } catch (error) {
      putBack()
      throw error
    }
  })
}

/** Deletes milestones and tasks of a plan; the ids of the writes, for `undoAll`. Throws the `Problem`. */
export function deleteRows(projectId: string, tasks: Place, rows: PlanRows): Promise<string[]> {
  return writeRows(projectId, tasks, rows, () => ({ action: 'delete' }))
}

/** One bulk write of each kind of row; returns their ids. A row that is refused is named in a notice. */
async function writeRows(
  projectId: string,
  tasks: Place,
  rows: PlanRows,
  changeOf: (kind: keyof PlanRows) => BulkChange,
): Promise<string[]> {
  const places = { milestones: milestonesOf(projectId), tasks }
  const bulks: string[] = []
  for (const kind of ['tasks', 'milestones'] as const) {
    const ids = rows[kind]
    if (!ids.length) continue
    const { bulk_id, failed } = await whenOnline(() =>
      writeMany(places[kind], { ids }, changeOf(kind)),
    )
    bulks.push(bulk_id)
    if (failed.length) {
      notify({
        message: t('{records} stayed as it was | {records} stayed as they were', {
          records: countOf(places[kind], failed.length),
          count: failed.length,
        }),
        detail: failed[0]?.error ?? '',
      })
    }
  }
  await refreshPlan(projectId)
  return bulks
}

/** Undoes bulk writes of a plan, the last one first; whether all could be. */
export async function undoAll(projectId: string, bulks: string[]): Promise<boolean> {
  let isUndone = true
  for (const bulk of bulks.toReversed()) {
    isUndone = (await undoBulk(anyRows, bulk, () => refreshPlan(projectId))) && isUndone
  }
  return isUndone
}

const anyRows = { word: { one: t('row'), many: t('rows') } }
