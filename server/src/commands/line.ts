import { isInterrupted } from '../kit/ground/interruption.ts'
import { type Command, type Terminal, UsageError, call, table } from './command.ts'
import { sentenceOf } from './failure.ts'
import { version } from './version.ts'

/** The commands, loaded when called: so the help is quick, and a command loads only what it needs. */
const commands: { [name: string]: () => Promise<Command> } = {
  serve: async () => (await import('./serve.ts')).serve,
  tour: async () => (await import('./tour.ts')).tour,
  doctor: async () => (await import('./doctor.ts')).doctor,
  demo: async () => (await import('./demo.ts')).demo,
  migrate: async () => (await import('./migrate.ts')).migrate,
  upgrade: async () => (await import('./upgrade.ts')).upgrade,
  backup: async () => (await import('./backup.ts')).backup,
  restore: async () => (await import('./restore.ts')).restore,
  'org create': async () => (await import('./organization.ts')).create,
  'org export': async () => (await import('./archives.ts')).exportOne,
  'org import': async () => (await import('./archives.ts')).importOne,
  'org move': async () => (await import('./archives.ts')).moveOne,
  'org remove': async () => (await import('./archives.ts')).removeOne,
  'user create': async () => (await import('./user.ts')).create,
  'app issue': async () => (await import('./app.ts')).issue,
  'app rotate': async () => (await import('./app.ts')).rotate,
  'keys rotate': async () => (await import('./keys.ts')).rotate,
  'keys encrypt': async () => (await import('./keys.ts')).encrypt,
  listen: async () => (await import('./listen.ts')).listen,
  'events trigger': async () => (await import('./events.ts')).trigger,
  api: async () => (await import('./api.ts')).api,
  sign: async () => (await import('./sign.ts')).sign,
}

const helps = ['help', '--help', '-h']

/**
 * Runs the command line and returns the exit status: 0 success, 1 failure, 2 wrong usage; undefined
 * if the service keeps running.
 */
export async function run(
  args: string[],
  env: { [name: string]: string | undefined },
  terminal: Terminal,
): Promise<number | undefined> {
  try {
    const [first = 'serve', ...others] = args
    // "help serve" is "serve --help"
    if (first === 'help' && others.length) return await run([...others, '--help'], env, terminal)
    if (helps.includes(first)) {
      terminal.out(await overview())
      return 0
    }
    const family = familyOf(first)
    if (family.length && helps.includes(others[0] ?? '')) {
      terminal.out(table(await summariesOf(family)))
      return 0
    }
    if (['--version', '-v', 'version'].includes(first)) {
      terminal.out(version())
      return 0
    }
    const name = nameOf([first, ...others])
    const command = await commands[name]!()
    return await call(command, name, args.slice(name.split(' ').length), env, terminal)
  } catch (error) {
    if (isInterrupted()) return undefined
    const sentence = sentenceOf(error)
    // a bug of ours: a report needs the stack
    if (sentence === undefined) terminal.note((error as Error).stack ?? String(error))
    else if (args.includes('--json')) terminal.note(JSON.stringify({ error: sentence }))
    else terminal.note(`perennial: ${sentence}`)
    return error instanceof UsageError ? 2 : 1
  }
}

/** The command at the beginning of the arguments; UsageError if there is none. */
function nameOf([first = '', second = '']: string[]): string {
  const name = [`${first} ${second}`, first].find((each) => Object.hasOwn(commands, each))
  if (name) return name
  const family = familyOf(first)
  if (family.length) throw new UsageError(`perennial ${first} is one of: ${family.join(', ')}`)
  throw new UsageError(`There is no command "${first}"; perennial --help lists them`)
}

/** The commands that begin with a word, such as `org create` and `org remove`. */
function familyOf(word: string): string[] {
  return Object.keys(commands).filter((each) => each.startsWith(`${word} `))
}

async function summariesOf(names: string[]): Promise<string[][]> {
  return Promise.all(names.map(async (name) => [name, (await commands[name]?.())?.summary ?? '']))
}

async function overview(): Promise<string> {
  const rows = await summariesOf(Object.keys(commands))
  return `Perennial ${version()}: an open-source customer-lifecycle platform

Usage:
  perennial COMMAND [options]

Commands:
${table(rows)}

Try it:
  perennial                    starts with a demo organization, nothing to set up; the same as "perennial serve"
  perennial tour               plays an automation platform against it
  perennial COMMAND --help     explains a command, with examples and settings`
}
