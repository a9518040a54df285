import { Mismatch } from '../tour/connector.ts'
import { type Tour, cleanUp, newMark, steps } from '../tour/steps.ts'
import { accessOf, accessOptions } from './access.ts'
import { type Command, type Terminal, UsageError } from './command.ts'

type Result = {
  step: string
  ok: boolean
  ms: number
  seen?: string
  expected?: string
  got?: string
}

/** `perennial tour` */
export const tour: Command = {
  summary: 'play an automation platform against a running server',
  about: `Does what a connector does: signs in, authorizes with a signature, gets tokens, reads, subscribes to
an event with a receiver of its own, creates a company on each surface, checks the signed webhooks, refreshes
and unsubscribes. Each step is printed with its time; the first that fails ends the tour with status 1.
Without options it uses the demo in the data folder. It deletes what it has created.`,
  examples: [
    'npm run tour',
    'perennial tour --url https://crm.example.com --email ada@acme.com --password … \\\n    --client-id … --client-secret … --function-key … --redirect-uri https://… \\\n    --receiver-port 9000 --receiver-url https://hooks.acme.com/tour',
  ],
  options: {
    ...accessOptions,
    'receiver-port': { value: 'PORT', about: 'the port that receives webhooks (a free one)' },
    'receiver-url': {
      value: 'URL',
      about: 'the public address of the receiver, if the server is on another machine',
    },
  },
  environment: ['DATA_DIR', 'PUBLIC_URL', 'AUTOMATION_SEGMENT'],
  async run(call) {
    const port = Number(call.text('receiver-port') ?? 0)
    if (!Number.isInteger(port) || port < 0 || port > 65535) {
      throw new UsageError('--receiver-port must be a port')
    }
    const state: Tour = {
      access: accessOf(call),
      receiver: { port, url: call.text('receiver-url') },
      bearer: '',
      code: '',
      tokens: { access_token: '', refresh_token: '' },
      companies: [],
      mark: newMark(),
    }
    const results = await play(state, call.isJson ? undefined : call.terminal)
    const ok = results.every((each) => each.ok)
    const ms = results.reduce((sum, each) => sum + each.ms, 0)
    return {
      json: { ok, ms, url: state.access.url, steps: results },
      text: ok
        ? `All ${results.length} steps went well, in ${(ms / 1000).toFixed(1)} s`
        : `Step ${results.length} of ${steps.length} failed`,
      status: ok ? 0 : 1,
    }
  },
}

/** Runs the steps until one fails, and prints each when it ends. */
async function play(state: Tour, terminal: Terminal | undefined): Promise<Result[]> {
  const results: Result[] = []
  for (const { name, run } of steps) {
    const begun = performance.now()
    const ended = () => Math.round(performance.now() - begun)
    try {
      const seen = await run(state)
      results.push({ step: name, ok: true, ms: ended(), seen })
    } catch (error) {
      const { expected, got } =
        error instanceof Mismatch
          ? error
          : { expected: 'the step to work', got: (error as Error).message }
      results.push({ step: name, ok: false, ms: ended(), expected, got })
    }
    const last = results.at(-1)!
    if (terminal) terminal.out(lineOf(last, terminal.hasColors))
    if (!last.ok) break
  }
  // after a failure; otherwise the last step has already done it
  if (!results.at(-1)!.ok) await cleanUp(state).catch(() => {})
  await state.listening?.close()
  return results
}

function lineOf({ step, ok, ms, seen, expected, got }: Result, hasColors: boolean): string {
  const painted = (color: number, text: string) =>
    hasColors ? `\u001B[${color}m${text}\u001B[0m` : text
  const time = `${ms} ms`.padStart(8)
  if (ok) return `${painted(32, '✔')} ${time}  ${step}  ${painted(2, seen ?? '')}`.trimEnd()
  return [
    `${painted(31, '✘')} ${time}  ${step}`,
    `              expected  ${expected}`,
    `              got       ${got}`,
  ].join('\n')
}
