import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'

/** The maximum number of Tab stops before the target. */
const most = 150

/** From here on a pointer on this page is a fault of it, which fails the test file. */
export async function byKeysAlone(page: Page): Promise<Page> {
  await page.evaluate(() => {
    const refuse = ({ type }: Event) => console.error(`a journey by keyboard had a ${type}`)
    for (const type of ['pointerdown', 'wheel', 'touchstart']) addEventListener(type, refuse)
  })
  return page
}

/**
 * Goes on with Tab, or back with Shift+Tab, until the focus is there; fails where no such way leads, and
 * where a stop on the way does not show that it has the focus.
 */
export async function tabTo(page: Page, target: Locator, key = 'Tab'): Promise<void> {
  await target.first().waitFor()
  for (let pressed = 0; pressed <= most; pressed++) {
    if (pressed) await assertFocusShown(page)
    if (await hasFocus(target)) return
    await page.keyboard.press(key)
  }
  const where = await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 200))
  assert.fail(`${most} times ${key} do not lead to ${String(target)}, but to ${where}`)
}

/** Goes there as `tabTo` does and presses a key, Enter as it is. */
export async function pressAt(page: Page, target: Locator, key = 'Enter'): Promise<void> {
  await tabTo(page, target)
  await page.keyboard.press(key)
}

/** Types in place of what stands in a field, which the focus goes to first. */
export async function typeAt(page: Page, target: Locator, text: string): Promise<void> {
  await tabTo(page, target)
  await page.keyboard.press('Control+a')
  await page.keyboard.type(text)
}

/** Waits until the focus is there, where a page puts it by itself. */
export async function focusIsAt(page: Page, target: Locator): Promise<void> {
  const deadline = performance.now() + 10_000
  while (!(await hasFocus(target))) {
    if (performance.now() > deadline) {
      const where = await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 200))
      assert.fail(`the focus is not at ${String(target)}, but at ${where}`)
    }
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)))
  }
}

/**
 * Fails where the element that has the focus is out of sight, or neither it nor what frames it has an outline or a
 * shadow. The document itself, where Tab begins and ends, shows nothing.
 */
async function assertFocusShown(page: Page): Promise<void> {
  const fault = await page.evaluate(async () => {
    // what comes into sight has done so after its transition
    await new Promise((resolve) => requestAnimationFrame(resolve))
    const moving = document.getAnimations().filter((each) => each instanceof CSSTransition)
    await Promise.allSettled(moving.map(({ finished }) => finished))
    const focused = document.activeElement
    if (!focused || focused === document.body || focused === document.documentElement) return null
    const { left, right, top, bottom } = focused.getBoundingClientRect()
    const isInSight = bottom > 0 && right > 0 && top < innerHeight && left < innerWidth
    let isShown = false
    // a field's frame shows the focus of the field in it, and a hidden input's label that of the input
    let frame: Element | null = focused
    for (let up = 0; up < 4 && frame && !isShown; up++, frame = frame.parentElement) {
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(frame)
      isShown =
        (outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1) ||
        (frame.matches(':focus-within') && boxShadow.includes('inset'))
    }
    if (isInSight && isShown) return null
    return `${isInSight ? 'shows no focus' : 'is out of sight'}: ${focused.outerHTML.slice(0, 300)}`
  })
  assert.equal(fault, null)
}

/** Whether the element that has the focus is the target itself. */
async function hasFocus(target: Locator): Promise<boolean> {
  const all = await target.all()
  for (const each of all) {
    if (await each.evaluate((element) => element === document.activeElement)) return true
  }
  return false
}
