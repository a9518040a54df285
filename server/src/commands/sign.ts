import { Mismatch, authorize, exchange, signIn, signedHeaders } from '../tour/connector.ts'
import { accessOf, accessOptions } from './access.ts'
import type { Command } from './command.ts'
import { ConfigError } from '../kit/ground/errors.ts'

/** `perennial sign` */
export const sign: Command = {
  summary: 'sign a request of the integration surface for curl',
  about: `Signs in, approves the app, gets an access token and prints the headers of a signed request as a
configuration for "curl -K -". Without options it uses the demo in the data folder. The signature is valid
for five minutes.`,
  examples: [
    'npm run -s perennial -- sign | curl -s -K - "$PUBLIC_URL/automation/company?limit=3"',
    'perennial sign --json',
  ],
  options: accessOptions,
  environment: ['DATA_DIR', 'PUBLIC_URL', 'AUTOMATION_SEGMENT'],
  async run(call) {
    const access = accessOf(call)
    try {
      const code = await authorize(access, await signIn(access))
      const { access_token } = await exchange(access, code)
      const headers = signedHeaders(access, access_token)
      const lines = Object.entries(headers).map(([name, value]) => `header = "${name}: ${value}"`)
      return { json: { headers }, text: lines.join('\n') }
    } catch (error) {
      if (error instanceof Mismatch) {
        throw new ConfigError(error.message)
      }
      throw error
    }
  },
}
