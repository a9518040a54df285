import { newId } from '../kit/ground/ids.ts'
import { sql } from '../kit/ground/sql.ts'
import { isTimeZone } from '../kit/ground/time.ts'
import { isNameTaken, namesLocked } from '../model/organizations/names.ts'
import { createOrganization } from '../records/organizations/organization.ts'
import { commandLine } from './again.ts'
import { type Command, UsageError } from './command.ts'
import { withDatabase } from './open.ts'
import { signInText } from './user.ts'
import { allOrganizations } from '../kit/ground/context.ts'
import { ConfigError } from '../kit/ground/errors.ts'

/** `perennial org create` */
export const create: Command = {
  summary: 'create an organization',
  about: `Creates an organization with its built-in roles and option sets. It has no users yet: continue with
"perennial user create". The server may be running.`,
  takes: 'NAME',
  examples: [
    'perennial org create Acme',
    'perennial org create "Acme France" --timezone Europe/Paris --json',
  ],
  options: {
    timezone: { value: 'ZONE', about: 'its IANA time zone, such as Europe/Paris (UTC)' },
  },
  environment: ['DATABASE_URL', 'DATA_DIR', 'SECRET_KEY'],
  async run({ config, argument, text, terminal }) {
    const name = argument?.trim()
    if (!name || name.length > 255) {
      throw new UsageError('org create needs a NAME of 1 to 255 characters')
    }
    const timezone = text('timezone') ?? 'UTC'
    if (!isTimeZone(timezone)) {
      throw new UsageError(`"${timezone}" is no IANA time zone, such as Europe/Paris`)
    }
    const organization_id = newId()
    const again = commandLine(config.dataDir)
    await withDatabase(config, terminal.note, ({ runtime }) =>
      runtime.database.transaction(allOrganizations, async (queries) => {
        // the same lock as provisioning, so that there are never two organizations with one name
        await queries.run(namesLocked)
        const taken = await queries.one<{ id: string }>(sql`select organization_id as id
          from organizations where lower(name) = ${name.toLowerCase()}`)
        if (taken) {
          throw new ConfigError(`The organization "${name}" already exists: ${taken.id}`)
        }
        if (await isNameTaken(queries, name)) {
          throw new ConfigError(`There is an organization whose name looks like "${name}"`)
        }
        await createOrganization(queries, organization_id, { name, timezone })
      }),
    )
    return {
      json: { organization_id, name, timezone },
      text: `Created the organization ${name} (${organization_id})\nNext: ${again('user create')} --org ${organization_id} --email … --role admin\n${signInText(config)}`,
    }
  },
}
