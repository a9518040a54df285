import type { Model, RecordModel } from '../model.ts'
import type { Codes, Component } from './component.ts'
import { connection } from './component.ts'
import { base, communication, parameters } from './connection.ts'
import type { Parameter, Spec } from './forms.ts'
import { bodyOf, customFieldsRpc, dropdownRpc, formOf, interfaceOf } from './forms.ts'
import { universal } from './universal.ts'
import { groupsOf, watchChanges, watchOf } from './watch.ts'

type Files = { [path: string]: string }
type Components = { [id: string]: Component }

const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`

/** Every file of the Make app by its path, in the layout of Make's local development. */
export function printMake(model: Model): Files {
  const files: Files = {}
  /** Adds the code files of a component; returns their paths. */
  const codes = (folder: string, id: string, codeOf: { [code: string]: [string, unknown] }) =>
    Object.fromEntries(
      Object.entries(codeOf).map(([code, [suffix, value]]) => {
        const path = `${folder}/${id}/${id}.${suffix}.iml.json`
        files[path] = json(value)
        return [code, path]
      }),
    )
  const components = {
    connection: { [connection]: connectionOf(codes) },
    webhook: {} as Components,
    module: {} as Components,
    rpc: {} as Components,
    function: {},
    endpoint: {},
  }
  const groups: { label: string; modules: string[] }[] = []
  for (const record of model.records)
    groups.push(addRecord(model, record, components.module, codes))
  groups.push({ label: 'Other', modules: ['make_an_api_call'] })
  components.module.make_an_api_call = universal(codes)
  const watches = { label: 'Events', modules: [] as string[] }
  for (const [word, triggers] of groupsOf(model.triggers)) {
    const { id, webhook, module } = watchOf(word, triggers, codes)
    components.webhook[id] = webhook
    components.module[id] = module
    watches.modules.push(id)
  }
  const asking = watchChanges(model, codes)
  components.module[asking.id] = asking.module
  watches.modules.push(asking.id)
  groups.unshift(watches)
  for (const [key, dropdown] of Object.entries(model.dropdowns)) {
    const id = `list_${key}`
    components.rpc[id] = rpcOf(id, `List ${key.replaceAll('_', ' ')}`, dropdownRpc(dropdown), codes)
  }
  for (const { word, label, customFields } of model.records) {
    if (!customFields) continue
    const id = `${word}_custom_fields`
    components.rpc[id] = rpcOf(id, `${label} fields`, customFieldsRpc(customFields), codes)
  }
  files['general/base.iml.json'] = json(base)
  files['general/common.json'] = json({})
  files['modules/groups.json'] = json(groups)
  files['README.md'] = readme
  files['makecomapp.json'] = json({
    fileVersion: 1,
    generalCodeFiles: {
      base: 'general/base.iml.json',
      common: 'general/common.json',
      readme: 'README.md',
      groups: 'modules/groups.json',
    },
    components,
    origins: [],
  })
  return files
}

function connectionOf(codes: Codes): Component {
  return {
    label: 'Perennial',
    connectionType: 'oauth',
    codeFiles: codes('connections', connection, {
      communication: ['oauth-communication', communication],
      params: ['params', parameters],
      scopeList: ['scope-list', {}],
      defaultScope: ['default-scope', []],
    }),
  }
}

/** Its create, update, read and search modules; returns their group. */
function addRecord(model: Model, record: RecordModel, modules: Components, codes: Codes) {
  const { word, label, plural, read, create, update } = record
  const name = label.toLowerCase()
  const data = { output: '{{body.data}}' }
  const recordId: Parameter = {
    name: 'record_id',
    type: 'select',
    // chosen from the list, or mapped
    mode: 'edit',
    label: `${label} ID`,
    required: true,
    options: { store: `rpc://list_${word}` },
  }
  const upsert = { on_duplicate: "{{if(parameters.on_duplicate, 'update', 'fail')}}" }
  const onDuplicate: Parameter = {
    name: 'on_duplicate',
    type: 'boolean',
    label: 'Update the one that exists',
    help: 'Without it a record that exists already is an error',
  }
  const path = (text: string) => text.replace('{id}', '{{encodeURL(parameters.record_id)}}')
  const add = (
    key: string,
    about: { label: string; description: string; actionCrud?: string },
    form: Spec,
    sent: object,
  ) => {
    const isSearch = key.startsWith('search_')
    modules[key] = {
      ...about,
      moduleType: isSearch ? 'search' : 'action',
      connection,
      codeFiles: codes('modules', key, {
        communication: ['communication', sent],
        staticParams: ['static-params', []],
        mappableParams: ['mappable-params', form],
        interface: ['interface', interfaceOf(record)],
        samples: ['samples', record.sample],
        scope: ['scope', []],
      }),
    }
    return key
  }
  const article = /^[aeiou]/.test(name) ? 'an' : 'a'
  return {
    label: plural,
    modules: [
      ...(create
        ? [
            add(
              `create_${word}`,
              {
                label: `Create ${article} ${label}`,
                description: `Creates ${article} ${name}.`,
                actionCrud: 'create',
              },
              [...formOf(model, record, 'create'), ...(create.isUpsert ? [onDuplicate] : [])],
              {
                url: create.path,
                method: 'POST',
                ...(create.isUpsert && { qs: upsert }),
                body: bodyOf(record, 'create', create.body),
                response: data,
              },
            ),
          ]
        : []),
      ...(update
        ? [
            add(
              `update_${word}`,
              {
                label: `Update ${article} ${label}`,
                description: `Changes the filled fields of ${article} ${name}.`,
                actionCrud: 'update',
              },
              [recordId, ...formOf(model, record, 'update')],
              {
                url: path(update.path),
                method: 'PUT',
                body: bodyOf(record, 'update'),
                response: data,
              },
            ),
          ]
        : []),
      add(
        `get_${word}`,
        {
          label: `Get ${article} ${label}`,
          description: `Reads ${article} ${name} by its ID.`,
          actionCrud: 'read',
        },
        [recordId],
        {
          url: path(read.path),
          ...(read.parameter && { qs: { [read.parameter]: '{{parameters.record_id}}' } }),
          response: { output: '{{body}}' },
        },
      ),
      add(
        `search_${plural.toLowerCase()}`,
        {
          label: `Search ${plural}`,
          description: `Finds ${plural.toLowerCase()}, those that changed last first.`,
        },
        [
          ...record.find.map(({ key, label: finder, dropdown, options }) => {
            const store = dropdown ? `rpc://list_${dropdown}` : options
            return {
              name: key,
              type: store ? 'select' : 'text',
              label: finder,
              ...(store && { mode: 'edit', options: { store } }),
            }
          }),
          { name: 'limit', type: 'uinteger', label: 'Limit', default: 10, required: true },
        ],
        searchOf(record),
      ),
    ],
  }
}

function searchOf({ list, find }: RecordModel) {
  return {
    url: list.path,
    qs: {
      ...list.query,
      sort: '-last_update_time',
      limit: 100,
      ...Object.fromEntries(find.map(({ key }) => [key, `{{parameters.${key}}}`])),
    },
    pagination: { qs: { next_cursor: '{{body.next_cursor}}' }, condition: '{{body.next_cursor}}' },
    response: {
      limit: '{{parameters.limit}}',
      iterate: '{{body.results}}',
      output: '{{item}}',
    },
  }
}

function rpcOf(id: string, label: string, sent: object, codes: Codes): Component {
  return {
    label,
    connection,
    codeFiles: codes('rpcs', id, {
      communication: ['communication', sent],
      params: ['params', []],
    }),
  }
}

const readme = `# Perennial

Companies, contacts, accounts, deals, projects, tasks, meetings, documents, comments, surveys and events of Perennial. Printed by \`npm run connectors\`; how to deploy and
connect it is in \`docs/guide/make.md\` of the repository.
`
