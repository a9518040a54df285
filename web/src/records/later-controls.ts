import { later } from './later.tsx'

// Controls that open above a page: their code is loaded once the page stands.

export const Menu = later(async () => ({ default: (await import('../ui/menu.tsx')).Menu }))

export const Choice = later(async () => ({ default: (await import('../ui/choice.tsx')).Choice }))

export const PersonField = later(async () => ({
  default: (await import('../ui/person-field.tsx')).PersonField,
}))
