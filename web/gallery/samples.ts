import type { Person } from '../src/ui/avatar.tsx'
import type { Option } from '../src/ui/option.tsx'

export const people: Person[] = [
  { id: '1', name: 'Anouk Rademaker', email: 'anouk@larkspur.example' },
  { id: '2', name: 'Emeka Olafsson', email: 'emeka@larkspur.example' },
  { id: '3', name: 'Leila Castellano', email: 'leila@larkspur.example' },
  { id: '4', name: 'Noah Costigan', email: 'noah@larkspur.example' },
  { id: '5', name: 'Saoirse Ferreira', email: 'saoirse@larkspur.example' },
  { id: '6', name: 'Felix Mahmoud', email: 'felix@larkspur.example' },
]

export const stages: Option[] = [
  { value: 'qualification', label: 'Qualification', color: '#4a5a9a' },
  { value: 'discovery', label: 'Discovery', color: '#2563a8' },
  { value: 'proposal', label: 'Proposal', color: '#0f6d78' },
  { value: 'negotiation', label: 'Negotiation', color: '#8a5a00' },
  { value: 'won', label: 'Won', color: '#14704c' },
]

export const leads: Option[] = [
  'New',
  'Open',
  'Contacted',
  'Qualified',
  'Unqualified',
  'Nurturing',
  'Converted',
  'An option with a name that is much too long for the place it stands in',
].map((label) => ({ value: label.toLowerCase(), label }))

export const zones: Option[] = [
  { value: 'Europe/Lisbon', label: 'Lisbon', group: 'Europe', description: 'UTC+0' },
  { value: 'Europe/Paris', label: 'Paris', group: 'Europe', description: 'UTC+1' },
  { value: 'Europe/Athens', label: 'Athens', group: 'Europe', description: 'UTC+2' },
  { value: 'America/New_York', label: 'New York', group: 'America', description: 'UTC−5' },
  { value: 'America/Chicago', label: 'Chicago', group: 'America', description: 'UTC−6' },
  { value: 'America/Denver', label: 'Denver', group: 'America', description: 'UTC−7' },
  { value: 'Asia/Tokyo', label: 'Tokyo', group: 'Asia', description: 'UTC+9' },
]

export const companies: Option[] = [
  'Oakhaven Media',
  'Oldcastle Studios',
  'Swiftwater Energy',
  'Flintlock Travel',
  'Hazelbank Tools',
  'Otterburn Finance',
].map((label, i) => ({ value: `c${i}`, label, image: null }))

/** Answers a search after a moment, as a server does. */
export async function find<T>(all: T[], nameOf: (item: T) => string, query: string): Promise<T[]> {
  await new Promise((resolve) => setTimeout(resolve, 120))
  return all.filter((item) => nameOf(item).toLowerCase().includes(query.toLowerCase()))
}
