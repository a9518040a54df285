import { ButtonLink } from '../ui/button.tsx'
import { Empty } from '../ui/empty.tsx'

/** The page for an address that leads nowhere. */
export function Missing() {
  return (
    <Empty
      icon="map-pin"
      as="h1"
      title="There is no page here"
      action={<ButtonLink href="/">Go home</ButtonLink>}
    >
      The address may be mistyped, or what was here has moved.
    </Empty>
  )
}
