import { useEffect, useState } from 'react'
import { announce } from './announce.tsx'
import type { ButtonSize } from './button.tsx'
import { classes } from './classes.ts'
import css from './code.module.css'
import { IconButton } from './icon-button.tsx'
import { t } from '../locales/text.ts'

/** Code or a secret to copy. `wrap` breaks long lines; without it they scroll. */
export function Code({
  code,
  label = t('Copy'),
  wrap = false,
}: {
  code: string
  label?: string
  wrap?: boolean
}) {
  return (
    <div className={css.code}>
      {/* a region that scrolls must be reachable by keyboard */}
      <pre className={classes(css.text, wrap && css.wrap)} tabIndex={0}>
        <code>{code}</code>
      </pre>
      <span className={css.copy}>
        <CopyButton text={code} label={label} />
      </span>
    </div>
  )
}

/** Copies a text; the icon confirms it for 1.5 s. */
export function CopyButton({
  text,
  label = t('Copy'),
  size = 'small',
}: {
  text: string
  label?: string
  size?: ButtonSize
}) {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), 1_500)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    setCopied(true)
    announce(t('Copied'))
  }
  return (
    <IconButton
      label={copied ? t('Copied') : label}
      icon={copied ? 'check' : 'copy'}
      size={size}
      onClick={() => void copy()}
    />
  )
}
