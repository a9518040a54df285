import { useEffect, useState } from 'react'
import { onOthersChange } from '../../data/follow.ts'

/** The rows that somebody else has just changed, which are highlighted. */
export function useChangedRows(...modules: string[]): ReadonlySet<string> {
  const all = modules.join(' ')
  const [changed, setChanged] = useState<ReadonlySet<string>>(new Set())
  useEffect(() => {
    const timers = new Set<ReturnType<typeof setTimeout>>()
    const stop = onOthersChange((where, id) => {
      if (!all.split(' ').includes(where)) return
      setChanged((before) => new Set([...before, id]))
      const timer = setTimeout(() => {
        timers.delete(timer)
        setChanged((before) => new Set([...before].filter((each) => each !== id)))
      }, 1500)
      timers.add(timer)
    })
    return () => {
      stop()
      for (const timer of timers) clearTimeout(timer)
    }
  }, [all])
  return changed
}
