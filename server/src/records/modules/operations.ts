import { Type } from 'typebox'
import type { Context } from '../../kit/ground/context.ts'
import { forbidden, notFound } from '../../kit/ground/errors.ts'
import { Answer, operation } from '../../kit/ground/operation.ts'
import { mayAll } from '../../kit/record/scope.ts'
import { listedModule, recordsByModule } from '../../model/by-module.ts'
import { readableRecords } from '../../model/readable-module.ts'
import type { Surface } from './describe.ts'
import { describe } from './describe.ts'
import { describedModule, moduleWithFields } from './description.ts'
import { layoutSchema } from './layout-shape.ts'
import { placeFields } from './layout.ts'

/** Descriptions of the modules that the caller may read, from which screens and forms are drawn. */
export function moduleOperations(surface: Surface) {
  /** A module by its word or number; 404 where the caller may not read it. */
  async function described(ctx: Context, name: string) {
    const word = (/^\d+$/.test(name) ? listedModule(name) : name) ?? ''
    const record = Object.hasOwn(recordsByModule, word) ? recordsByModule[word] : undefined
    if (!record || !readableRecords(ctx).includes(record)) throw notFound('Module')
    return describe(ctx, record, surface)
  }
  return {
    described,
    place: operation({
      name: 'update_module_layout',
      summary: 'Place the fields of a module on its pages',
      description:
        'For everybody: what stands below the name, what beside the work, and what only among all fields. ' +
        'null is as it was declared.',
      can: 'signed_in',
      topic: 'modules',
      writes: true,
      input: {
        params: Type.Object({ module: Type.String({ description: 'a word or number' }) }),
        body: layoutSchema,
      },
      output: moduleWithFields,
      async run(ctx, { params, body }) {
        const { module, fields } = await described(ctx, params.module)
        const record = recordsByModule[module]
        if (!record || !mayAll(ctx.actor, module, 'update')) {
          throw forbidden(`Only a role that may update all ${module} may place their fields`)
        }
        return describe(ctx, record, surface, await placeFields(ctx, record, fields, body))
      },
    }),
    list: operation({
      name: 'list_modules',
      summary: 'List modules',
      description: 'Those that the caller may read, with what it may do in each.',
      can: 'signed_in',
      topic: 'modules',
      writes: false,
      input: {},
      output: Type.Array(describedModule),
      run: (ctx) =>
        Promise.all(
          readableRecords(ctx).map(async (record) => {
            const {
              fields: _fields,
              layout: _layout,
              ...module
            } = await describe(ctx, record, surface)
            return module
          }),
        ),
    }),
    read: operation({
      name: 'read_module',
      summary: 'Retrieve a module with its fields',
      description: 'Labels, types, options and limits, of built-in and custom fields.',
      can: 'signed_in',
      topic: 'modules',
      writes: false,
      isRevalidated: true,
      input: {
        params: Type.Object({ module: Type.String({ description: 'a word or number' }) }),
      },
      output: moduleWithFields,
      async run(ctx, { params }) {
        const module = await described(ctx, params.module)
        return new Answer(module, { version: module.version })
      },
    }),
  }
}
