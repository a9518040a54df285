import { answerTo } from '../data/form-answer.ts'
import type { About } from './page.ts'
import { find, say } from './page.ts'

/** What a box that takes a file says of it. */
export type Files = {
  /** the name of what is attached at a field, by the field's input; empty without one */
  nameAt(input: HTMLElement): string
  /** the name of what is on its way there */
  sendingAt(input: HTMLElement): string | undefined
}

/**
 * Sends a file as soon as it is chosen, and takes one back, by the requests that the form makes without a script: of the
 * page that is the answer, the box of the field is taken. `refuse` says at the field why a file was not taken.
 */
export function openFiles(
  form: HTMLFormElement,
  about: About,
  { changed, refuse }: { changed: () => void; refuse: (input: HTMLElement, text: string) => void },
): Files {
  form.classList.add('scripted')
  const sending = new Map<string, string>()

  form.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement)) return
    const [box, file] = [boxOf(target), target.files?.[0]]
    if (!box || !file) return
    const { name } = file
    // a preview takes none
    if (form.enctype !== 'multipart/form-data') {
      box.dataset.attach = name
      changed()
    } else if (file.size > Number(target.dataset.most)) {
      target.value = ''
      refuse(target, say(about, 'file_large', { name }))
    } else void send(target, 'attach', file)
  })
  form.addEventListener('click', (event) => {
    const { target } = event
    const button = target instanceof Element && target.closest<HTMLButtonElement>('.file button')
    const box = button && boxOf(button)
    if (!box) return
    event.preventDefault()
    void send(find<HTMLInputElement>('input', box), button.value)
  })

  async function send(input: HTMLInputElement, act: string, file?: File) {
    const box = boxOf(input)
    const said = box?.nextElementSibling
    if (!box || !said || sending.has(input.id)) return
    const name = file?.name ?? box.dataset.attach ?? ''
    const body = new FormData()
    body.set('act', act)
    body.set('lang', document.documentElement.lang)
    if (file) body.set(input.name, file)
    sending.set(input.id, name)
    said.textContent = file ? say(about, 'sending', { name }) : ''
    input.disabled = true
    changed()
    const page = await answerTo(form.action, body)
    sending.delete(input.id)
    input.disabled = false
    input.value = ''
    said.textContent = ''
    const next = page?.getElementById(input.id)?.closest<HTMLElement>('[data-attach]')
    const wrong = next
      ? page?.querySelector('#wrong')?.textContent
      : say(about, 'not_sent', { name })
    const field = next ? document.importNode(next, true) : box
    box.replaceWith(field)
    const control = find('input', field)
    changed()
    if (wrong) refuse(control, wrong)
    else {
      said.textContent = file ? say(about, 'attached', { name }) : say(about, 'file_removed')
      if (!document.activeElement || document.activeElement === document.body) control.focus()
    }
  }

  return {
    nameAt: (input) => boxOf(input)?.dataset.attach ?? '',
    sendingAt: (input) => sending.get(input.id),
  }
}

function boxOf(element: Element): HTMLElement | null {
  return element.closest<HTMLElement>('[data-attach]')
}
