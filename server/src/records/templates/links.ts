import type { TemplateTask } from '../../model/templates/config.ts'
import { predecessorsOf } from '../../model/templates/config.ts'

/** A dependency between two tasks of a plan, by their places in it. */
export type PlaceLink = { task: number; predecessor: number; type: string; lag_days: number }

type Named = Pick<TemplateTask, 'id' | 'title' | 'name' | 'depends_on'>

/**
 * The dependencies between the tasks of a plan, which name each other by id or title, the first one of several. Of a
 * plan that was not checked, and whose tasks wait for each other, those on earlier tasks.
 */
export function linksBetween(tasks: Named[]): PlaceLink[] {
  const links = namedLinks(tasks)
  return cycleAmong(tasks.length, links) === undefined
    ? links
    : links.filter(({ task, predecessor }) => predecessor < task)
}

/** Dependencies as they are named, without those on nothing. */
export function namedLinks(tasks: Named[]): PlaceLink[] {
  const places = new Map<string, number>()
  for (const [at, { id, title, name }] of tasks.entries()) {
    for (const ref of [id, title ?? name]) if (ref && !places.has(ref)) places.set(ref, at)
  }
  return tasks.flatMap((task, at) =>
    predecessorsOf(task).flatMap(({ id, ...link }) => {
      const predecessor = places.get(id)
      return predecessor === undefined ? [] : { task: at, predecessor, ...link }
    }),
  )
}

/** The place of a task that waits for itself, directly or through others; undefined if none does. */
export function cycleAmong(count: number, links: PlaceLink[]): number | undefined {
  const waiting = new Map<number, number>()
  for (const { task } of links) waiting.set(task, (waiting.get(task) ?? 0) + 1)
  const followers = Map.groupBy(links, ({ predecessor }) => predecessor)
  const free = Array.from({ length: count }, (_, at) => at).filter((at) => !waiting.has(at))
  // those that become free meanwhile are visited, too
  for (const at of free) {
    for (const { task } of followers.get(at) ?? []) {
      const left = (waiting.get(task) ?? 0) - 1
      if (left > 0) waiting.set(task, left)
      else {
        waiting.delete(task)
        free.push(task)
      }
    }
  }
  const [first] = [...waiting.keys()].toSorted((a, b) => a - b)
  return first
}
