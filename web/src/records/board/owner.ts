import type { Module } from '../../data/modules.ts'
import { fieldOf } from '../../data/modules.ts'

/** The field with the owner of a record. */
export function ownerOf(module: Module): string {
  return (
    ['project_owner', 'owner', 'contact_owner', 'company_owner', 'account_owner'].find((name) =>
      fieldOf(module, name),
    ) ?? ''
  )
}
