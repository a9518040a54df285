/** A page of contacts, and the same of one `lead_status` that a fifth of the seeded ones have. */
export const contactPage = '/api/contact/?page=1&items_per_page=50'
export const filteredContactPage = `${contactPage}&filter=${encodeURIComponent(
  JSON.stringify([{ field: 'lead_status', operator: 'eq', value: 'qualified' }]),
)}`

/** The contacts that the words in the name of a seeded one find. */
export function searchedContactPage(number: number): string {
  return `${contactPage}&q=${encodeURIComponent(`number ${number}`)}`
}
