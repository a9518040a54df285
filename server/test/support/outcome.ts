import type { EventData, run } from 'node:test'

type Results = ReturnType<typeof run>
// the declared type leaves out one of the numbers
type Counts = EventData.TestSummary['counts'] & { failed: number }

/** What came of the processes of a run, once its events have been read to the end. */
export type Outcome = {
  /** the numbers of all processes together */
  counts(): Counts
  isPassed(): boolean
  /** the test files with a failure; undefined if a process of several files ended without saying which failed */
  failed(): string[] | undefined
}

/** At most so many files that fail may be run once more: more of them are no accident. */
const mostRepeated = 3

/** Watches a run of processes; `filesOf` has the test files of each, by the path that it is started with. */
export function watchOutcome(results: Results, filesOf: Map<string, string[]>): Outcome {
  const names = new Set<string>()
  // a process that is killed, or ends early, has no summary
  const passed = new Map<string, boolean>()
  let total: EventData.TestSummary | undefined
  // a file of a group is a test of its process
  results.on('test:fail', ({ nesting, name }) => void (nesting === 0 && names.add(name)))
  results.on('test:summary', (summary) => {
    if (summary.file === undefined) total = summary
    else passed.set(summary.file, summary.success)
  })
  return {
    counts() {
      if (!total) throw new Error('The run has not ended')
      return total.counts as Counts
    },
    isPassed: () => total?.success === true,
    failed() {
      const found = [...filesOf]
        .filter(([path]) => !passed.get(path))
        .map(([path, files]) => {
          if (files.length === 1) return files
          return passed.has(path) ? files.filter((file) => names.has(file)) : []
        })
      return found.every((files) => files.length) ? found.flat() : undefined
    },
  }
}

/** Whether all is well in the end, and the closing lines that replace those of the first run. */
export type Verdict = { isWell: boolean; closing: string[] }

/**
 * Runs each test file with a failure once more, alone, so that one race does not cost a whole run. The closing
 * lines have the second results and name the files that passed then. All is not well if a file fails again; nothing is
 * run again if more than three files failed.
 */
export async function repeatFailed(
  first: Outcome,
  isRepeated: boolean,
  runAlone: (file: string) => Promise<Outcome>,
): Promise<Verdict> {
  const failed = isRepeated ? first.failed() : undefined
  if (first.isPassed() || !failed?.length || failed.length > mostRepeated)
    return { isWell: first.isPassed(), closing: [] }
  const last = { ...first.counts(), failed: 0, cancelled: 0 }
  const flaky: string[] = []
  for (const file of failed) {
    const again = await runAlone(file)
    if (again.isPassed()) flaky.push(file)
    last.failed += again.counts().failed
    last.cancelled += again.counts().cancelled
  }
  const { tests, suites, cancelled, skipped, todo } = last
  const pass = tests - last.failed - cancelled - skipped - todo
  const numbers = { tests, suites, pass, fail: last.failed, cancelled, skipped, todo }
  return {
    isWell: flaky.length === failed.length,
    closing: [
      'With the second results of what was run once more:',
      ...Object.entries(numbers).map(([name, number]) => `ℹ ${name} ${number}`),
      ...flaky.map((file) => `flaky: ${file}`),
    ],
  }
}
