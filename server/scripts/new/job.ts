import { existsSync } from 'node:fs'
import { after, camel, change, checked, create, importing } from './edit.ts'

/** A job that a write enqueues. */
export const job = {
  usage: 'job tasks count_tasks',
  write(words: string[]): string[] {
    const [family = '', name = ''] = checked(words, 2)
    if (!existsSync(`server/src/records/${family}`)) throw new Error(`no family ${family}`)
    const dashed = name.replaceAll('_', '-')
    const called = camel(name)
    const path = `server/src/records/${family}/${dashed}.ts`
    create(
      path,
      `import type { Job } from '../../kit/ground/job.ts'
import { mine, sql } from '../../kit/ground/sql.ts'

/** Say what it does. It may run more than once: what is done already is left alone. */
export const ${called}: Job<{ id: string }> = {
  name: '${dashed}',
  async run({ write, signal }, { id }) {
    signal.throwIfAborted()
    await write(async (ctx) => {
      await ctx.one(sql\`select from events t where \${mine(ctx)} and t.id = \${id}\`)
    })
  },
}
`,
    )
    change('server/src/jobs/own.ts', (text) =>
      importing(
        after(text, / {4}\w+ as Job,/, `    ${called} as Job,\n`),
        called,
        `../records/${family}/${dashed}.ts`,
      ),
    )
    return [
      `what it does: ${path}, and a test that twice is as once`,
      `the write that needs it: ctx.enqueue(${called}, { … })`,
    ]
  },
}
