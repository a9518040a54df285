import { Company } from '../companies/company.ts'
import { companyKey } from '../companies/key.ts'
import { Contact } from '../contacts/contact.ts'
import { contactKey } from '../contacts/key.ts'
import { companyLikeness, contactLikeness, findDuplicates } from './duplicates.ts'
import { mergeOf } from './merge.ts'
import { undoOf } from './undo.ts'

/** Finding what is there twice, making one of it, and taking that back. */
export const companyMerging = {
  duplicates: findDuplicates(Company, companyLikeness),
  merge: mergeOf(Company, companyKey),
  undo: undoOf(Company, companyKey),
}

export const contactMerging = {
  duplicates: findDuplicates(Contact, contactLikeness),
  merge: mergeOf(Contact, contactKey),
  undo: undoOf(Contact, contactKey),
}
