import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'

/** So many stops a page may have before what is looked for. */
const most = 150

/** Goes on with Tab, or back with Shift+Tab, until the focus is there; fails where no such way leads. */
export async function tabTo(page: Page, target: Locator, key = 'Tab'): Promise<void> {
  await target.first().waitFor()
  for (let pressed = 0; pressed <= most; pressed++) {
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

/** Whether the element that has the focus is the target itself. */
async function hasFocus(target: Locator): Promise<boolean> {
  const all = await target.all()
  for (const each of all) {
    if (await each.evaluate((element) => element === document.activeElement)) return true
  }
  return false
}
