import type { Editor } from '@tiptap/core'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { t } from '../../locales/text.ts'

/** Asks for the address of a link, or for whose signature a place is. */
export function LinkDialog({
  kind,
  editor,
  onClose,
}: {
  kind: 'link' | 'place'
  editor: Editor
  onClose: () => void
}) {
  const isLink = kind === 'link'
  const [text, setText] = useState(
    isLink ? ((editor.getAttributes('link') as { href?: string }).href ?? '') : '',
  )
  const had = isLink && editor.isActive('link')
  const put = () => {
    const value = text.trim()
    onClose()
    if (!isLink) {
      if (value) {
        editor
          .chain()
          .focus()
          .insertContent({ type: 'place', attrs: { whose: value } })
          .run()
      }
      return
    }
    const href = /^(https?:\/\/|mailto:)/i.test(value) ? value : `https://${value}`
    const marked = editor.chain().focus().extendMarkRange('link')
    if (!value) marked.unsetLink().run()
    else if (editor.state.selection.empty && !had) {
      const marks = [{ type: 'link', attrs: { href } }]
      editor.chain().focus().insertContent({ type: 'text', text: value, marks }).run()
    } else marked.setLink({ href }).run()
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={isLink ? t('Link') : t('Place for a signature')}
      onSubmit={put}
      footer={
        <>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button variant="primary" type="submit">
            {isLink && had && !text.trim() ? t('Remove the link') : t('Put in')}
          </Button>
        </>
      }
    >
      <Field
        label={isLink ? t('Address') : t('Who signs here')}
        {...(isLink ? {} : { hint: t('A role, such as Customer, or a name.') })}
      >
        <TextField autoFocus value={text} maxLength={isLink ? 2000 : 100} onChange={setText} />
      </Field>
    </Dialog>
  )
}
