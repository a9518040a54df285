import type { ProjectPlan } from '../../data/project-plan.ts'

/** Where a bar stands, in pixels: from `x` to `end`, and the middle of its row. */
export type Box = { x: number; end: number; y: number }

type Style = 'plain' | 'critical' | 'broken' | 'near'
export type Arrows = { [style in Style]: { lines: string; heads: string } }

const radius = 4
/** how far a line goes before it turns, and half the height of a bar */
const stub = 7
const half = 9

/** At most so many arrows are drawn; the rest come when one scrolls to them. */
const most = 400

/** The arrows between bars as paths, one for each style. */
export function arrowsOf(
  links: ProjectPlan['dependencies'],
  boxOf: (id: string) => Box | undefined,
  styleOf: (link: ProjectPlan['dependencies'][number]) => Style,
): Arrows {
  const none = () => ({ lines: '', heads: '' })
  const arrows: Arrows = { plain: none(), critical: none(), broken: none(), near: none() }
  let count = 0
  for (const link of links) {
    const [from, to] = [boxOf(link.predecessor_id), boxOf(link.task_id)]
    if (!from || !to || count >= most) continue
    count++
    const { line, head } = arrowOf(from, to, link.type)
    const paths = arrows[styleOf(link)]
    paths.lines += line
    paths.heads += head
  }
  return arrows
}

function arrowOf(from: Box, to: Box, type: 'FS' | 'SS' | 'FF' | 'SF') {
  const [ofEnd, toEnd] = [type === 'FS' || type === 'FF', type === 'FF' || type === 'SF']
  const x = ofEnd ? from.end : from.x
  const down = to.y > from.y ? 1 : -1
  // straight to the row, and onto the top of the bar where it begins later
  if (type === 'FS' && to.x >= x) {
    const at = Math.max(to.x + 6, x + stub)
    const end = to.y - down * half
    return {
      line: `M${x} ${from.y}H${at - radius}Q${at} ${from.y} ${at} ${from.y + down * radius}V${end - down * 4}`,
      head: `M${at} ${end}l-4 ${-down * 5}h8z`,
    }
  }
  if (type === 'FS') {
    const [out, into] = [x + stub, to.x - stub]
    const middle = from.y + down * 14
    return {
      line: `M${x} ${from.y}H${out}V${middle}H${into}V${to.y}H${to.x - 4}`,
      head: `M${to.x} ${to.y}l-5 -4v8z`,
    }
  }
  const target = toEnd ? to.end : to.x
  const side = ofEnd
    ? Math.max(from.end, toEnd ? to.end : to.x) + stub
    : Math.min(from.x, target) - stub
  const back = side > target ? 1 : -1
  return {
    line: `M${x} ${from.y}H${side}V${to.y}H${target + back * 4}`,
    head: `M${target} ${to.y}l${back * 5} -4v8z`,
  }
}
