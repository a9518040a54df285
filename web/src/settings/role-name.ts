import { capital } from '../ui/capital.ts'
import { t } from '../locales/text.ts'

/** A role's name for display: those of system roles are capitalized. */
export function roleName(name: string): string {
  return builtIn[name] ?? capital(name)
}

const builtIn: { [name: string]: string } = {
  admin: t('Admin'),
  manager: t('Manager'),
  member: t('Member'),
  customer: t('Customer'),
  partner: t('Partner'),
  observer: t('Observer'),
}
