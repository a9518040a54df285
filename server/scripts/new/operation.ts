import { after, camel, change, checked, create, importing, recordNamed, sentence } from './edit.ts'

/** An operation on one record, with its route and a test. */
export const operation = {
  usage: 'operation tasks archive',
  write(words: string[]): string[] {
    const [of = '', verb = ''] = checked(words, 2)
    const { file, name, word } = recordNamed(of)
    const [, , , family = ''] = file.split('/')
    const called = camel(`${verb}_${word}`)
    const dashed = verb.replaceAll('_', '-')
    const path = `server/src/records/${family}/${dashed}.ts`
    const model = `../../model/${file.slice('server/src/model/'.length)}`
    create(path, declaration({ called, verb, word, name, model, of }))
    create(`server/src/records/${family}/${dashed}.test.ts`, testOf(of, dashed, word))
    const route = `/api/${of.replaceAll('_', '-')}/{id}/${dashed}/`
    change('server/src/surfaces/application/routes.ts', (text) =>
      importing(
        after(text, / {4}\.\.\.plain\(/, `    post('${route}', ${called}),\n`),
        called,
        `../../records/${family}/${dashed}.ts`,
      ),
    )
    return [
      `what it does: ${path}; the address, ${route}, and the right that it needs`,
      'a valid request, server/test/support/cases.ts, and its line in server/test/support/access.ts',
      'npm run openapi, and a line in CHANGELOG.md',
    ]
  },
}

type Named = { called: string; verb: string; word: string; name: string; model: string; of: string }

function declaration({ called, verb, word, name, model, of }: Named): string {
  const words = `${verb} a ${word}`.replaceAll('_', ' ')
  return `import { byId } from '../../kit/crud.ts'
import { operation } from '../../kit/ground/operation.ts'
import { readSchema } from '../../kit/record/schema.ts'
import { lock, update, written } from '../../kit/write/write.ts'
import { ${name} } from '${model}'

/** ${sentence(words)}: say what it does. */
export const ${called} = operation({
  name: '${verb}_${word}',
  summary: '${sentence(words)}',
  can: { module: '${of}', action: 'update' },
  writes: true,
  input: { params: byId },
  output: readSchema(${name}),
  run: async (ctx, { params, ifMatch }) =>
    written(await update(ctx, await lock(ctx, ${name}, params.id, 'update', ifMatch), {})),
})
`
}

function testOf(of: string, dashed: string, word: string): string {
  return `import { test } from 'node:test'
import { refused } from '../../../test/support/refused.ts'
import { makeOrganization, startService } from '../../../test/support/service.ts'

test('${`a ${word}`.replaceAll('_', ' ')} that does not exist is not found', async () => {
  const service = await startService()
  const { token } = (await makeOrganization(service)).users.admin
  refused(await service.call('POST', '/api/${of.replaceAll('_', '-')}/nothing/${dashed}/', { token }), 404)
})
`
}
