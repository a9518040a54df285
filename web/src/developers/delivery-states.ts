import type { Tone } from '../ui/status.tsx'
import type { DeliveryStatus } from './queries.ts'
import { t } from '../locales/text.ts'

/** The tone and label of a delivery's state. */
export const deliveryStates: { [state in DeliveryStatus]: [Tone, string] } = {
  pending: ['info', t('Waiting')],
  delivered: ['good', t('Delivered')],
  failing: ['warn', t('Failing')],
  exhausted: ['bad', t('Gave up')],
  dropped: ['quiet', t('Dropped')],
}
