import { parseArgs } from 'node:util'
import { type Config, readConfig } from '../config.ts'
import { Failure } from '../kit/ground/errors.ts'
import { about } from './environment.ts'

/**
 * An option of a command; `value` is what stands for its value in the help, none for a switch, and
 * `variable` the environment variable that it stands for.
 */
type Option = {
  about: string
  value?: string
  short?: string
  multiple?: boolean
  variable?: string
}

/** One command of the command line, with everything that its help says. */
export type Command = {
  summary: string
  /** what it does, in a few sentences */
  about: string
  examples: string[]
  /** the argument without a name, such as NAME */
  takes?: string
  /** what stands behind the argument are options of its own: the command reads them from `rest` */
  readsRest?: boolean
  options: { [name: string]: Option }
  /** the environment variables that matter to it */
  environment: string[]
  run(call: Call): Promise<Outcome | undefined>
}

/** What a command is called with, checked. */
export type Call = {
  config: Config
  isJson: boolean
  /** the argument without a name */
  argument: string | undefined
  /** what stood behind the argument, where the command reads that itself */
  rest: string[]
  flag(name: string): boolean
  text(name: string): string | undefined
  /** 400-like: one sentence and exit 2 when it was left out */
  needed(name: string): string
  list(name: string): string[]
  terminal: Terminal
}

/** Where a command speaks: results to `out`, everything beside them to `note`. */
export type Terminal = {
  out(text: string): void
  note(text: string): void
  hasColors: boolean
}

/** What a command came to: an object for `--json`, lines for people, the exit status. */
type Outcome = { json: object; text: string; status?: number }

/** The command line itself is wrong: one sentence and exit 2. */
export class UsageError extends Error {}

/** What a check of the input refuses with 400 is a wrong command line here. */
export function asUsage(error: unknown): never {
  throw error instanceof Failure && error.status === 400 ? new UsageError(error.message) : error
}

type Values = { [option: string]: string | boolean | string[] | undefined }
type Environment = { [name: string]: string | undefined }

const common: Command['options'] = {
  'data-dir': { value: 'DIR', variable: 'DATA_DIR', about: 'the data folder, instead of DATA_DIR' },
  json: { about: 'print the result as one JSON object' },
  help: { short: 'h', about: 'show this' },
}

/** Runs a command with its arguments; throws UsageError and ConfigError for what is wrong there. */
export async function call(
  command: Command,
  name: string,
  args: string[],
  env: Environment,
  terminal: Terminal,
): Promise<number | undefined> {
  const [own, rest] = command.readsRest ? splitAtArgument(command, args) : [args, []]
  const { values, positionals } = parse(command, own)
  if (values.help && !(command.readsRest && positionals.length)) {
    terminal.out(helpOf(name, command))
    return 0
  }
  const [argument, extra] = positionals
  if (extra !== undefined || (argument !== undefined && !command.takes)) {
    throw new UsageError(`${name} does not take "${extra ?? argument}"`)
  }
  const text = (option: string) => values[option] as string | undefined
  const outcome = await command.run({
    config: readConfig(withOptions(command, env, values)),
    isJson: values.json === true,
    argument,
    rest,
    flag: (option) => values[option] === true,
    text,
    needed(option) {
      const value = text(option)?.trim()
      if (value) return value
      throw new UsageError(`${name} needs --${option} ${command.options[option]?.value ?? ''}`)
    },
    list: (option) => (values[option] ?? []) as string[],
    terminal,
  })
  if (!outcome) return undefined
  terminal.out(values.json ? JSON.stringify(outcome.json) : outcome.text)
  return outcome.status ?? 0
}

/** The help of a command: what it does, how, and with which settings. */
function helpOf(name: string, command: Command): string {
  const { options, takes, examples, environment } = command
  const rows = Object.entries({ ...options, ...common }).map(
    ([option, { value, short, about }]) => [
      `${short ? `-${short}, ` : ''}--${option}${value ? ` ${value}` : ''}`,
      about,
    ],
  )
  const parts = [
    `perennial ${name}: ${command.summary}`,
    command.about,
    `Usage:\n  perennial ${name}${takes ? ` ${takes}` : ''} [options]`,
    `Examples:\n${examples.map((example) => `  ${example}`).join('\n')}`,
    `Options:\n${table(rows)}`,
    `Environment:\n${table(environment.map((variable) => [variable, about(variable)]))}`,
  ]
  return parts.join('\n\n')
}

/** Two columns. */
export function table(rows: string[][]): string {
  const width = Math.max(...rows.map(([left]) => left!.length)) + 2
  return rows.map(([left, right]) => `  ${left!.padEnd(width)}${right}`).join('\n')
}

/**
 * A command line as the part up to its argument and the part behind it. The options of every command
 * count wherever they stand.
 */
function splitAtArgument(command: Command, args: string[]): [own: string[], rest: string[]] {
  const { tokens } = parseArgs({
    args,
    options: optionsOf(command),
    allowPositionals: true,
    strict: false,
    tokens: true,
  })
  const at = tokens.find(({ kind }) => kind === 'positional')?.index
  if (at === undefined) return [args, []]
  const own = args.slice(0, at + 1)
  const rest: string[] = []
  const behind = args.slice(at + 1)
  for (let i = 0; i < behind.length; i++) {
    const word = behind[i] ?? ''
    const [, name = ''] = /^--([a-z-]+)/.exec(word === '-h' ? '--help' : word) ?? []
    const option = Object.hasOwn(common, name) ? common[name] : undefined
    if (!option) rest.push(word)
    else if (option.value && !word.includes('=')) own.push(word, behind[++i] ?? '')
    else own.push(word)
  }
  return [own, rest]
}

function parse(command: Command, args: string[]) {
  const options = optionsOf(command)
  try {
    const parsed = parseArgs({ args, options, allowPositionals: true })
    return { values: parsed.values as Values, positionals: parsed.positionals }
  } catch (error) {
    const [sentence] = (error as Error).message.split('. ')
    throw new UsageError(sentence)
  }
}

function optionsOf(command: Command) {
  const options = Object.entries({ ...command.options, ...common }).map(
    ([name, { value, short, multiple = false }]) => {
      const type: 'string' | 'boolean' = value ? 'string' : 'boolean'
      return [name, { type, multiple, ...(short ? { short } : {}) }] as const
    },
  )
  return Object.fromEntries(options)
}

/** The environment with the options that stand for a variable of it. */
function withOptions(
  { options }: Command,
  env: Environment,
  values: { [option: string]: unknown },
): Environment {
  const merged = { ...env }
  for (const [name, { variable }] of Object.entries({ ...options, ...common })) {
    const value = values[name]
    if (variable && typeof value === 'string') merged[variable] = value
  }
  return merged
}
