import {
  after,
  camel,
  change,
  checked,
  create,
  createMigration,
  importing,
  pascal,
  sentence,
} from './edit.ts'

/** A record with a name, an address in the API, the ordinary five operations and an event. */
export const record = {
  usage: 'record bookmarks bookmark',
  write(words: string[]): string[] {
    const [module = '', word = ''] = checked(words, 2)
    const name = pascal(word)
    create(
      `server/src/model/${module}/${word.replaceAll('_', '-')}.ts`,
      declaration(module, word, name),
    )
    createMigration(module, migration(module, word))
    const file = `${module}/${word.replaceAll('_', '-')}.ts`
    change('server/src/model/all.ts', (text) =>
      importing(
        text.replace(/(export const records = register\(\[\n[^\]]*)\]/, `$1  ${name},\n]`),
        name,
        `./${file}`,
      ),
    )
    change('server/src/surfaces/application/routes.ts', (text) =>
      importing(
        importing(
          after(
            text,
            / {4}\.\.\.plain\(/,
            `    ...plain('/api/${module.replaceAll('_', '-')}/', ${camel(module)}, ${name}),\n`,
          ),
          name,
          `../../model/${file}`,
        ),
        `${camel(module)}`,
        `../../model/${file}`,
      ),
    )
    change('server/scripts/layers.ts', (text) =>
      text.replace(/('server\/src\/model': \[[^]*?\n)( {2}\],)/, `$1    ['${module}'],\n$2`),
    )
    return [
      `what a ${word} is: its fields, in server/src/model/${file} and the migration`,
      'its place among the folders: server/scripts/layers.ts',
      'the expectations of the tests: CONTRIBUTING, "Add a record"',
      'npm run openapi, and a line in CHANGELOG.md',
    ]
  },
}

function declaration(module: string, word: string, name: string): string {
  return `import { crud } from '../../kit/crud.ts'
import { key, stamp, text } from '../../kit/record/fields.ts'
import { record } from '../../kit/record/record.ts'
import { person } from '../people/person.ts'

/** ${sentence(word)}: say what it is. */
export const ${name} = record(
  {
    module: '${module}',
    word: '${word}',
    title: '${word}_name',
    find: {
      searchable: true,
    },
    apps: {
      scope: { word: '${word}', things: '${module.replaceAll('_', ' ')}', isReadOnly: true },
    },
    events: {
      kinds: {
        ${word}_created: { on: 'created', summary: 'A ${word.replaceAll('_', ' ')} was created' },
      },
    },
  },
  {
    ${word}_id: key({ description: 'identifier of the ${word.replaceAll('_', ' ')}' }),
    ${word}_name: text(255, { required: true, description: 'name of the ${word.replaceAll('_', ' ')}' }),
    created_by: person({ readOnly: true, nullable: true }),
    creation_time: stamp(),
    last_update_time: stamp(),
  },
)

/** The ordinary operations of ${module.replaceAll('_', ' ')}. */
export const ${camel(module)} = crud(${name})
`
}

function migration(module: string, word: string): string {
  return `create table ${module} (
  organization_id varchar(25) collate "C" not null references organizations deferrable,
  id varchar(25) collate "C" not null,
  ${word}_name text not null,
  created_by varchar(25) collate "C",
  version integer not null default 1,
  creation_time timestamptz(3) not null default now(),
  last_update_time timestamptz(3) not null default now(),
  deleted_at timestamptz(3),
  primary key (organization_id, id)
);
create index ${module}_created on ${module} (organization_id, creation_time, id) where deleted_at is null;
select make_tenant('${module}');
select make_filterable('${module}');
select make_searchable('${module}', 'new.${word}_name', null, '{${word}_name}');
-- the levels that each role has on tags
update roles set permission = permission || jsonb_build_object('${module}', permission -> 'tags');
`
}
