import { asProblem } from '../../api/problem.ts'
import { notifyRefusal, restoreRecord } from '../../data/change.ts'
import type { Module } from '../../data/modules.ts'
import { useMay } from '../../data/session.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'

type Props = { module: Module; id: string; error: unknown }

/** Says that a record which is still shown was deleted meanwhile (404), and brings it back. */
export function GoneNote({ module, id, error }: Props) {
  const mayRestore = useMay(module.module, 'delete')
  if (!error || asProblem(error).status !== 404) return null
  const restore = () => void restoreRecord(module, id).catch(notifyRefusal)
  return (
    <Banner
      kind="warn"
      actions={
        mayRestore ? (
          <Button size="small" onClick={restore}>
            Restore
          </Button>
        ) : null
      }
    >
      {`This ${module.word.one} is not here any more: it was deleted, or is hidden from you now.`}
    </Banner>
  )
}
