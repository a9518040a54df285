import { readDemos, writeDemos } from '../demo/credentials.ts'
import { makeDemo } from '../demo/make.ts'
import { type Command, UsageError } from './command.ts'
import { withDatabase } from './open.ts'
import { credentialsOf } from './welcome.ts'

/** `perennial demo` */
export const demo: Command = {
  summary: 'create a demo organization',
  about: `Creates an organization with a few hundred linked records and half a year of history around today: deals
in every stage, onboarding projects on time, late and done, documents with signatures, meetings, surveys
with answers, comments and health; with users in every built-in role, and an app for "perennial tour". The first
"perennial serve" without any configuration does the same. Each call creates another organization. The
credentials are shown, and stored in demo.json in the data folder, readable only by this user.`,
  examples: ['perennial demo', 'perennial demo --name "Nightingale Works" --json'],
  options: { name: { value: 'NAME', about: 'its name (one of a list)' } },
  environment: ['DATABASE_URL', 'DATA_DIR', 'SECRET_KEY'],
  async run({ config, text, terminal }) {
    const name = text('name')?.trim()
    if (name === '' || (name?.length ?? 0) > 200) {
      throw new UsageError('--name must be 1 to 200 characters')
    }
    const begun = performance.now()
    const made = await withDatabase(config, terminal.note, ({ runtime }) =>
      makeDemo(runtime, {
        name,
        keep(fresh) {
          const { url, demos } = readDemos(config.dataDir)
          writeDemos(config.dataDir, { url, demos: [...demos, fresh] })
        },
      }),
    )
    const seconds = ((performance.now() - begun) / 1000).toFixed(1)
    return {
      json: made!,
      text: `Created ${made!.name} in ${seconds} s\n\n${credentialsOf(made!)}`,
    }
  },
}
