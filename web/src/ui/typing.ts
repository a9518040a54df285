/** Whether what is typed goes into a field. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(input|textarea|select)$/i.test(target.tagName)) &&
    !(target instanceof HTMLInputElement && ['checkbox', 'radio', 'button'].includes(target.type))
  )
}
