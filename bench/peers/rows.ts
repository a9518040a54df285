import { createRequire } from 'node:module'
import { join } from 'node:path'
import pg from 'pg'

/** The columns of a contact that every product stores, with the same names in all tables. */
export const contactColumns = `full_name text, primary_email text, phone text, job_title text,
  lead_status text, lead_source text, tags jsonb, location jsonb, custom_fields jsonb, record_source text`

/** A contact as Perennial stores it, with the company that it names. */
export type ContactRow = { id: string; company_id: string; [column: string]: unknown }
export type CompanyRow = { id: string; company_name: string; domain: string; industry: string }

/** The settings of a product's process: its folder, its own database, Perennial's, and which variant it is. */
export function argumentsOfPeer() {
  const [folder = '', url = '', source = '', variant = ''] = process.argv.slice(2)
  return { folder, url, source, variant }
}

/** Loads a module of the peer's own packages, whose types this repository does not have. */
export function moduleOf<T>(folder: string, name: string): T {
  return createRequire(join(folder, 'package.json'))(name) as T
}

/** The contacts and companies of Perennial's organization. */
export async function readRows(
  source: string,
): Promise<{ contacts: ContactRow[]; companies: CompanyRow[] }> {
  const client = await connected(source)
  try {
    const contacts = await client.query<ContactRow>(
      `select id, company_id, full_name, primary_email, phone, job_title, lead_status, lead_source,
         tags, location, custom_fields, record_source from perennial.contacts order by id`,
    )
    const companies = await client.query<CompanyRow>(
      'select id, company_name, domain, industry from perennial.companies order by id',
    )
    return { contacts: contacts.rows, companies: companies.rows }
  } finally {
    await client.end()
  }
}

/** Runs statements in the peer's database; `$1` of each is its rows as JSON. */
export async function store(url: string, statements: [text: string, rows?: object[]][]) {
  const client = await connected(url)
  try {
    for (const [text, rows] of statements) {
      await client.query(text, rows ? [JSON.stringify(rows)] : [])
    }
    await client.query('vacuum analyze')
  } finally {
    await client.end()
  }
}

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return client
}

/** The number of database connections of each product: as many as Perennial has for requests. */
export const poolSize = 12
