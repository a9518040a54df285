/** What was filled in, by the names of the form. */
type Kept = { [name: string]: string }

/** What this device keeps of what is written in a form, only if the person wants that. */
export function openKept(key: string, form: HTMLFormElement, wish: HTMLInputElement) {
  const name = `perennial-sign:${key}`
  const fields = () =>
    [...form.elements].filter(
      (each): each is HTMLInputElement | HTMLSelectElement =>
        (each instanceof HTMLInputElement && ['text', 'hidden'].includes(each.type)) ||
        isAsked(each),
    )
  const valueOf = (each: HTMLInputElement | HTMLSelectElement) =>
    isBox(each) ? (each.checked ? 'yes' : '') : each.value
  const save = () => {
    if (!wish.checked) return
    const values: Kept = Object.fromEntries(fields().map((each) => [each.name, valueOf(each)]))
    store(() => localStorage.setItem(name, JSON.stringify(values)))
  }
  wish.addEventListener('change', () => {
    if (wish.checked) save()
    else store(() => localStorage.removeItem(name))
  })
  return {
    save,
    /** fills in what was kept; whether there was anything */
    restore(): boolean {
      const text = store(() => localStorage.getItem(name))
      if (!text) return false
      const values = JSON.parse(text) as Kept
      for (const each of fields()) {
        const value = values[each.name]
        if (value === undefined) continue
        if (isBox(each)) each.checked = value === 'yes'
        else each.value = value
      }
      wish.checked = true
      return true
    },
  }
}

/** What is asked for at a field of the pages, by a box or a choice. */
function isAsked(each: Element): each is HTMLInputElement | HTMLSelectElement {
  return (isBox(each) || each instanceof HTMLSelectElement) && each.name.startsWith('field.')
}

function isBox(each: Element): each is HTMLInputElement {
  return each instanceof HTMLInputElement && each.type === 'checkbox'
}

/** Browsers may refuse to keep anything, or have no room: then nothing is kept. */
function store<T>(run: () => T): T | undefined {
  try {
    return run()
  } catch {
    return undefined
  }
}
