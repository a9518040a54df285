import { crud } from '../../kit/crud.ts'
import { extend } from '../../kit/ground/json-schema.ts'
import { operation } from '../../kit/ground/operation.ts'
import { sql } from '../../kit/ground/sql.ts'
import {
  createOnce,
  duplicateQuery,
  duplicateSwitches,
  splitPolicy,
  updateOnce,
} from '../duplicates/duplicates.ts'
import { redirecting, refuseMerged } from '../../model/merging/tombstone.ts'
import { Company } from '../../model/companies/company.ts'
import { identifying, keyAfter, uniqueKey, withDomain } from './key.ts'

const plain = crud(Company)

export const companies = {
  ...plain,
  create: operation({
    ...plain.create,
    input: { body: extend(plain.create.input.body, duplicateSwitches), query: duplicateQuery },
    async run(ctx, { body, query }) {
      const { fields, policy } = splitPolicy(withDomain(body), query)
      const { domain, company_name } = fields
      // a company without a domain counts as the same as any company of its name
      const same = domain ? undefined : sql`t.company_name_key = ${company_name.toLowerCase()}`
      const key = uniqueKey(company_name, domain)
      const how = { key, identifying, same, parent: 'parent_company' }
      return createOnce(ctx, Company, { fields, policy }, how)
    },
  }),
  update: operation({
    ...plain.update,
    async run(ctx, { params, body, ifMatch }) {
      const changed = withDomain(body)
      const set = await keyAfter(ctx, params.id, changed)
      return updateOnce(ctx, Company, params.id, changed, set, 'parent_company', ifMatch)
    },
  }),
  read: redirecting(Company, plain.read),
  restore: operation({
    ...plain.restore,
    async run(ctx, input) {
      await refuseMerged(ctx, Company, input.params.id)
      return plain.restore.run(ctx, input)
    },
  }),
}
