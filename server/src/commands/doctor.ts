import type { Command } from './command.ts'
import { database } from './doctor/database.ts'
import { type Finding, resultOf } from './doctor/finding.ts'
import { dataFolder, nodeVersion, provisionFile } from './doctor/machine.ts'
import { address, files, mail } from './doctor/network.ts'

/** `perennial doctor` */
export const doctor: Command = {
  summary: 'check an installation for problems',
  about: `Checks Node.js, the data folder, the secret key, the database and its permissions, the clock, the port, the
public URL, the mail server and the bucket for files, and says how to correct what is wrong. It changes nothing.
The exit status is 1 if a check fails, and 0 if there are only warnings.`,
  examples: ['perennial doctor', 'DATABASE_URL=postgres://… perennial doctor --json'],
  options: {},
  environment: [
    'DATA_DIR',
    'DATABASE_URL',
    'DATABASE_MIGRATE_URL',
    'DATABASE_ALLOW_OWNER',
    'DATABASE_POOLER_URL',
    'DATABASE_LISTEN_URL',
    'SECRET_KEY',
    'PROVISION_FILE',
    'HOST',
    'PORT',
    'PUBLIC_URL',
    'SMTP_URL',
    'S3_BUCKET',
    'S3_ENDPOINT',
    'S3_REGION',
    'S3_ACCESS_KEY_ID',
    'S3_SECRET_ACCESS_KEY',
  ],
  async run({ config, terminal }) {
    const findings: Finding[] = [
      nodeVersion(),
      ...dataFolder(config),
      ...provisionFile(config),
      ...(await database(config)),
      ...(await address(config)),
      await mail(config),
      await files(config),
    ]
    return resultOf(findings, terminal, {
      verdict: (failed) => (failed ? `${failed} failed` : 'Nothing stands in the way'),
    })
  },
}
