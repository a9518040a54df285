import type { Context } from '../../kit/ground/context.ts'
import { sql } from '../../kit/ground/sql.ts'
import { scope } from '../../kit/record/scope.ts'
import { Contact } from '../../model/contacts/contact.ts'
import { ownDomain } from '../../model/sheets/website.ts'
import { takenBy } from './history.ts'
import type { Alike, Body, RawRow, Taken } from './importable.ts'
import { lowered } from './importable.ts'
import { isCompanyWord, isKind } from './words.ts'

/** Addresses of a firm rather than of a person, by the part before the @. */
const ofFirms =
  /^(info|office|kontakt|contact|contacto|contatto|contato|hello|hallo|mail|post|sales|service|support|team|verwaltung|buero|buchhaltung|billing|accounts?|admin|empfang|zentrale|accueil|secretariat|ventas|vendas|vendite|administracion|amministrazione|verkoop|help|enquiries|inquiries|firma|praxis)\d*([._-].*)?$/i

/** Mail domains of people, which are no company's. */
const ofPeople =
  /^(gmail|googlemail|outlook|hotmail|live|yahoo|icloud|me|aol|gmx|web|proton|protonmail|t-online|freenet|orange|wanadoo|free|laposte|libero|mail|yandex|qq|bluewin)\.[a-z.]{2,6}$/i

/**
 * The company of a row of people that has a company and no person: where the row says so, or has no e-mail, or one that
 * is nobody's, such as `info@`.
 */
export function firmOf({ raw, links, id }: RawRow): Body | undefined {
  const { full_name, first_name, last_name, primary_email, kind, phone, location, tags } = raw
  if (id || [full_name, first_name, last_name].some((name) => lowered(name))) return undefined
  const named = links.company?.find(({ key }) => key === 'company_name' || key === null)
  if (!named) return undefined
  const email = typeof primary_email === 'string' ? primary_email : undefined
  const [local = '', host = ''] = email?.split('@') ?? []
  const says = typeof kind === 'string' && isKind(kind) ? isCompanyWord(kind) : undefined
  if (says === false || (says === undefined && email && !ofFirms.test(local))) return undefined
  const custom = (raw.custom_fields ?? {}) as Body
  const website = links.company?.find(({ key }) => key === 'domain')?.text ?? custom.website
  const domain = ownDomain(website) ?? (ofPeople.test(host) ? undefined : ownDomain(host))
  const own: Body = { ...custom, ...(phone ? { phone } : {}), ...(email ? { email } : {}) }
  const { notes, website: page, ...fields } = own
  return {
    company_name: named.text,
    ...(domain ? { domain } : {}),
    ...(notes ? { description: notes } : {}),
    ...(page ? { website_url: page } : {}),
    ...(location ? { address: location } : {}),
    ...(tags ? { tags } : {}),
    ...(Object.keys(fields).length ? { custom_fields: fields } : {}),
  }
}

type Person = {
  id: string
  name: string
  phone: string
  company_id: string | null
  has_email: boolean
  text: string
}

/**
 * The people whom rows without an e-mail are about: of the same name and number, or of the same name and company if
 * neither has an e-mail or a number. Each is that of one row of the import. A row with a new e-mail may be about one of
 * the same name and number.
 */
export async function alikePeople(
  ctx: Context,
  rows: { body: Body; links: { [field: string]: string } }[],
  { import_id, taken: earlier }: Taken,
): Promise<(Alike | undefined)[]> {
  const asked = rows.map(({ body, links }) => {
    const email = lowered(body.primary_email)
    const phone = digitsOf(body.phone)
    const name = lowered(body.full_name ?? (email ? null : body.phone))
    // a new e-mail without a number is somebody else's
    return { email, phone, name: phone || !email ? name : null, company: links.company ?? null }
  })
  const names = asked.flatMap(({ name }) => name ?? [])
  if (!names.length) return []
  const people = await ctx.all<Person>(sql`
    select t.id, t.full_name_key as name, regexp_replace(coalesce(t.phone, ''), '\\D', '', 'g') as phone,
      t.company_id, t.primary_email is not null as has_email,
      concat_ws(', ', t.full_name, coalesce(t.primary_email, t.phone)) as text
    from contacts t where ${scope(ctx, Contact, 'read')} and t.full_name_key = any(${names})`)
  // sorted here: without statistics the database would read all people in this order
  people.sort((a, b) => (a.id < b.id ? -1 : 1))
  const ids = people.map(({ id }) => id)
  const taken = new Set([...earlier, ...(await takenBy(ctx, import_id, ids))])
  const byName = Map.groupBy(people, ({ name }) => name)
  return asked.map(({ email, phone, name, company }) => {
    const its = byName.get(name ?? '') ?? []
    const found = its.find((each) => {
      if (taken.has(each.id)) return false
      if (phone || each.phone) return phone === each.phone
      return !each.has_email && each.company_id === company
    })
    if (!found) return undefined
    const { id, text } = found
    if (!email) taken.add(id)
    return { id, text, isSure: !email }
  })
}

function digitsOf(phone: unknown): string {
  return typeof phone === 'string' ? phone.replaceAll(/\D/g, '') : ''
}
