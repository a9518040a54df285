import { existsSync } from 'node:fs'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { makeLog } from '../log.ts'
import { tuning } from '../tuning.ts'
import type { Command } from './command.ts'
import { prepareEngine } from './engine.ts'
import { environment } from './environment.ts'
import { type Life, lifeUntilSignal, stopPatience } from './life.ts'
import { withPort } from './port.ts'
import { warnOfOthers } from './servers.ts'
import type { Start } from './start.ts'
import { isSupervised } from './supervised.ts'
import { replaceSignal } from './supervisor.ts'
import { type Ready, welcome } from './welcome.ts'

/** `perennial serve` */
export const serve: Command = {
  summary: 'start the service',
  about: `Starts the service: opens the database (an embedded PostgreSQL in the data folder, or DATABASE_URL), migrates
it to this version, applies the provision file, and listens. Without DATABASE_URL and a provision file, the
first start creates a demo organization and prints how to sign in. A process with the role web answers
requests and leaves jobs and deliveries to those with the role worker, which answer only /livez, /readyz and
/metrics. SIGTERM and Ctrl-C stop it without dropping a request; a second signal stops it at once. With
--processes several processes share the port: this one starts them, restarts one that ends, and on SIGUSR2
replaces them one after another without failing a request, for example after an upgrade.`,
  examples: [
    'perennial serve',
    'PORT=8080 perennial serve --provision provision.json',
    'perennial serve --role web',
    'perennial serve --processes 4',
    'DATABASE_URL=postgres://perennial:…@db.internal/perennial SECRET_KEY=… HOST=0.0.0.0 \\\n    PUBLIC_URL=https://crm.example.com perennial serve',
  ],
  options: {
    provision: {
      value: 'FILE',
      variable: 'PROVISION_FILE',
      about: 'the provision file, instead of PROVISION_FILE',
    },
    role: {
      value: 'ROLE',
      variable: 'ROLE',
      about: 'web, worker or all (the default), instead of ROLE',
    },
    processes: {
      value: 'N',
      variable: 'PROCESSES',
      about: 'how many processes share the port, instead of PROCESSES',
    },
    port: { value: 'PORT', variable: 'PORT', about: 'the port, instead of PORT' },
    host: { value: 'HOST', variable: 'HOST', about: 'the address, instead of HOST' },
  },
  environment: Object.keys(environment),
  file: Object.entries(tuning).map(([name, { about, otherwise }]) => [
    name,
    `${about} (${otherwise})`,
  ]),
  async run({ config, isJson, terminal }) {
    const log = makeLog(config.logLevel)
    if (isSupervised) return (await import('./start.ts')).startUnderParent(config, log)
    const isParent = config.processes > 1
    // its default is to end the process; until there are others there is nothing to replace
    if (isParent) process.on(replaceSignal, () => {})
    const life = lifeUntilSignal(log, {
      patience: stopPatience(config) + (isParent ? 5000 : 0),
      skip: isParent ? [replaceSignal] : [],
    })
    const say = isJson ? terminal.note : terminal.out
    const starting = start(config, log, { note: terminal.note, say }, life)
    life.begins(starting)
    try {
      const ready = await starting
      terminal.out(isJson ? JSON.stringify(asJson(ready)) : welcome(ready))
    } catch (error) {
      if (life.isEnding()) return undefined
      await life.end()
      throw error
    }
    // the service keeps running; a signal ends the process
    return undefined
  },
}

async function start(
  requested: Config,
  log: Logger,
  { note, say }: Pick<Start, 'note' | 'say'>,
  life: Life,
): Promise<Ready> {
  const { config, releasePort } = await withPort(requested)
  const begun: Start = {
    config,
    releasePort,
    log,
    life,
    note: (message) => (begun.isUp ? log.warn({}, message) : note(message)),
    say,
    // a folder that does not exist yet has no servers, and it must be created so that PostgreSQL's own user can enter it
    isNew: !existsSync(config.dataDir),
    isUp: false,
  }
  if (!begun.isNew) warnOfOthers(config, begun.note, life)
  // A provision file is read before anything is created. An operator's own database needs no time to start, and
  // its answer would wait while modules are loaded, and seem late.
  if (!config.provisionFile && !config.databaseUrl) {
    const prepared = prepareEngine(config, {
      note: begun.note,
      isEnding: life.isEnding,
      endsOnSignal: false,
    })
    begun.prepared = prepared
    const close = prepared.then(
      ({ engine }) => engine.close,
      // the error is reported when the database is opened
      () => async () => {},
    )
    life.atEnd(async () => (await close)())
  }
  // while the database starts, or is created
  const { startOne, startProcesses } = await import('./start.ts')
  return config.processes > 1 ? startProcesses(begun) : startOne(begun)
}

function asJson({ config, url, seconds, generated, demo, place, setup }: Ready): object {
  return {
    ready: true,
    url,
    public_url: config.publicUrl,
    seconds,
    database: place,
    generated,
    demo,
    setup_url: setup ?? null,
  }
}
