/**
 * A function that may run in a process of its own: exported by `module` under its own name, with an input
 * and a result that are plain data, and nothing of the service's state.
 */
export type Computation<I, O> = {
  /** the URL of the module, and under which name it exports the function */
  module: string
  name: string
  run(input: I): O | Promise<O>
}

/** Declares one: `computation(import.meta.url, safeHtml)`. */
export function computation<I, O>(
  module: string,
  run: (input: I) => O | Promise<O>,
): Computation<I, O> {
  return { module, name: run.name, run }
}

/**
 * Declares one whose module needs large libraries, and is loaded only where it runs:
 * `computationOf(import.meta.resolve('./ics.ts'), 'feedText', async () => (await import('./ics.ts')).feedText)`.
 */
export function computationOf<I, O>(
  module: string,
  name: string,
  load: () => Promise<(input: I) => O | Promise<O>>,
): Computation<I, O> {
  return { module, name, run: async (input) => (await load())(input) }
}

/** Runs computations where they block no other request. */
export type Computations = {
  /**
   * The result of a computation; each organization has its own queue. 400 `too_expensive` when it
   * exceeds the time or memory of a computation, 503 when too many wait.
   */
  run<I, O>(organization: string, what: Computation<I, O>, input: I): Promise<O>
}

/** Without such processes: everything is computed in this one, as in commands. */
export const inline: Computations = { run: async (_organization, what, input) => what.run(input) }
