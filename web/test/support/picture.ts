import { join } from 'node:path'
import type { Page } from 'playwright-core'

const folder = process.env.PICTURES

/** A picture of what a page shows, to look at, in the folder that PICTURES names. */
export async function picture(page: Page, name: string): Promise<void> {
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`) })
}

/** The same of the whole page, however far it scrolls. */
export async function wholePicture(page: Page, name: string): Promise<void> {
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
}
