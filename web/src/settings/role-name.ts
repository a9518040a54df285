import { capital } from '../ui/capital.ts'

/** A role's name as it is shown: those of the system begin with a capital. */
export function roleName(name: string): string {
  return capital(name)
}
