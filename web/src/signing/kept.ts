/** What was filled in, by the names of the form. */
type Kept = { [name: string]: string }

/** What this device keeps of a form, only if the person wants that. */
export function openKept(key: string, form: HTMLFormElement, wish: HTMLInputElement) {
  const name = `perennial-sign:${key}`
  const fields = () =>
    [...form.elements].filter(
      (each): each is HTMLInputElement =>
        each instanceof HTMLInputElement &&
        each.name !== '' &&
        ['text', 'hidden', 'checkbox', 'radio'].includes(each.type),
    )
  const save = () => {
    if (!wish.checked) return
    const values: Kept = {}
    for (const each of fields()) {
      if (each === wish || each.name === 'agree') continue
      if (each.type === 'radio' && !each.checked) continue
      values[each.name] = each.type === 'checkbox' && !each.checked ? '' : each.value
    }
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
        if (each.type === 'checkbox') each.checked = value === each.value
        else if (each.type === 'radio') each.checked = value === each.value
        else each.value = value
      }
      wish.checked = true
      return true
    },
  }
}

/** Browsers may refuse to keep anything, or have no room: then nothing is kept. */
function store<T>(run: () => T): T | undefined {
  try {
    return run()
  } catch {
    return undefined
  }
}
