import { autoScrollForElements } from '@atlaskit/pragmatic-drag-and-drop-auto-scroll/element'
import {
  attachClosestEdge,
  extractClosestEdge,
} from '@atlaskit/pragmatic-drag-and-drop-hitbox/closest-edge'
import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'
import {
  draggable,
  dropTargetForElements,
  monitorForElements,
} from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import type { AnyRecord } from '../../data/record.ts'

/** Where a record was dropped: in the lane of a value, and there at a card or at the end. */
export type Drop = { record: AnyRecord; lane: unknown; over?: AnyRecord; isBelow: boolean }

/** The elements that take part in dragging, each until its returned function is called. */
export const dragging = { makeBoard, makeLane, makeCard }

/** A board scrolls sideways while something is dragged over it, and is notified of drops. */
function makeBoard(element: HTMLElement, onDrop: (drop: Drop) => void): () => void {
  return combine(
    autoScrollForElements({ element }),
    monitorForElements({
      onDrop({ source, location }) {
        const [first, second] = location.current.dropTargets
        const record = source.data.record as AnyRecord | undefined
        if (!first || !record) return
        const over = first.data.card as AnyRecord | undefined
        onDrop({
          record,
          lane: (over ? second : first)?.data.lane,
          ...(over ? { over } : {}),
          isBelow: extractClosestEdge(first.data) === 'bottom',
        })
      },
    }),
  )
}

/** A lane accepts the records of its module. */
function makeLane(
  element: HTMLElement,
  of: { module: string; lane: unknown; onOver: (isOver: boolean) => void },
): () => void {
  return combine(
    autoScrollForElements({ element }),
    dropTargetForElements({
      element,
      getData: () => ({ lane: of.lane }),
      canDrop: ({ source }) => source.data.module === of.module,
      onDragEnter: () => of.onOver(true),
      onDragLeave: () => of.onOver(false),
      onDrop: () => of.onOver(false),
    }),
  )
}

/** A card can be dragged, and others dropped above or below it. */
function makeCard(
  element: HTMLElement,
  of: {
    module: string
    record: AnyRecord
    onDragged: (isDragged: boolean) => void
    onOver: (edge: 'top' | 'bottom' | undefined) => void
  },
): () => void {
  return combine(
    draggable({
      element,
      getInitialData: () => ({ module: of.module, record: of.record }),
      onDragStart: () => of.onDragged(true),
      onDrop: () => of.onDragged(false),
    }),
    dropTargetForElements({
      element,
      canDrop: ({ source }) => source.data.module === of.module && source.data.record !== of.record,
      getData: ({ input, element: over }) =>
        attachClosestEdge(
          { card: of.record },
          { input, element: over, allowedEdges: ['top', 'bottom'] },
        ),
      onDrag: ({ self }) => {
        const edge = extractClosestEdge(self.data)
        of.onOver(edge === 'top' || edge === 'bottom' ? edge : undefined)
      },
      onDragLeave: () => of.onOver(undefined),
      onDrop: () => of.onOver(undefined),
    }),
  )
}
