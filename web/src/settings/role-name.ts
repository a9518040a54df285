import { capital } from '../ui/capital.ts'

/** A role's name for display: those of system roles are capitalized. */
export function roleName(name: string): string {
  return capital(name)
}
