import type { Component, Property } from './content-lines.ts'
import { componentsOf, partsOf, textOf } from './content-lines.ts'
import type { Record } from './table.ts'
import { listCell, writeTable } from './table.ts'

type Input = { path: string; to: string; encoding: string }

/** How many addresses and numbers of a person are kept. */
const most = 5

/** The custom fields of further addresses or numbers, as of columns that come several times. */
function more(name: string): string[] {
  return Array.from({ length: most - 1 }, (_, at) => `custom_fields.${name}_${at + 2}`)
}

/** The fields of a contact that a card fills, in the order of their columns. */
const columns = [
  'full_name',
  'primary_email',
  ...more('email'),
  'phone',
  ...more('phone'),
  'company.company_name',
  'department',
  'job_title',
  'location.address',
  'location.city',
  'location.state',
  'location.zip_code',
  'location.country',
  'custom_fields.other_addresses',
  'custom_fields.website',
  'linkedin_url',
  'twitter_url',
  'profile_image',
  'tags',
  'language',
  'timezone',
  'custom_fields.birthday',
  'custom_fields.anniversary',
  'custom_fields.nickname',
  'custom_fields.notes',
]

/**
 * Reads the people of a vCard file (2.1, RFC 2426, RFC 6350) as rows of contacts. Groups and pictures inside the
 * file are left out, which a warning says; 400 for a file without a person.
 */
export async function readCards({ path, to, encoding }: Input): Promise<{ warnings: string[] }> {
  const left = { pictures: 0, groups: 0 }
  await writeTable(to, columns, people(path, encoding, left), 'is a vCard file without a person')
  const warnings: string[] = []
  if (left.pictures) {
    warnings.push(
      `Pictures inside the file are left out: ${left.pictures}; addresses of pictures are taken`,
    )
  }
  if (left.groups) warnings.push(`Groups of people are left out: ${left.groups}`)
  return { warnings }
}

async function* people(
  path: string,
  encoding: string,
  left: { pictures: number; groups: number },
): AsyncGenerator<Record> {
  for await (const card of componentsOf(path, encoding, ['VCARD'])) {
    const { line } = card
    const kind = first(card, 'KIND', 'X-ADDRESSBOOKSERVER-KIND')
    if (kind && textOf(kind).toLowerCase() === 'group') {
      left.groups++
      continue
    }
    if (card.properties.some((each) => each.name === 'PHOTO' && !webAddress(each))) left.pictures++
    yield { line, values: valuesOf(card) }
  }
}

