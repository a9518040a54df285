import type { Codes, Component } from './component.ts'
import { connection } from './component.ts'

/** Every other operation of the surface, signed. */
export function universal(codes: Codes): Component {
  const methods = ['GET', 'POST', 'PUT', 'DELETE'].map((value) => ({ label: value, value }))
  const pair = [
    { name: 'key', type: 'text', label: 'Key' },
    { name: 'value', type: 'text', label: 'Value' },
  ]
  return {
    label: 'Make an API Call',
    description: 'Performs any other call of the integration surface.',
    moduleType: 'universal',
    connection,
    codeFiles: codes('modules', 'make_an_api_call', {
      communication: [
        'communication',
        {
          url: '{{parameters.url}}',
          method: '{{parameters.method}}',
          qs: { '{{...}}': "{{toCollection(parameters.qs, 'key', 'value')}}" },
          body: '{{parameters.body}}',
          type: 'text',
          headers: { 'content-type': 'application/json' },
          response: { output: { body: '{{body}}', statusCode: '{{statusCode}}' } },
        },
      ],
      staticParams: ['static-params', []],
      mappableParams: [
        'mappable-params',
        [
          {
            name: 'url',
            type: 'text',
            label: 'Path',
            required: true,
            help: 'Such as /automation/templates',
            validate: { pattern: '^/[^/]' },
          },
          {
            name: 'method',
            type: 'select',
            label: 'Method',
            default: 'GET',
            required: true,
            options: methods,
          },
          { name: 'qs', type: 'array', label: 'Query', spec: pair },
          { name: 'body', type: 'any', label: 'Body' },
        ],
      ],
      interface: [
        'interface',
        [
          { name: 'body', type: 'any', label: 'Body' },
          { name: 'statusCode', type: 'number', label: 'Status Code' },
        ],
      ],
      samples: ['samples', {}],
      scope: ['scope', []],
    }),
  }
}
