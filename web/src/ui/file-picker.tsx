import { useId, useRef, useState, type DragEvent, type ReactElement, type ReactNode } from 'react'
import { cloneElement } from 'react'
import { Button } from './button.tsx'
import { classes } from './classes.ts'
import css from './file-picker.module.css'
import { t } from '../locales/text.ts'

type Choose = {
  onFiles: (files: File[]) => void
  /** As in HTML: `.csv,text/csv`. */
  accept?: string
  multiple?: boolean
  disabled?: boolean
}

/** A button that opens the system's choice of files. `trigger` takes another button. */
export function FilePicker({
  label,
  onFiles,
  accept,
  multiple = false,
  disabled,
  trigger,
}: Choose & { label: string; trigger?: ReactElement<{ onClick?: () => void }> }) {
  const id = useId()
  const open = () => document.getElementById(id)?.click()
  return (
    <>
      <input
        id={id}
        type="file"
        hidden
        accept={accept}
        multiple={multiple}
        aria-label={label}
        onChange={(event) => {
          const files = [...(event.target.files ?? [])]
          // the same file may be chosen again
          event.target.value = ''
          if (files.length) onFiles(files)
        }}
      />
      {trigger ? (
        cloneElement(trigger, { onClick: open })
      ) : (
        <Button icon="upload" disabled={disabled} onClick={open}>
          {label}
        </Button>
      )}
    </>
  )
}

/**
 * Accepts files dropped anywhere on its children. With `boxed` it is itself a box that says so
 * and has a button, for pages whose purpose is choosing files.
 */
export function DropZone({
  label,
  onFiles,
  accept,
  multiple = true,
  disabled = false,
  boxed = false,
  className,
  children,
}: Choose & {
  label: string
  boxed?: boolean
  className?: string
  children?: ReactNode
}) {
  const [over, setOver] = useState(false)
  // `dragenter` on a child comes before `dragleave` on its parent
  const depth = useRef(0)
  const carries = (event: DragEvent) => !disabled && event.dataTransfer.types.includes('Files')
  const enter = (event: DragEvent, by: number) => {
    if (!carries(event)) return
    depth.current = Math.max(0, depth.current + by)
    setOver(depth.current > 0)
  }
  return (
    <div
      className={classes(css.zone, over && css.over, className)}
      data-label={label}
      onDragEnter={(event) => enter(event, 1)}
      onDragLeave={(event) => enter(event, -1)}
      onDragOver={(event) => {
        if (carries(event)) event.preventDefault()
      }}
      onDrop={(event) => {
        depth.current = 0
        setOver(false)
        if (!carries(event)) return
        event.preventDefault()
        const files = [...event.dataTransfer.files]
        if (files.length) onFiles(multiple ? files : files.slice(0, 1))
      }}
    >
      {boxed ? (
        <div className={css.box}>
          <div>{children ?? label}</div>
          <FilePicker
            label={multiple ? t('Choose files') : t('Choose a file')}
            onFiles={onFiles}
            accept={accept}
            multiple={multiple}
            disabled={disabled}
          />
        </div>
      ) : (
        children
      )}
    </div>
  )
}
