import { asProblem } from '../../api/problem.ts'
import { notifyRefusal, restoreRecord } from '../../data/change.ts'
import type { Module } from '../../data/modules.ts'
import type { AnyRecord } from '../../data/record.ts'
import { idOf } from '../../data/record.ts'
import { useMayOf } from '../../data/session.ts'
import { goneWords } from '../field/gone-words.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { t } from '../../locales/text.ts'

type Props = { module: Module; record: AnyRecord; error: unknown }

/** Says that a record which is still shown was deleted meanwhile (404), and offers to restore it. */
export function GoneNote({ module, record, error }: Props) {
  const mayDelete = useMayOf(module.module, record, 'delete')
  if (!error || asProblem(error).status !== 404) return null
  const restore = () => void restoreRecord(module, idOf(module, record)).catch(notifyRefusal)
  return (
    <Banner
      kind="warn"
      actions={
        mayDelete ? (
          <Button size="small" onClick={restore}>
            {t('Restore')}
          </Button>
        ) : null
      }
    >
      {goneWords(module)}
    </Banner>
  )
}
