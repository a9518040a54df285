import { type Command, UsageError } from './command.ts'
import { database } from './doctor/database.ts'
import { resultOf } from './doctor/finding.ts'
import { dataFolder, nodeVersion } from './doctor/machine.ts'
import { upgradable } from './doctor/upgrade.ts'
import { version } from './version.ts'

/** `perennial upgrade --check` */
export const upgrade: Command = {
  summary: 'check whether this version may be started on the database',
  about: `With --check, which is required: lists the migrations that a start of this version would apply, says whether processes of
the previous version may keep running meanwhile, and checks PostgreSQL, its extensions, the users, the secret key and the
free disk space. It changes nothing. The exit status is 1 if a check fails, and 0 if there are only warnings. The start
itself, or perennial migrate, does the upgrade.`,
  examples: [
    'perennial upgrade --check',
    'DATABASE_URL=postgres://… perennial upgrade --check --json',
  ],
  options: { check: { about: 'look, and change nothing' } },
  environment: [
    'DATA_DIR',
    'DATABASE_URL',
    'DATABASE_MIGRATE_URL',
    'DATABASE_ALLOW_OWNER',
    'SECRET_KEY',
    'SECRET_KEY_PREVIOUS',
  ],
  async run({ config, flag, terminal }) {
    if (!flag('check')) {
      throw new UsageError('upgrade needs --check; a start, or perennial migrate, does the upgrade')
    }
    const findings = [nodeVersion(), ...dataFolder(config), ...(await database(config, upgradable))]
    const own = `Version ${version()}`
    return resultOf(findings, terminal, {
      verdict: (failed) =>
        failed ? `${own} must not be started yet: ${failed} failed` : `${own} may be started`,
      json: { version: version() },
    })
  },
}
