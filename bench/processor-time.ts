import { readFileSync, readdirSync } from 'node:fs'

/** The processor time of a process so far, in microseconds; Linux only. */
export function processorTime(pid: number): number {
  let nanoseconds = 0
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const [taken = '0'] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')
    nanoseconds += Number(taken)
  }
  return nanoseconds / 1000
}

/** The same of the processes that a process has started, by their ids. */
export function processorTimesUnder(parent: number): Map<number, number> {
  const times = new Map<number, number>()
  for (const name of readdirSync('/proc')) {
    const pid = Number(name)
    try {
      if (pid && parentOf(pid) === parent) times.set(pid, processorTime(pid))
    } catch {
      // it has ended meanwhile
    }
  }
  return times
}

/** The same of them all together. */
export function processorTimeUnder(parent: number): number {
  return [...processorTimesUnder(parent).values()].reduce((sum, each) => sum + each, 0)
}

/** The process that started another one. */
export function parentOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // the name before it is in parentheses, and may contain anything
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
}
