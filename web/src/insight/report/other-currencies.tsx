import type { Format } from '../../records/field/format.ts'
import { number } from '../../records/field/format.ts'
import { useFormat } from '../../records/field/use-format.ts'
import { Button } from '../../ui/button.tsx'
import { t } from '../../locales/text.ts'

/** How many records the amounts leave out, since they are in other currencies; the next of these can be shown. */
export function OtherCurrencies({ count, onNext }: { count: number; onNext: () => void }) {
  const format = useFormat()
  return (
    <>
      {otherCurrencyWords(count, format)}{' '}
      <Button size="small" variant="quiet" onClick={onNext}>
        {t('Show the next currency')}
      </Button>
    </>
  )
}

/** How many records the amounts leave out, in words. */
export function otherCurrencyWords(count: number, format: Format): string {
  return t(
    '{number} record is in another currency and not in the amounts. | {number} records are in other currencies and not in the amounts.',
    { number: number(count, format), count },
  )
}

/** The currency after the one that is shown, in their order; the first after the last. */
export function nextCurrency(currencies: string[], shown: string | null): string | undefined {
  return currencies[(currencies.indexOf(shown ?? '') + 1) % currencies.length]
}
