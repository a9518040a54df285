import { contactPage, filteredContactPage } from '../lists.ts'
import type { Target } from '../rate.ts'
import type { Packages } from './install.ts'

/** What a running product reports: its address, and the ids of its rows. */
export type Running = { url: string; ids: string[]; companies: string[]; token?: string }

export type Operation = 'read one' | 'list 50' | 'filtered list 50' | 'create'

/** A product that is compared: its packages, the file that serves it, and its requests. */
export type Product = {
  name: string
  packages: Packages
  server: string
  /** which of several that the same file serves */
  variant?: string
  targets(running: Running): { [operation in Operation]: Target }
  /** what it does with each request and offers besides, in short */
  does: { [ability in Ability]: string }
}

export const abilities = ['rights', 'log', 'events', 'search', 'tenancy'] as const
type Ability = (typeof abilities)[number]

let created = 0
/** The contact that a create sends, by the names of its fields. */
export function contact(companies: string[]) {
  created++
  return {
    full_name: `Ada Bench ${created}`,
    primary_email: `ada.${process.pid}.${created}.${Math.random().toString(36).slice(2)}@bench.test`,
    job_title: 'Director of Operations',
    company_id: companies[created % companies.length]!,
    lead_status: 'qualified',
  }
}

const json = { 'content-type': 'application/json' }

const postgraphile: Product = {
  name: 'PostGraphile',
  packages: { postgraphile: '5.1.5' },
  server: 'postgraphile.ts',
  does: {
    rights: 'those of PostgreSQL, which the operator writes; none here',
    log: 'no',
    events: 'to subscriptions that the operator writes; none here',
    search: 'no',
    tenancy: 'row-level security that the operator writes; none here',
  },
  targets({ url, ids, companies, token }) {
    const fields = `rowId fullName primaryEmail phone jobTitle leadStatus leadSource tags location
      customFields recordSource createdAt companyByCompanyId { rowId companyName }`
    const ask = (query: string, variables = () => ({})): Target => ({
      url: `${url}/graphql`,
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, ...json },
      body: () => JSON.stringify({ query, variables: variables() }),
    })
    let next = 0
    return {
      'read one': ask(
        `query One($id: String!) { contactByRowId(rowId: $id) { ${fields} } }`,
        () => ({
          id: ids[next++ % ids.length],
        }),
      ),
      'list 50': ask(
        `{ allContacts(first: 50, orderBy: PRIMARY_KEY_DESC) { nodes { ${fields} } } }`,
      ),
      'filtered list 50': ask(
        `{ allContacts(first: 50, orderBy: PRIMARY_KEY_DESC, condition: { leadStatus: "qualified" }) {
          nodes { ${fields} } } }`,
      ),
      create: ask(
        `mutation Create($contact: ContactInput!) {
          createContact(input: { contact: $contact }) { contact { ${fields} } } }`,
        () => {
          const { full_name, primary_email, job_title, company_id, lead_status } =
            contact(companies)
          return {
            contact: {
              rowId: crypto.randomUUID(),
              fullName: full_name,
              primaryEmail: primary_email,
              jobTitle: job_title,
              companyId: company_id,
              leadStatus: lead_status,
            },
          }
        },
      ),
    }
  },
}

/** With what its guides say of rights and audits, so that it does for a request what Perennial does. */
const postgraphileSameWork: Product = {
  ...postgraphile,
  name: 'PostGraphile, the same work',
  variant: 'same work',
  does: {
    rights: 'row-level security for the role and organization of a signed token',
    log: 'each write, field by field, by a trigger',
    events: 'none',
    search: 'words of a contact, indexed in the write',
    tenancy: 'row-level security',
  },
}

