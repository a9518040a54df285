import { relative, dirname } from 'node:path'
import { before, change, checked, createMigration, importing, recordNamed } from './edit.ts'

type Type = { sql: string; initial?: string; field: (facts: string) => string }

/** What a field of each type is in the database and in the declaration. */
const types: { [type: string]: Type } = {
  text: { sql: 'text', field: (facts) => `text(255, { ${facts} })` },
  integer: { sql: 'integer', field: (facts) => `integer({ ${facts} })` },
  number: { sql: 'double precision', field: (facts) => `number({ ${facts} })` },
  boolean: {
    sql: 'boolean',
    initial: 'false',
    field: (facts) => `boolean({ default: false, ${facts} })`,
  },
  date: { sql: 'date', field: (facts) => `date({ ${facts} })` },
  timestamp: { sql: 'timestamptz', field: (facts) => `timestamp({ ${facts} })` },
}

const fields = 'server/src/kit/record/fields.ts'

/** A field of a record: the line of its declaration, and its migration. */
export const field = {
  usage: `field accounts renewal_date ${Object.keys(types).join('|')}|user|<record> "what it means"`,
  write(words: string[]): string[] {
    const [of = '', name = '', type = ''] = checked(words, 3)
    const description = words[3] ?? ''
    if (!description) throw new Error('say what it means, as the API document describes it')
    const { file, table, word } = recordNamed(of)
    const from = (path: string) => `./${relative(dirname(file), path)}`.replace(/^\.\/\.\./, '..')
    const plain = types[type]
    const target = plain || type === 'user' ? undefined : recordNamed(type)
    const facts = `description: ${JSON.stringify(description)}`
    const imports: [string, string][] = []
    let value: string
    if (plain) {
      imports.push([type, from(fields)])
      value = plain.field(facts)
    } else if (target) {
      imports.push(['reference', from(fields)], [target.name, from(target.file)])
      value = `reference(
        {
          table: '${target.table}',
          shows: null,
          to: () => ${target.name},
          by: { ${target.word}_id: { column: 'id' }, id: { column: 'id' } },
        },
        { ${facts} },
      )`
    } else {
      imports.push(['person', from('server/src/model/people/person.ts')])
      value = `person({ ${facts} })`
    }
    change(file, (text) => {
      const line = `    ${name}: ${value},\n`
      // before what every record has at its end
      const added = before(text, / {4}(?:custom_fields|creation_time): /, line)
      if (added === text) throw new Error(`${file} has no creation_time: write the field by hand`)
      return imports.reduce((all, [each, path]) => importing(all, each, path), added)
    })
    const call = plain
      ? `add_field('${table}', '${name}', '${plain.sql}'${plain.initial ? `, '${plain.initial}'` : ''})`
      : `add_reference('${table}', '${name}', '${target?.table ?? 'users'}')`
    createMigration(`${name}_of_${table}`, `select ${call};\n`)
    return [
      `a column of the screens: web/src/${of}/${of}.ts`,
      `a label, if the connectors have ${word}s: connectors/catalogue.ts`,
      'npm run openapi && npm run connectors, and a line in CHANGELOG.md',
    ]
  },
}
