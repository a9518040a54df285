import type { Editor } from '@tiptap/core'
import type { EditorState } from '@tiptap/pm/state'
import { TextSelection } from '@tiptap/pm/state'
import {
  addColumnAfter,
  addRowAfter,
  deleteColumn,
  deleteRow,
  deleteTable,
  isInTable,
  mergeCells,
  selectedRect,
  setCellAttr,
  splitCell,
  toggleHeaderRow,
} from '@tiptap/pm/tables'

type Command = (state: EditorState, dispatch: Editor['view']['dispatch']) => boolean

const run = (command: Command) => (editor: Editor) => {
  command(editor.state, editor.view.dispatch)
  editor.view.focus()
}

export const addRow = (editor: Editor) => addRowAfter(editor.state, editor.view.dispatch)

/** What can be done in a table, by the menu that shows it. */
export const tableActs = {
  rowBelow: run(addRowAfter),
  columnRight: run(addColumnAfter),
  head: run(toggleHeaderRow),
  merge: run((state, dispatch) => mergeCells(state, dispatch) || splitCell(state, dispatch)),
  right: run(setCellAttr('align', 'right')),
  left: run(setCellAttr('align', null)),
  deleteRow: run(deleteRow),
  deleteColumn: run(deleteColumn),
  deleteTable: run(deleteTable),
}

/** Whether the cursor is in the last cell of a table. */
export function isInLastCell(state: EditorState): boolean {
  if (!isInTable(state)) return false
  const { bottom, right, map } = selectedRect(state)
  return bottom === map.height && right === map.width
}

/** Puts in a table of three columns with a head, and the cursor in its first cell. */
export function insertTable(editor: Editor) {
  const cells = (type: string) =>
    Array.from({ length: 3 }, () => ({ type, content: [{ type: 'paragraph' }] }))
  const rows = ['tableHeader', 'tableCell', 'tableCell'].map((type) => ({
    type: 'tableRow',
    content: cells(type),
  }))
  const { from } = editor.state.selection
  editor.commands.insertContent({ type: 'table', content: rows })
  let first: number | undefined
  editor.state.doc.nodesBetween(
    Math.max(0, from - 1),
    editor.state.doc.content.size,
    (node, at) => {
      if (node.type.name === 'tableHeader') first ??= at + 2
      return first === undefined
    },
  )
  if (first !== undefined) {
    const { tr, doc } = editor.state
    editor.view.dispatch(tr.setSelection(TextSelection.near(doc.resolve(first))))
  }
  editor.view.focus()
}
