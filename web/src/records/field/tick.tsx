import { changeRecord, notifyRefusal } from '../../data/change.ts'
import type { Module } from '../../data/modules.ts'
import type { AnyRecord } from '../../data/record.ts'
import { idOf, titleOf, valueOf } from '../../data/record.ts'
import { useMayOf } from '../../data/session.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import type { Screens } from '../definition.ts'
import { t } from '../../locales/text.ts'

type Props = { module: Module; screens: Screens; record: AnyRecord }

/** The checkbox before a title, if the record type has one: it completes a task in place. */
export function Tick({ module, screens, record }: Props) {
  const mayUpdate = useMayOf(module.module, record, 'update')
  const name = screens.tick
  if (!name) return null
  const title = titleOf(module, record)
  return (
    <Checkbox
      label={t('Complete {title}', { title })}
      round
      checked={valueOf(record, name) === true}
      disabled={!mayUpdate}
      onChange={(checked) =>
        void changeRecord(
          module,
          idOf(module, record),
          { [name]: checked },
          {
            message: checked
              ? t('{title} completed', { title })
              : t('{title} opened again', { title }),
          },
        ).catch(notifyRefusal)
      }
    />
  )
}
