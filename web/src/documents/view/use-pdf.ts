import { useEffect, useState } from 'react'
import type { OpenPdf, Unreadable } from './pdf.ts'

/** A PDF that is being opened, that is open, or that cannot be. */
export type PdfState =
  | { pdf: OpenPdf; problem?: undefined }
  | { pdf?: undefined; problem?: Unreadable }

/** Opens the PDF at an address, and closes it when it is no longer shown. */
export function usePdf(url: string | null): PdfState & { retry: (password?: string) => void } {
  const [state, setState] = useState<PdfState>({})
  const [attempt, setAttempt] = useState<{ password?: string }>({})
  useEffect(() => {
    if (url === null) return undefined
    let opened: OpenPdf | undefined
    let isOver = false
    const open = async () => {
      const { openPdf, UnreadablePdf } = await import('./pdf.ts')
      try {
        const pdf = await openPdf(url, attempt.password)
        opened = pdf
        if (isOver) pdf.close()
        else setState({ pdf })
      } catch (error) {
        const problem = error instanceof UnreadablePdf ? error.reason : 'damaged'
        if (!isOver) setState({ problem })
      }
    }
    open().catch(() => {
      if (!isOver) setState({ problem: 'missing' })
    })
    return () => {
      isOver = true
      opened?.close()
      setState({})
    }
  }, [url, attempt])
  return {
    ...state,
    retry: (password) => {
      setState({})
      setAttempt(password === undefined ? {} : { password })
    },
  }
}
