import { OneTime } from '../ui/one-time.tsx'
import type { AppWithSecrets } from './queries.ts'
import { rememberSecrets } from './secrets.ts'
import { t } from '../locales/text.ts'

/** The text that must be confirmed before secrets of an app or webhook are hidden. */
export const savedForConnector = t('I have saved them where only my connector reads them')

type Props = { app: AppWithSecrets; isNew?: boolean; onClose: () => void }

/** The secrets of an app, which are never shown again. */
export function SecretsDialog({ app, isNew = false, onClose }: Props) {
  return (
    <OneTime
      title={
        isNew
          ? t('{name} is created', { name: app.name })
          : t('New secrets of {name}', { name: app.name })
      }
      secrets={[
        [t('Client id'), app.client_id],
        ...(app.client_secret ? [[t('Client secret'), app.client_secret] as const] : []),
        ...(app.function_key ? [[t('Function key'), app.function_key] as const] : []),
      ]}
      confirm={savedForConnector}
      onClose={() => {
        rememberSecrets(app)
        onClose()
      }}
    />
  )
}
