/** What a contact question can ask for. */
export const contactParts = [
  'first_name',
  'last_name',
  'email',
  'phone',
  'job_title',
  'company',
] as const
/** What a contact question asks for unless its `parts` say otherwise. */
const usualParts = contactParts.slice(0, 4)
/** What an address question asks for. */
export const addressParts = ['street', 'postal_code', 'city', 'region', 'country'] as const

type Asked = { type?: unknown; parts?: readonly string[] | null | undefined }

/** What a contact or an address question asks for, in order. */
export function askedParts({ type, parts }: Asked): readonly string[] {
  return type === 'address' ? addressParts : (parts ?? usualParts)
}

/** The parts without which a required contact or address question is not answered; none of other questions. */
export function requiredParts({ type, parts }: Asked): string[] {
  if (type === 'address') return ['street', 'city', 'country']
  if (type !== 'contact') return []
  return ['first_name', 'last_name', 'email'].filter((part) =>
    askedParts({ type, parts }).includes(part),
  )
}
