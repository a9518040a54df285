import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow'
import { catalogue } from '../catalogue.ts'
import type { Finder, RecordModel } from '../model.ts'

/** Those of the API's filter that a form with one value can offer. */
const operators = [
  ['contains', 'Contains'],
  ['gte', 'Is at Least'],
  ['lte', 'Is at Most'],
  ['is_empty', 'Is Empty'],
  ['eq', 'Is Equal'],
  ['is_not_empty', 'Is Not Empty'],
  ['neq', 'Is Not Equal'],
  ['in', 'Is One Of'],
] as const

/** The node's parameters, from the catalogue. */
export const properties: INodeProperties[] = [
  {
    displayName: 'Resource',
    name: 'resource',
    type: 'options',
    noDataExpression: true,
    options: catalogue.records.map(({ label, word }) => ({ name: label, value: word })),
    default: 'company',
  },
  ...catalogue.records.map(operationsOf),
  {
    displayName: 'Record',
    name: 'recordId',
    type: 'resourceLocator',
    required: true,
    default: { mode: 'list', value: '' },
    displayOptions: { show: { operation: ['get', 'update'] } },
    description: 'The record, from the list or by its ID',
    modes: [
      {
        displayName: 'From List',
        name: 'list',
        type: 'list',
        typeOptions: { searchListMethod: 'searchRecords', searchable: true },
      },
      {
        displayName: 'By ID',
        name: 'id',
        type: 'string',
        placeholder: '03h9vqz0k4m2x7c5t8b1n6r3d',
      },
    ],
  },
  {
    displayName: 'Fields',
    name: 'fields',
    type: 'resourceMapper',
    noDataExpression: true,
    default: { mappingMode: 'defineBelow', value: null },
    typeOptions: {
      loadOptionsDependsOn: ['resource', 'operation'],
      resourceMapper: {
        resourceMapperMethod: 'formOf',
        mode: 'add',
        addAllFields: false,
        supportAutoMap: true,
        fieldWords: { singular: 'field', plural: 'fields' },
      },
    },
    displayOptions: { show: { operation: ['create', 'createOrUpdate', 'update'] } },
  },
  {
    displayName: 'Write Items Together',
    name: 'together',
    type: 'boolean',
    default: false,
    displayOptions: {
      show: {
        resource: catalogue.records.filter(({ bulk }) => bulk).map(({ word }) => word),
        operation: ['create', 'createOrUpdate', 'update'],
      },
    },
    description:
      'Whether up to 500 items are one request; each puts out whether it was created or updated, and its ID',
  },
  {
    displayName: 'Return All',
    name: 'returnAll',
    type: 'boolean',
    default: false,
    displayOptions: { show: { operation: ['getMany'] } },
    description: 'Whether to return all results or only up to a given limit',
  },
  {
    displayName: 'Limit',
    name: 'limit',
    type: 'number',
    typeOptions: { minValue: 1 },
    default: 50,
    displayOptions: { show: { operation: ['getMany'], returnAll: [false] } },
    description: 'Max number of results to return',
  },
  ...catalogue.records.map(filtersOf),
  ...catalogue.records.filter(({ customFields }) => customFields).map(conditionsOf),
]

function operationsOf({
  word,
  label,
  plural,
  create,
  update,
  title,
}: RecordModel): INodeProperties {
  const name = label.toLowerCase()
  const one = `${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name}`
  const options: INodePropertyOptions[] = [
    ...(create
      ? [
          {
            name: 'Create',
            value: 'create',
            action: `Create ${one}`,
            description: `Create ${one}`,
          },
        ]
      : []),
    ...(create?.isUpsert
      ? [
          {
            name: 'Create or Update',
            value: 'createOrUpdate',
            action: `Create or update ${one}`,
            description: `Create ${one}, or update the one that has the same ${word === 'contact' ? 'email' : 'domain'} or ${title.replaceAll('_', ' ')}`,
          },
        ]
      : []),
    { name: 'Get', value: 'get', action: `Get ${one}`, description: `Read ${one} by its ID` },
    {
      name: 'Get Many',
      value: 'getMany',
      action: `Get many ${plural.toLowerCase()}`,
      description: `Find and list ${plural.toLowerCase()}`,
    },
    ...(update
      ? [
          {
            name: 'Update',
            value: 'update',
            action: `Update ${one}`,
            description: `Change the filled fields of ${one}`,
          },
        ]
      : []),
  ]
  return {
    displayName: 'Operation',
    name: 'operation',
    type: 'options',
    noDataExpression: true,
    displayOptions: { show: { resource: [word] } },
    options,
    default: create ? 'create' : 'getMany',
  }
}

function filtersOf({ word, find, plural }: RecordModel): INodeProperties {
  return {
    displayName: 'Filters',
    name: 'filters',
    type: 'collection',
    placeholder: 'Add Filter',
    default: {},
    displayOptions: { show: { resource: [word], operation: ['getMany'] } },
    options: [
      ...find.map((finder) => filterOf(finder, plural)),
      {
        displayName: 'Updated Since',
        name: 'updatedSince',
        type: 'dateTime',
        default: '',
        description: `Only ${plural.toLowerCase()} that changed at this time or later`,
      },
    ],
  }
}

function filterOf({ key, label, dropdown, options }: Finder, plural: string): INodeProperties {
  const name = label.toLowerCase()
  if (dropdown && !catalogue.dropdowns[dropdown]?.path.includes('{')) {
    return {
      displayName: `${label} Name or ID`,
      name: key,
      type: 'options',
      typeOptions: { loadOptionsMethod: dropdown },
      default: '',
      description: `Only ${plural.toLowerCase()} with this ${name}. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.`,
    }
  }
  if (options) {
    return {
      displayName: label,
      name: key,
      type: 'options',
      options: options.map((each) => ({ name: each.label, value: each.value })),
      default: options[0]?.value ?? '',
      description: `Only ${plural.toLowerCase()} with this ${name}`,
    }
  }
  return {
    displayName: label,
    name: key,
    type: 'string',
    default: '',
    description: `Only ${plural.toLowerCase()} of which this is the ${name}`,
  }
}

/** Conditions on any field, custom ones too. */
function conditionsOf({ word, plural }: RecordModel): INodeProperties {
  return {
    displayName: 'Conditions',
    name: 'conditions',
    type: 'fixedCollection',
    typeOptions: { multipleValues: true },
    placeholder: 'Add Condition',
    default: {},
    displayOptions: { show: { resource: [word], operation: ['getMany'] } },
    description: `Only ${plural.toLowerCase()} for which all of these hold`,
    options: [
      {
        displayName: 'Condition',
        name: 'condition',
        values: [
          {
            displayName: 'Field Name or ID',
            name: 'field',
            type: 'options',
            typeOptions: { loadOptionsMethod: 'fieldsOfResource' },
            default: '',
            description:
              'Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
          },
          {
            displayName: 'Operator',
            name: 'operator',
            type: 'options',
            options: operators.map(([value, name]) => ({ name, value })),
            default: 'eq',
          },
          {
            displayName: 'Value',
            name: 'value',
            type: 'string',
            default: '',
            description: 'Several are separated by commas; none for Is Empty and Is Not Empty',
          },
        ],
      },
    ],
  }
}
