import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow'
import { catalogue } from '../catalogue.ts'
import type { RecordModel } from '../model.ts'

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
    displayName: 'ID',
    name: 'recordId',
    type: 'string',
    required: true,
    default: '',
    displayOptions: { show: { operation: ['get', 'update'] } },
    description: 'The ID of the record',
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
]

function operationsOf({ word, label, plural, create, title }: RecordModel): INodeProperties {
  const name = label.toLowerCase()
  const options: INodePropertyOptions[] = [
    {
      name: 'Create',
      value: 'create',
      action: `Create a ${name}`,
      description: `Create a ${name}`,
    },
    ...(create.isUpsert
      ? [
          {
            name: 'Create or Update',
            value: 'createOrUpdate',
            action: `Create or update a ${name}`,
            description: `Create a ${name}, or update the one that has the same ${word === 'contact' ? 'email' : 'domain'} or ${title.replaceAll('_', ' ')}`,
          },
        ]
      : []),
    { name: 'Get', value: 'get', action: `Get a ${name}`, description: `Read a ${name} by its ID` },
    {
      name: 'Get Many',
      value: 'getMany',
      action: `Get many ${plural.toLowerCase()}`,
      description: `Find and list ${plural.toLowerCase()}`,
    },
    {
      name: 'Update',
      value: 'update',
      action: `Update a ${name}`,
      description: `Change the filled fields of a ${name}`,
    },
  ]
  return {
    displayName: 'Operation',
    name: 'operation',
    type: 'options',
    noDataExpression: true,
    displayOptions: { show: { resource: [word] } },
    options,
    default: 'create',
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
      ...find.map(({ key, label }) => ({
        displayName: label,
        name: key,
        type: 'string' as const,
        default: '',
        description: `Only ${plural.toLowerCase()} of which this is the ${label.toLowerCase()}`,
      })),
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
