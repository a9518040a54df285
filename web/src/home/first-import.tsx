import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { isEmptyQuery } from '../data/imports.ts'
import { levelOf, useSession } from '../data/session.ts'
import { ButtonLink } from '../ui/button.tsx'
import { Empty } from '../ui/empty.tsx'

/** The first step of an organization without records: its people and firms, from where they are now. */
export function FirstImport() {
  const session = useSession()
  const may = (module: string) => levelOf(session, module, 'create') !== 'none'
  const isOffered = !session.role.is_confined && may('contacts') && may('companies')
  const { data: isEmpty = false } = useQuery({ ...isEmptyQuery, enabled: isOffered })
  if (!isOffered || !isEmpty) return null
  return (
    <Empty
      icon="upload"
      title="Bring your data"
      action={
        <>
          <ButtonLink
            variant="primary"
            icon="upload"
            render={<Link to="/import" search={{ module: 'contacts' }} />}
          >
            Import contacts
          </ButtonLink>
          <ButtonLink render={<Link to="/import" search={{ module: 'companies' }} />}>
            Import something else
          </ButtonLink>
        </>
      }
    >
      Contacts, companies, deals and tasks from a spreadsheet, another product, an address book
      (.vcf) or a calendar (.ics). You see what becomes of each row before anything is written, and
      can undo it.
    </Empty>
  )
}
