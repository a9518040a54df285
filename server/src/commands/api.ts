import { accessOf, accessOptions, serverOf } from './access.ts'
import { documentOf, operationNamed, operationsOf, usageOf } from './api-operations.ts'
import { requestOf } from './api-request.ts'
import { type Command, table } from './command.ts'
import { connectTo, succeeded } from './integration.ts'

/** `perennial api` */
export const api: Command = {
  summary: 'call an operation of the integration surface, signed',
  about: `Signs in, approves the app, signs the request and prints the answer. Name the operation by its operationId in
the API document, followed by its fields of path, query and body, each as --field VALUE. Lists take commas or a
repeated option, objects take JSON or a dotted name such as --custom_fields.tier gold. Without an operation,
the command lists all of them; --help after an operation shows its fields. Options of the connection go before
the operation. Without them, the demo in the data folder is used.`,
  examples: [
    'perennial api get_company --limit 3',
    'perennial api create_company --company_name "Okafor Foods" --domain okafor.example',
    'perennial api create_company --help',
    'perennial api --url https://crm.example.com --client-id … get_projects --json',
  ],
  takes: '[OPERATION] [--field VALUE …]',
  readsRest: true,
  options: accessOptions,
  environment: ['DATA_DIR', 'PUBLIC_URL', 'AUTOMATION_SEGMENT'],
  async run(call) {
    const operations = operationsOf(await documentOf(serverOf(call), call.config))
    if (!call.argument) {
      const rows = operations.map(({ id, summary }) => [id, summary])
      const list = operations.map(({ id, method, path, summary }) => ({
        id,
        method,
        path,
        summary,
      }))
      return { json: { operations: list }, text: table(rows) }
    }
    const operation = operationNamed(operations, call.argument)
    if (call.flag('help')) {
      const { id, method, path, fields } = operation
      return { json: { id, method, path, fields }, text: usageOf(operation) }
    }
    const { path, query, json } = requestOf(operation, call.rest)
    const connection = connectTo(accessOf(call))
    const reply = succeeded(await connection.send(operation.method, path, { query, json }))
    if (!reply.text) return { json: {}, text: `Done (${reply.status})` }
    return { json: reply.body, text: JSON.stringify(reply.body, null, 2) }
  },
}
