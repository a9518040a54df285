import type { Editor } from '@tiptap/core'
import type { KeyboardEvent } from 'react'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import type { IconName } from '../../ui/icons.tsx'
import { Menu } from '../../ui/menu.tsx'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { pictureWidths } from './extensions.ts'
import { insertTable, tableActs } from './table-acts.ts'
import styles from './write.module.css'
import { t } from '../../locales/text.ts'

type Tool = {
  label: string
  icon: IconName
  isOn?: boolean
  shortcut?: string
  run: () => void
  isOff?: boolean
}

/** The toolbar above the text: one stop of the Tab key, with arrows between its buttons. */
export function Tools({
  editor,
  isFilled,
  onFilled,
  hasValues,
  onLink,
  onPicture,
}: {
  editor: Editor
  isFilled: boolean
  onFilled: (isFilled: boolean) => void
  hasValues: boolean
  onLink: () => void
  onPicture: () => void
}) {
  const run = () => editor.chain().focus()
  const is = (name: string, attributes?: object) => editor.isActive(name, attributes)
  const groups: Tool[][] = [
    [
      {
        label: t('Bold'),
        icon: 'bold',
        shortcut: 'Mod+B',
        isOn: is('bold'),
        run: () => run().toggleBold().run(),
      },
      {
        label: t('Italic'),
        icon: 'italic',
        shortcut: 'Mod+I',
        isOn: is('italic'),
        run: () => run().toggleItalic().run(),
      },
      {
        label: t('Underline'),
        icon: 'underline',
        shortcut: 'Mod+U',
        isOn: is('underline'),
        run: () => run().toggleUnderline().run(),
      },
      {
        label: t('Strikethrough'),
        icon: 'strikethrough',
        isOn: is('strike'),
        run: () => run().toggleStrike().run(),
      },
    ],
    [
      {
        label: t('List'),
        icon: 'list',
        isOn: is('bulletList'),
        run: () => run().toggleBulletList().run(),
      },
      {
        label: t('Numbered list'),
        icon: 'list-ordered',
        isOn: is('orderedList'),
        run: () => run().toggleOrderedList().run(),
      },
      {
        label: t('Check list'),
        icon: 'square-check',
        isOn: is('taskList'),
        run: () => run().toggleTaskList().run(),
      },
      {
        label: t('Quote'),
        icon: 'quote',
        isOn: is('blockquote'),
        run: () => run().toggleBlockquote().run(),
      },
    ],
    [
      { label: t('Link'), icon: 'link', isOn: is('link'), run: onLink },
      { label: t('Picture'), icon: 'image', run: onPicture },
      {
        label: t('Table'),
        icon: 'table',
        isOn: is('table'),
        run: () => insertTable(editor),
        isOff: is('table'),
      },
      { label: t('Insert value'), icon: 'braces', run: () => run().insertContent('{{').run() },
    ],
    [
      {
        label: t('Undo'),
        icon: 'undo',
        shortcut: 'Mod+Z',
        run: () => run().undo().run(),
        isOff: !editor.can().undo(),
      },
      {
        label: t('Redo'),
        icon: 'redo',
        shortcut: 'Mod+Shift+Z',
        run: () => run().redo().run(),
        isOff: !editor.can().redo(),
      },
    ],
  ]
  const style = [1, 2, 3].find((level) => is('heading', { level }))
  const styleWords: { [level: string]: string } = {
    0: t('Text'),
    1: t('Heading 1'),
    2: t('Heading 2'),
    3: t('Heading 3'),
  }
  const setStyle = (level: string) =>
    level === '0'
      ? run().setParagraph().run()
      : run()
          .setHeading({ level: Number(level) as 1 | 2 | 3 })
          .run()
  return (
    <>
      <div
        role="toolbar"
        tabIndex={-1}
        aria-label={t('Format')}
        className={styles.tools}
        onKeyDown={byArrows}
      >
        <Menu
          label={t('Style')}
          trigger={
            <Button aria-label={t('Style: {style}', { style: styleWords[style ?? 0] ?? '' })}>
              {styleWords[style ?? 0]}
            </Button>
          }
          items={[
            {
              kind: 'radio',
              value: String(style ?? 0),
              onChange: setStyle,
              options: Object.entries(styleWords).map(([value, label]) => ({ value, label })),
            },
          ]}
        />
        {groups.map((tools) => (
          <span key={tools[0]?.label} className={styles.group}>
            {tools.map(({ label, icon, isOn, shortcut, run: act, isOff }) => (
              <IconButton
                key={label}
                label={label}
                icon={icon}
                tabIndex={-1}
                {...(shortcut ? { shortcut } : {})}
                {...(isOn === undefined ? {} : { 'aria-pressed': isOn })}
                aria-disabled={isOff || undefined}
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => {
                  if (!isOff) act()
                }}
              />
            ))}
          </span>
        ))}
        {hasValues ? (
          <span className={styles.filled}>
            <SegmentedControl
              label={t('Values')}
              value={isFilled ? 'filled' : 'names'}
              onChange={(next) => onFilled(next === 'filled')}
              options={[
                { value: 'names', label: t('As names') },
                { value: 'filled', label: t('As filled') },
              ]}
            />
          </span>
        ) : null}
      </div>
      {is('table') ? <TableTools editor={editor} /> : null}
      {is('picture') ? <PictureTools editor={editor} /> : null}
    </>
  )
}

function byArrows(event: KeyboardEvent<HTMLDivElement>) {
  const way = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
  if (!way || (event.target as Element).closest('[role=radiogroup]')) return
  const buttons = [...event.currentTarget.querySelectorAll('button')]
  const at = buttons.indexOf(document.activeElement as HTMLButtonElement)
  const next = buttons[(at + way + buttons.length) % buttons.length]
  event.preventDefault()
  next?.focus()
}

function TableTools({ editor }: { editor: Editor }) {
  const acts: [label: string, act: (editor: Editor) => void][] = [
    [t('Row below'), tableActs.rowBelow],
    [t('Column to the right'), tableActs.columnRight],
    [t('Head row'), tableActs.head],
    [t('Align right'), tableActs.right],
    [t('Align left'), tableActs.left],
    [t('Merge or split cells'), tableActs.merge],
    [t('Delete row'), tableActs.deleteRow],
    [t('Delete column'), tableActs.deleteColumn],
    [t('Delete table'), tableActs.deleteTable],
  ]
  return (
    <div role="group" aria-label={t('Table')} className={styles.more}>
      {acts.map(([label, act]) => (
        <Button key={label} size="small" variant="quiet" onClick={() => act(editor)}>
          {label}
        </Button>
      ))}
    </div>
  )
}

function PictureTools({ editor }: { editor: Editor }) {
  const { alt = '', width } = editor.getAttributes('picture') as {
    alt?: string
    width?: number | null
  }
  const set = (attributes: object) => editor.commands.updateAttributes('picture', attributes)
  return (
    <div role="group" aria-label={t('Picture')} className={styles.more}>
      <Field label={t('What the picture shows')} hideLabel>
        <TextField
          value={alt}
          placeholder={t('What the picture shows')}
          maxLength={500}
          onChange={(next) => set({ alt: next })}
        />
      </Field>
      <SegmentedControl
        label={t('Width')}
        value={String(width ?? 0)}
        onChange={(next) => set({ width: Number(next) || null })}
        options={[
          { value: '0', label: t('As it is') },
          ...pictureWidths.map((each) => ({ value: String(each), label: `${each} %` })),
        ]}
      />
    </div>
  )
}
