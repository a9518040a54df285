/** The marks of an axis from 0 or the least value to the most, in steps of 1, 2 or 5 times a power of ten. */
export function ticksOf(values: number[], most = 4): number[] {
  const top = Math.max(0, ...values)
  const bottom = Math.min(0, ...values)
  const span = top - bottom || 1
  const rough = span / most
  const power = 10 ** Math.floor(Math.log10(rough))
  const factor = [1, 2, 5, 10].find((each) => each * power >= rough) ?? 10
  // counts have no halves
  const whole = values.every((value) => Number.isInteger(value))
  const step = whole ? Math.max(1, factor * power) : factor * power
  const first = Math.floor(bottom / step)
  const last = Math.max(first + 1, Math.ceil(top / step))
  return Array.from({ length: last - first + 1 }, (_, at) => round((first + at) * step))
}

/** Every how many labels fit, where each needs so many pixels. */
export function everyNth(count: number, width: number, each: number): number {
  return Math.max(1, Math.ceil((count * each) / Math.max(1, width)))
}

/** Without the rests of binary fractions: 0.30000000000000004 is 0.3. */
function round(value: number): number {
  return Number(value.toPrecision(12))
}
