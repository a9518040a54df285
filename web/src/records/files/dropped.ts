import { useEffect, useEffectEvent, useState } from 'react'

/** Accepts files dropped anywhere on the page; true while files are dragged over it. */
export function useDroppedFiles(isOn: boolean, onFiles: (files: File[]) => void): boolean {
  const [isOver, setOver] = useState(false)
  const drop = useEffectEvent(onFiles)
  useEffect(() => {
    if (!isOn) return undefined
    const stopping = new AbortController()
    const { signal } = stopping
    // `dragenter` on a child comes before `dragleave` on its parent
    let depth = 0
    const carries = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') ?? false
    const on = (
      name: 'dragenter' | 'dragleave' | 'dragover' | 'drop',
      run: (event: DragEvent) => void,
    ) => addEventListener(name, (event) => carries(event) && run(event), { signal })
    on('dragenter', () => setOver((depth += 1) > 0))
    on('dragleave', () => setOver((depth = Math.max(0, depth - 1)) > 0))
    on('dragover', (event) => event.preventDefault())
    on('drop', (event) => {
      depth = 0
      setOver(false)
      if (event.defaultPrevented) return
      event.preventDefault()
      const files = [...(event.dataTransfer?.files ?? [])]
      if (files.length) drop(files)
    })
    return () => stopping.abort()
  }, [isOn])
  return isOver
}
