import { parseArgs } from 'node:util'
import { type Config, readConfig } from '../config.ts'
import { Failure } from '../kit/ground/errors.ts'
import { about } from './environment.ts'

/**
 * An option of a command; `value` is the placeholder for its value in the help, none for a flag, and
 * `variable` the environment variable that it sets.
 */
type Option = {
  about: string
  value?: string
  short?: string
  multiple?: boolean
  variable?: string
}

/** One command of the command line, with the contents of its help. */
export type Command = {
  summary: string
  /** what it does, in a few sentences */
  about: string
  examples: string[]
  /** the argument without a name, such as NAME */
  takes?: string
  /** whether it parses what follows the argument itself, from `rest` */
  readsRest?: boolean
  options: { [name: string]: Option }
  /** the environment variables that it uses */
  environment: string[]
  /** what it uses of the configuration file, in two columns of the help */
  file?: string[][]
  run(call: Call): Promise<Outcome | undefined>
}

/** The checked arguments of a command. */
export type Call = {
  config: Config
  isJson: boolean
  /** the argument without a name */
  argument: string | undefined
  /** what followed the argument, if the command parses that itself */
  rest: string[]
  flag(name: string): boolean
  text(name: string): string | undefined
  /** the value; if it is missing, one sentence and exit status 2 */
  needed(name: string): string
  list(name: string): string[]
  terminal: Terminal
}

/** The output of a command: results to `out`, everything else to `note`. */
export type Terminal = {
  out(text: string): void
  note(text: string): void
  hasColors: boolean
}

/** The result of a command: an object for `--json`, lines for people, the exit status. */
type Outcome = { json: object; text: string; status?: number }

/** An error in the command line: one sentence and exit status 2. */
export class UsageError extends Error {}

/** Turns a 400 from a check of the input into an error in the command line. */
export function asUsage(error: unknown): never {
  throw error instanceof Failure && error.status === 400 ? new UsageError(error.message) : error
}

type Values = { [option: string]: string | boolean | string[] | undefined }
type Environment = { [name: string]: string | undefined }

const common: Command['options'] = {
  'data-dir': { value: 'DIR', variable: 'DATA_DIR', about: 'the data folder, instead of DATA_DIR' },
  config: {
    value: 'FILE',
    variable: 'CONFIG_FILE',
    about: 'a JSON file with bounds, quotas and pool sizes, instead of CONFIG_FILE',
  },
  json: { about: 'print the result as one JSON object' },
  help: { short: 'h', about: 'show this' },
}

/** Runs a command with its arguments; throws UsageError and ConfigError. */
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
    config: configOf(command, env, values),
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

/** The help of a command: its purpose, arguments, options and settings. */
function helpOf(name: string, command: Command): string {
  const { options, takes, examples, environment, file } = command
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
    ...(file ? [`Configuration file:\n${table(file)}`] : []),
  ]
  return parts.join('\n\n')
}

/** Two columns. */
export function table(rows: string[][]): string {
  const width = Math.max(...rows.map(([left]) => left!.length)) + 2
  return rows.map(([left, right]) => `  ${left!.padEnd(width)}${right}`).join('\n')
}

/**
 * A command line split into the part up to its argument and the rest. The options of every command
 * are recognized anywhere.
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
    // what follows explains how to write it, in several lines
    const [sentence = ''] = (error as Error).message.split(/\.\s/)
    throw new UsageError(
      sentence.replace(/is ambiguous$/, 'begins with a dash: write --option=VALUE'),
    )
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

/** The settings; UsageError if the value of an option is wrong, ConfigError if a variable's is. */
function configOf(command: Command, env: Environment, values: Values): Config {
  for (const [name, { variable, value }] of Object.entries({ ...command.options, ...common })) {
    // an empty variable counts as unset, but an empty option is a mistake, such as --data-dir=$UNSET
    if (variable && values[name] === '') throw new UsageError(`--${name} needs a ${value}`)
  }
  try {
    return readConfig(withOptions(command, env, values))
  } catch (error) {
    const { message } = error as Error
    const wrong = Object.entries({ ...command.options, ...common }).find(
      ([name, { variable }]) => values[name] !== undefined && message.startsWith(`${variable} `),
    )
    if (!wrong) throw error
    const [name, { variable = '' }] = wrong
    throw new UsageError(`--${name}${message.slice(variable.length)}`, { cause: error })
  }
}

/** The environment with the variables that options set. */
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
