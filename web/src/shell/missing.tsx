import { ButtonLink } from '../ui/button.tsx'
import { Empty } from '../ui/empty.tsx'
import { t } from '../locales/text.ts'

/** The page for an address that leads nowhere. */
export function Missing() {
  return (
    <Empty
      icon="map-pin"
      as="h1"
      title={t('There is no page here')}
      action={<ButtonLink href="/">{t('Go home')}</ButtonLink>}
    >
      {t('The address may be mistyped, or what was here has moved.')}
    </Empty>
  )
}
