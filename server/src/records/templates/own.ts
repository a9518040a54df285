import type { Context } from '../../kit/ground/context.ts'
import { forbidden } from '../../kit/ground/errors.ts'
import { lock } from '../../kit/write/write.ts'
import { Template } from '../../model/templates/template.ts'

/** Locks a template of the organization; 403 for those that come with the product. */
export async function lockOwn(
  ctx: Context,
  id: string,
  action: 'update' | 'delete',
  ifMatch?: number[],
) {
  const locked = await lock(ctx, Template, id, action, ifMatch)
  if (locked.row.is_predefined) {
    throw forbidden('This template comes with the product: duplicate it to change it', 'protected')
  }
  return locked
}
