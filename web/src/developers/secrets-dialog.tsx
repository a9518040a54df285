import { OneTime } from '../ui/one-time.tsx'
import type { AppWithSecrets } from './queries.ts'
import { rememberSecrets } from './secrets.ts'

/** The text that must be confirmed before secrets of an app or webhook are hidden. */
export const savedForConnector = 'I have saved them where only my connector reads them'

type Props = { app: AppWithSecrets; isNew?: boolean; onClose: () => void }

/** The secrets of an app, which are never shown again. */
export function SecretsDialog({ app, isNew = false, onClose }: Props) {
  return (
    <OneTime
      title={isNew ? `${app.name} is created` : `New secrets of ${app.name}`}
      secrets={[
        ['Client id', app.client_id],
        ...(app.client_secret ? [['Client secret', app.client_secret] as const] : []),
        ...(app.function_key ? [['Function key', app.function_key] as const] : []),
      ]}
      confirm={savedForConnector}
      onClose={() => {
        rememberSecrets(app)
        onClose()
      }}
    />
  )
}