function valuesOf(card: Component): Record['values'] {
  const emails = sorted(card, 'EMAIL').map(bareEmail).filter(Boolean)
  const phones = sorted(card, 'TEL').map(numberOf).filter(Boolean)
  const addresses = sorted(card, 'ADR')
    .map(addressOf)
    .filter((each) => each.all)
  const org = first(card, 'ORG')
  const [company = '', ...units] = org ? partsOf(org, ';') : []
  const profiles = [
    ...all(card, 'X-SOCIALPROFILE'),
    ...all(card, 'SOCIALPROFILE'),
    ...all(card, 'URL'),
  ].map(textOf)
  const linkedin = profiles.find((each) => /(^|[/.])linkedin\.com\//i.test(each))
  const twitter = profiles.find((each) => /(^|[/.])(twitter|x)\.com\//i.test(each))
  const websites = sorted(card, 'URL')
    .map(textOf)
    .filter((each) => each !== linkedin && each !== twitter)
  const [home] = addresses
  return {
    full_name: nameOf(card, company),
    primary_email: emails[0] ?? '',
    ...others('email', emails),
    phone: phones[0] ?? '',
    ...others('phone', phones),
    'company.company_name': company,
    department: units.filter(Boolean).join(', '),
    job_title: text(card, 'TITLE', 'ROLE'),
    'location.address': home?.street ?? '',
    'location.city': home?.city ?? '',
    'location.state': home?.state ?? '',
    'location.zip_code': home?.zip ?? '',
    'location.country': home?.country ?? '',
    'custom_fields.other_addresses': addresses
      .slice(1)
      .map((each) => each.all)
      .join('\n'),
    'custom_fields.website': [...new Set(websites)].join('; '),
    linkedin_url: linkedin ?? '',
    twitter_url: twitter ?? '',
    profile_image: all(card, 'PHOTO').map(webAddress).find(Boolean) ?? '',
    tags: listCell(
      all(card, 'CATEGORIES')
        .flatMap((each) => partsOf(each, ','))
        .filter((each) => !ownGroup.test(each)),
    ),
    language: text(card, 'LANG'),
    timezone: text(card, 'TZ'),
    'custom_fields.birthday': dayOf(first(card, 'BDAY')),
    'custom_fields.anniversary': dayOf(first(card, 'ANNIVERSARY', 'X-ANNIVERSARY')),
    'custom_fields.nickname': text(card, 'NICKNAME'),
    'custom_fields.notes': all(card, 'NOTE').map(textOf).join('\n\n'),
  }
}

/** What Google calls everybody in an address book. */
const ownGroup = /^(myContacts|starred)$/i

function all({ properties }: Component, name: string): Property[] {
  return properties.filter((each) => each.name === name)
}

function first(card: Component, ...names: string[]): Property | undefined {
  return names.flatMap((name) => sorted(card, name)).find((each) => textOf(each) !== '')
}

function text(card: Component, ...names: string[]): string {
  const found = first(card, ...names)
  return found ? textOf(found) : ''
}

/** The preferred ones first, by `PREF=1` or the type `pref`; faxes last. */
function sorted(card: Component, name: string): Property[] {
  const rank = ({ params }: Property) => {
    const types = (params.TYPE ?? []).flatMap((each) => each.toLowerCase().split(','))
    if (types.some((each) => /fax|pager/.test(each))) return 200
    return types.includes('pref') ? 0 : Number(params.PREF?.[0]) || 100
  }
  return all(card, name).sort((a, b) => rank(a) - rank(b))
}

/** The name as it is shown, else its parts; none for a company, which shows its own name. */
function nameOf(card: Component, company: string): string {
  const shown = text(card, 'FN')
  const isCompany =
    /^(org|company)$/i.test(text(card, 'KIND', 'X-ABSHOWAS')) ||
    (company !== '' && shown === company)
  const n = first(card, 'N')
  const [family = '', given = '', additional = ''] = n ? partsOf(n, ';') : []
  const parts = [given, additional, family].filter(Boolean).join(' ')
  if (isCompany && !parts) return ''
  return shown || parts
}

function bareEmail(property: Property): string {
  return textOf(property).replace(/^mailto:/i, '')
}

/** A number as people write it: `tel:+351-21-000;ext=5` has its extension behind it. */
function numberOf(property: Property): string {
  const value = textOf(property)
  const uri = /^(?:tel|sip|sips):([^;]*)(.*)$/i.exec(value)
  if (!uri) return value
  const extension = /;ext=([\d-]+)/i.exec(uri[2] ?? '')?.[1]
  return `${uri[1]}${extension ? ` ext. ${extension}` : ''}`
}

function addressOf(property: Property) {
  const [box = '', extended = '', line = '', city = '', state = '', zip = '', country = ''] =
    partsOf(property, ';')
  const street = [line, extended, box].filter(Boolean).join(', ').replaceAll('\n', ', ')
  const place = [zip, city].filter(Boolean).join(' ')
  const whole = [street, place, state, country].filter(Boolean).join(', ')
  return { street, city, state, zip, country, all: whole }
}

function others(name: string, texts: string[]): { [column: string]: string } {
  const [, ...rest] = [...new Set(texts)]
  return Object.fromEntries(more(name).map((column, at) => [column, rest[at] ?? '']))
}

/** A picture's address on the web; undefined for one that is inside the file. */
function webAddress(property: Property): string | undefined {
  const value = textOf(property)
  return /^https?:\/\//i.test(value) ? value : undefined
}

/** A day as ISO 8601, without its year where that is left out: `--04-12`. */
function dayOf(property: Property | undefined): string {
  if (!property) return ''
  const value = textOf(property).replace(/T.*$/, '')
  const [, year = '', month = '', day = ''] = /^(\d{4}|--)-?(\d\d)-?(\d\d)$/.exec(value) ?? []
  if (!day) return value
  // Apple writes a year that is none
  const isOmitted = year === '--' || property.params['X-APPLE-OMIT-YEAR']?.includes(year)
  return isOmitted ? `--${month}-${day}` : `${year}-${month}-${day}`
}
