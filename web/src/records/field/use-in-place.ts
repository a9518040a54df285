import type { RefObject } from 'react'
import { useEffect, useRef, useState } from 'react'

type InPlace = {
  isEditing: boolean
  edit: () => void
  done: () => void
  /** the button that opens the editor */
  opener: RefObject<HTMLButtonElement | null>
}

/**
 * A value whose editor replaces the button that opened it. When it closes, the button gets the focus
 * back, if the focus was in the editor and not already elsewhere.
 */
export function useInPlace(startsOpen = false): InPlace {
  const [isEditing, setEditing] = useState(startsOpen)
  const opener = useRef<HTMLButtonElement>(null)
  const hadFocus = useRef(false)
  useEffect(() => {
    if (isEditing || !hadFocus.current) return
    hadFocus.current = false
    if (document.activeElement === document.body) opener.current?.focus({ preventScroll: true })
  }, [isEditing])
  return {
    isEditing,
    edit: () => setEditing(true),
    done: () => {
      hadFocus.current = document.activeElement !== document.body
      setEditing(false)
    },
    opener,
  }
}
