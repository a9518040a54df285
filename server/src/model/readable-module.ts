import type { Context } from '../kit/ground/context.ts'
import { badField, forbidden } from '../kit/ground/errors.ts'
import type { AnyRecord } from '../kit/record/record.ts'
import { levelOf } from '../kit/record/scope.ts'
import { listedModule, recordsByModule } from './by-module.ts'

/** The record that is listed, by the module's number or word; 400 if there is none. */
export function listedRecord(input: unknown): AnyRecord {
  const module = listedModule(input)
  const record = module === undefined ? undefined : recordsByModule[module]
  if (record) return record
  throw badField('module', `must be one of ${Object.keys(recordsByModule).join(', ')}`)
}

/** The same; 403 when the caller may not read it. */
export function readableRecord(ctx: Context, input: unknown): AnyRecord {
  const record = listedRecord(input)
  if (!isReadable(ctx, record.module)) throw forbidden(`Your role may not read ${record.module}`)
  return record
}

/** The records with a list that the caller may read. */
export function readableRecords(ctx: Context): AnyRecord[] {
  return Object.values(recordsByModule).filter(({ module }) => isReadable(ctx, module))
}

function isReadable(ctx: Context, module: string): boolean {
  return levelOf(ctx.actor, module, 'read') !== 'none'
}
