/** A role's name as it is shown: those of the system begin with a capital. */
export function roleName(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}
