import { appendFileSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Fields of `/proc/<pid>/stat` counted from its third, in hundredths of a second (proc(5)). */
const field = { parent: 1, user: 11, system: 12, endedUser: 13, endedSystem: 14 }

/**
 * The processor time in seconds that a process, its children and those of them that have ended took;
 * NaN where the system has no `/proc`.
 */
export function processorTimeOf(pid: number): number {
  const own = statOf(`/proc/${pid}/stat`)
  if (!own) return NaN
  const children = globSync('/proc/[0-9]*/stat').flatMap((path) => {
    const stat = statOf(path)
    return stat && stat[field.parent] === pid ? [stat] : []
  })
  const { user, system, endedUser, endedSystem } = field
  const ticks = [own, ...children].flatMap((stat) => [stat[user]!, stat[system]!])
  return [...ticks, own[endedUser]!, own[endedSystem]!].reduce((sum, each) => sum + each, 0) / 100
}

/**
 * Measures this process from now on. What is returned writes its processor time and that of the child processes
 * that ended meanwhile, as the file's, to the folder of the run.
 */
export function reportTimeOf(file: string): () => void {
  const before = secondsSoFar()
  return () => {
    const folder = process.env.TIMES_FOLDER
    const seconds = secondsSoFar() - before
    if (folder) appendFileSync(join(folder, `times-${process.pid}`), `${seconds} ${file}\n`)
  }
}

/** The seconds of each file that the processes of a run have written to its folder. */
export function reportedTimes(folder: string): Map<string, number> {
  const lines = globSync(join(folder, 'times-*')).flatMap((path) =>
    readFileSync(path, 'utf8').trim().split('\n'),
  )
  return new Map(lines.map((line) => [line.slice(line.indexOf(' ') + 1), parseFloat(line)]))
}

function secondsSoFar(): number {
  const { user, system } = process.cpuUsage()
  const own = statOf('/proc/self/stat')
  const ended = own ? own[field.endedUser]! + own[field.endedSystem]! : 0
  return (user + system) / 1e6 + ended / 100
}

function statOf(path: string): number[] | undefined {
  try {
    const text = readFileSync(path, 'utf8')
    // the name in parentheses may hold anything
    return text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
  } catch {
    return undefined
  }
}
