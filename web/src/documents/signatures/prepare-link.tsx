import { Link } from '@tanstack/react-router'
import { ButtonLink } from '../../ui/button.tsx'

/** Leads to where a document is prepared for signature. */
export function PrepareLink({ id }: { id: string }) {
  return (
    <ButtonLink
      variant="primary"
      icon="pencil"
      render={<Link to="/documents/$id/signatures/prepare" params={{ id }} />}
    >
      Prepare for signature
    </ButtonLink>
  )
}
