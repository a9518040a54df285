import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { Demo } from '../demo/credentials.ts'
import type { Generated } from '../provision.ts'
import { table } from './command.ts'

/** The data for the message when the service is up. */
export type Ready = {
  config: Config
  /** the address at which this machine reaches it */
  url: string
  /** since the start */
  seconds: number
  /** where the database is */
  place: string
  generated: Generated[]
  /** the one created by this start */
  demo: Demo | undefined
  /** all existing ones, including that one */
  demos: Demo[]
  /** where a browser makes the first organization; undefined once there is one besides demonstrations */
  setup: string | undefined
  isEmpty: boolean
  /** the command line for a command of ours */
  again(command: string): string
}

/** The text while the service answers already, but its demonstration is still being written. */
export function answers(url: string): string {
  return `Perennial answers at ${url} and is getting ready: the demonstration is being written`
}

/** The text on the terminal: in full at the first start, a few lines at later ones. */
export function welcome(ready: Ready): string {
  const { config, url, seconds, place, generated, demo, demos, setup, isEmpty, again } = ready
  const shown = config.publicUrl === url ? url : `${url}, for callers ${config.publicUrl}`
  const isWorker = config.role === 'worker'
  const hasScreens = config.workspace !== 'off' && !isWorker
  const opening = hasScreens ? `Open ${config.publicUrl} in a browser. ` : ''
  const closing = isWorker
    ? 'Processes with the role web answer requests'
    : `Reference: ${url}/docs`
  const parts = [
    `Perennial is ready after ${seconds.toFixed(1)} s: ${shown}\n${opening}Database: ${place}. ${closing}`,
  ]
  if (generated.length) parts.push(generatedSecrets(generated))
  if (demo) {
    parts.push(
      credentialsOf(demo),
      `The application surface, with curl:\n\n${applicationCurl(url, demo)}`,
      `The integration surface, signed:\n\n${integrationCurl(url, config.automationSegment, again('sign'))}`,
      `An automation platform at work: run "${again('tour')}" in another terminal`,
    )
  } else if (demos.length) {
    parts.push(
      [
        ...demos.slice(-3).map(reminderOf),
        `The rest is in ${join(config.dataDir, 'demo.json')}. Try it: ${again('tour')}`,
      ].join('\n'),
    )
  }
  const nobody = 'There is no organization yet'
  const hasLink = setup !== undefined && !isWorker
  if (hasLink) {
    const reason = isEmpty ? nobody : 'To start with your own organization'
    parts.push(`${reason}: open this link, once and within a day\n${setup}`)
  }
  if (isEmpty) {
    parts.push(
      `${hasLink ? 'Or here' : nobody}: "${again('org create NAME')}" makes one, "${again('demo')}" one with records`,
    )
  }
  return `${parts.join('\n\n')}\n`
}

/** The credentials of a demonstration, in a few lines. */
export function credentialsOf({ name, email, password, people, app, made }: Demo): string {
  const others = people.filter((person) => person.email !== email)
  const { companies, contacts, users, changes } = made
  return [
    `${name}, a demonstration: ${companies} companies, ${contacts} contacts, ${users} users, ${changes} changes`,
    table([
      ['Sign in', `${email}  ${password}`],
      ...others.map((person, i) => [i ? '' : 'Others', `${person.email} (${person.role})`]),
      ['', 'everybody has the same password'],
      ['client_id', app.client_id],
      ['client_secret', app.client_secret],
      ['function_key', app.function_key],
    ]),
  ].join('\n')
}

/** One line per demonstration, for later starts. */
function reminderOf({ name, email, password, app }: Demo): string {
  return `${name}: sign in as ${email} with ${password}; app ${app.client_id}`
}

/** A command line that signs in and lists companies on the application surface. */
function applicationCurl(url: string, { email, password }: Demo): string {
  const body = JSON.stringify({ email, password })
  return `TOKEN=$(curl -s ${url}/api/login/ -H 'content-type: application/json' -d '${body}' | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')
curl -s "${url}/api/company/?page=1&items_per_page=3" -H "Authorization: Bearer $TOKEN"`
}

/** A command line that signs a request of the integration surface and sends it. */
function integrationCurl(url: string, segment: string, sign: string): string {
  return `${sign} | curl -s -K - "${url}/${segment}/company?limit=3"`
}

/** The secrets created by provisioning, which cannot be shown again. */
function generatedSecrets(generated: Generated[]): string {
  const rows = generated.map(({ organization, of, what, value }) => [
    `${organization}, ${of}`,
    `${what}  ${value}`,
  ])
  return `Generated because the provision file leaves them out; shown only now:\n${table(rows)}`
}