const parseServer: Product = {
  name: 'Parse Server',
  packages: { 'parse-server': '9.10.0' },
  server: 'parse-server.ts',
  does: {
    rights: 'by class and by row; open to anyone here',
    log: 'no',
    events: 'to live queries and cloud code; none here',
    search: 'by words of one field, not indexed by itself',
    tenancy: 'no',
  },
  targets({ url, ids, companies }) {
    const headers = { 'x-parse-application-id': 'bench', ...json }
    const list = `${url}/classes/Contact?limit=50&order=-createdAt&include=company`
    const where = encodeURIComponent(JSON.stringify({ leadStatus: 'qualified' }))
    return {
      'read one': {
        url,
        headers,
        paths: ids.map((id) => `/classes/Contact/${id}?include=company`),
      },
      'list 50': { url: list, headers },
      'filtered list 50': { url: `${list}&where=${where}`, headers },
      create: {
        url: `${url}/classes/Contact`,
        method: 'POST',
        headers,
        body: () => {
          const { full_name, primary_email, job_title, company_id, lead_status } =
            contact(companies)
          return JSON.stringify({
            fullName: full_name,
            primaryEmail: primary_email,
            jobTitle: job_title,
            leadStatus: lead_status,
            company: { __type: 'Pointer', className: 'Company', objectId: company_id },
          })
        },
      },
    }
  },
}

const strapi: Product = {
  name: 'Strapi',
  // its newest version of which every part is published
  packages: { '@strapi/strapi': '5.54.0', pg: '8.23.1' },
  server: 'strapi.ts',
  does: {
    rights: 'by role and type; a token for all here',
    log: 'in its paid edition, of administrators',
    events: 'webhooks, sent once; none here',
    search: 'by `ilike` over all texts',
    tenancy: 'no',
  },
  targets({ url, ids, companies, token }) {
    const headers = { authorization: `Bearer ${token}` }
    const list = `${url}/api/contacts?pagination[pageSize]=50&pagination[withCount]=false&sort=id:desc&populate=company`
    return {
      'read one': { url, headers, paths: ids.map((id) => `/api/contacts/${id}?populate=company`) },
      'list 50': { url: list, headers },
      'filtered list 50': { url: `${list}&filters[lead_status][$eq]=qualified`, headers },
      create: {
        url: `${url}/api/contacts?populate=company`,
        method: 'POST',
        headers: { ...headers, ...json },
        body: () => {
          const { company_id, ...fields } = contact(companies)
          return JSON.stringify({ data: { ...fields, company: Number(company_id) } })
        },
      },
    }
  },
}

export const products = [postgraphile, postgraphileSameWork, parseServer, strapi]

/** The requests to Perennial, and those of the others with which they are compared. */
export type Row = { name: string; operation: Operation; target: Target }

/** The fields requested from PostGraphile; a list of Perennial returns all fields unless a caller chooses. */
const sameFields =
  'full_name,primary_email,phone,job_title,lead_status,lead_source,tags,location,custom_fields,' +
  'record_source,creation_time,company'

/** The query for the same fields in Perennial. */
export function perennialRows({ url, ids, companies }: Running, token: string): Row[] {
  const headers = { authorization: `Bearer ${token}` }
  const [list, filtered] = [url + contactPage, url + filteredContactPage]
  const chosen = `&fields=${sameFields}`
  const row = (operation: Operation, target: Target, note = ''): Row => ({
    name: `${operation}${note}`,
    operation,
    target,
  })
  return [
    row('read one', { url, headers, paths: ids.map((id) => `/api/contact/${id}/`) }),
    row('list 50', { url: list, headers }),
    row('list 50', { url: list + chosen, headers }, ', the same fields'),
    row('filtered list 50', { url: filtered, headers }),
    row('filtered list 50', { url: filtered + chosen, headers }, ', the same fields'),
    row('create', {
      url: `${url}/api/contact/`,
      method: 'POST',
      headers: { ...headers, ...json },
      body: () => JSON.stringify(contact(companies)),
    }),
  ]
}

/** What Perennial does in each of these requests. */
export const perennialDoes: Product['does'] = {
  rights: 'by role, record and field, checked in each request',
  log: 'each write, field by field',
  events: 'each write, in its transaction, to webhooks',
  search: 'by words over all records, indexed in the write',
  tenancy: 'each query, and row-level security below it',
}
