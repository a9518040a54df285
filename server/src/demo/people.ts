import type { RoleKind } from '../model/users/roles/permissions.ts'
import type { Dice } from './dice.ts'
import { familyNames, givenNames } from './words.ts'

/** Somebody who can sign in to the demonstration. */
export type Person = {
  /** their key in the steps of the story */
  part: string
  email: string
  full_name: string
  role: RoleKind
  designation: string
  department: string
  /** the e-mail of the person to whom they report */
  reports_to?: string
}

export type Names = (domain: string) => { full_name: string; email: string }

/** Unique names, with an e-mail address at a domain. */
export function nameMaker(d: Dice): Names {
  const taken = new Set<string>()
  return (domain) => {
    for (;;) {
      const [first, family] = [d.one(givenNames), d.one(familyNames)]
      const full_name = `${first} ${family}`
      if (taken.has(full_name)) continue
      taken.add(full_name)
      return { full_name, email: `${slug(first)}.${slug(family)}@${domain}` }
    }
  }
}

/** The organization's own team: the head of each part, and the people in it. */
export function staffOf(domain: string, names: Names): Person[] {
  const person = (
    part: string,
    role: RoleKind,
    designation: string,
    department: string,
    reports_to?: Person,
  ): Person => ({
    part,
    ...names(domain),
    role,
    designation,
    department,
    reports_to: reports_to?.email,
  })
  const chief = {
    ...person('admin', 'admin', 'Managing Director', 'Management'),
    email: `admin@${domain}`,
  }
  const sales = person('sales', 'manager', 'Head of Sales', 'Sales', chief)
  const success = person(
    'success',
    'manager',
    'Head of Customer Success',
    'Customer Success',
    chief,
  )
  return [
    chief,
    sales,
    success,
    person('seller', 'member', 'Account Executive', 'Sales', sales),
    person('hunter', 'member', 'Account Executive', 'Sales', sales),
    person('csm', 'member', 'Customer Success Manager', 'Customer Success', success),
    person('onboarder', 'member', 'Onboarding Specialist', 'Customer Success', success),
    person('auditor', 'observer', 'Auditor', 'Finance', chief),
  ]
}

/** People from outside who can sign in: one of a customer, and one of a partner. */
export function guestsOf(): Person[] {
  return [
    {
      part: 'customer',
      email: 'annegret.boehm@feldkirchner-praezision.example',
      full_name: 'Annegret Böhm',
      role: 'customer',
      designation: 'Head of Operations',
      department: 'Operations',
    },
    {
      part: 'partner',
      email: 'lukas.zaehringer@zaehringer-beratung.example',
      full_name: 'Lukas Zähringer',
      role: 'partner',
      designation: 'Consultant',
      department: 'Consulting',
    },
  ]
}

/** A name as a part of an address: lower case, without accents. */
export function slug(text: string): string {
  return text
    .normalize('NFD')
    .replace(/[^\p{ASCII}]/gu, '')
    .toLowerCase()
    .replace(/&/g, ' and ')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
}
