/** The titles of all rows in the order of the page. */
function titles(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>('[data-row] [data-title]')]
}

/** The key of the row that an element is in. */
export function rowKeyOf(element: Element | null): string | undefined {
  return element?.closest<HTMLElement>('[data-row]')?.dataset.row
}

function titleOf(key: string | undefined): HTMLElement | null {
  return titles().find((each) => rowKeyOf(each) === key) ?? null
}

/** Gives the focus to a row. */
export function focusRow(key: string | undefined): void {
  titleOf(key)?.focus()
}

let wanted: string | undefined

/** Gives the focus to a row once what is above the page is closed. */
export function focusLater(key: string | undefined): void {
  wanted = key
}

/** What has the focus after something above the page: the row that took the place of the one that it was about, or that one. */
export function focusAfter(key: string): HTMLElement | null {
  const title = titleOf(wanted ?? key)
  wanted = undefined
  return title
}

/** The key of the row so many below another one, or of the first one without it. */
export function rowBeside(key: string | undefined, by: number): string | undefined {
  const keys = titles().map(rowKeyOf)
  const at = keys.indexOf(key)
  return at < 0 ? keys[0] : keys[at + by]
}

/** The key of the row that takes the focus from one that is about to leave: the one after it, else the one before it. */
export function rowAfter(key: string): string | undefined {
  return rowBeside(key, 1) ?? rowBeside(key, -1)
}
