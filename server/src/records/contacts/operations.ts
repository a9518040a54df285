import { Type } from 'typebox'
import { byId, crud } from '../../kit/crud.ts'
import { badField } from '../../kit/ground/errors.ts'
import { extend, orNull, requiring } from '../../kit/ground/json-schema.ts'
import { operation } from '../../kit/ground/operation.ts'
import { sql } from '../../kit/ground/sql.ts'
import { listPage } from '../../kit/read/list.ts'
import { Company } from '../../model/companies/company.ts'
import {
  createOnce,
  duplicateQuery,
  duplicateSwitches,
  splitPolicy,
  updateOnce,
} from '../duplicates/duplicates.ts'
import { redirecting, refuseMerged } from '../../model/merging/tombstone.ts'
import { Contact } from '../../model/contacts/contact.ts'
import { columnsAfter, emailKey, identifying } from './key.ts'
import { namedUser, userByEmail } from './linked-user.ts'
import { nameless, withBothNames, withFullName, withNameParts } from './name.ts'
import { checkReadable } from '../../kit/read/one.ts'

const plain = crud(Contact)

/** The user who is the same person as the contact, shown by reads as `linked_user`. */
const linking = {
  user_id: Type.Optional(
    orNull(
      Type.String({
        maxLength: 25,
        description: 'the user who is this contact (`linked_user`); null unlinks',
      }),
    ),
  ),
}

export const contacts = {
  ...plain,
  create: operation({
    ...plain.create,
    input: {
      body: requiring(
        withNameParts(extend(plain.create.input.body, { ...duplicateSwitches, ...linking })),
        'full_name',
      ),
      query: duplicateQuery,
    },
    async run(ctx, { body, query }) {
      const { fields: named, policy } = splitPolicy(withFullName(body), query)
      const { user_id, ...others } = named
      const isNamed = Boolean(others.full_name?.trim())
      const full_name = isNamed ? others.full_name : nameless(others).full_name
      if (full_name === undefined) {
        throw badField('full_name', 'is required, or an e-mail or a phone number')
      }
      const fields = { ...others, full_name }
      const key = emailKey(fields.primary_email)
      const set =
        user_id === undefined
          ? await userByEmail(ctx, fields.primary_email)
          : await namedUser(ctx, user_id)
      const derived = isNamed ? [] : ['full_name']
      // the user whom nobody names follows from the e-mail
      const its = user_id === undefined ? [...identifying, 'linked_user'] : identifying
      const how = { key, identifying: its, derived, parent: 'reports_to', set }
      return createOnce(ctx, Contact, { fields, policy }, how)
    },
  }),
  update: operation({
    ...plain.update,
    input: {
      ...plain.update.input,
      body: withNameParts(extend(plain.update.input.body, linking)),
    },
    async run(ctx, { params, body: sent, ifMatch }) {
      const { user_id, ...body } = withFullName(await withBothNames(ctx, params.id, sent))
      const { primary_email } = body
      const set = await columnsAfter(ctx, params.id, { primary_email, user_id })
      return updateOnce(ctx, Contact, params.id, body, set, 'reports_to', ifMatch)
    },
  }),
  read: redirecting(Contact, plain.read),
  restore: operation({
    ...plain.restore,
    async run(ctx, input) {
      await refuseMerged(ctx, Contact, input.params.id)
      return plain.restore.run(ctx, input)
    },
  }),
}

/** The contacts of one company, which the caller must be able to see: 404 otherwise. */
export const contactsOfCompany = redirecting(
  Company,
  operation({
    ...plain.list,
    name: 'list_contacts_of_company',
    summary: 'List the contacts of a company',
    input: { ...plain.list.input, params: byId },
    async run(ctx, { params, query }) {
      await checkReadable(ctx, Company, params.id)
      return listPage(ctx, Contact, query, sql`t.company_id = ${params.id}`)
    },
  }),
)
