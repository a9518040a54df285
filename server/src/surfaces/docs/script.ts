/** The script of the pages: results while somebody types, and `/` to start a search. Everything works without it. */
export const docsScript = `
const form = document.querySelector('form')
const input = form.querySelector('input')
const list = document.querySelector('.found')
const status = document.querySelector('#status')
let asked = ''
let timer
const clear = () => {
  list.replaceChildren()
  status.textContent = ''
}
const show = (results, question) => {
  clear()
  status.textContent = results.length === 1 ? '1 result' : results.length + ' results'
  if (!results.length) {
    const item = document.createElement('li')
    const text = document.createElement('p')
    text.textContent = 'Nothing found for ' + question
    item.append(text)
    list.append(item)
  }
  for (const { title, about, url } of results) {
    const item = document.createElement('li')
    const link = document.createElement('a')
    const small = document.createElement('small')
    link.href = url
    link.textContent = title
    small.textContent = about
    link.append(small)
    item.append(link)
    list.append(item)
  }
}
const ask = async () => {
  const question = input.value.trim()
  if (question === asked) return
  asked = question
  if (question.length < 2) return clear()
  const response = await fetch('/docs/search.json?q=' + encodeURIComponent(question.slice(0, 100)))
  if (!response.ok || asked !== question) return
  show((await response.json()).results, question)
}
input.addEventListener('input', () => {
  clearTimeout(timer)
  timer = setTimeout(() => ask().catch(clear), 120)
})
document.addEventListener('keydown', (event) => {
  const isTyping = /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement.tagName)
  if (event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault()
    input.focus()
  }
  if (event.key === 'Escape') {
    if (list.contains(document.activeElement)) input.focus()
    asked = ''
    clear()
  }
  const links = [...list.querySelectorAll('a')]
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (!step || !links.length || !form.contains(document.activeElement)) return
  event.preventDefault()
  const next = links.indexOf(document.activeElement) + step
  ;(next < 0 ? input : links[Math.min(next, links.length - 1)]).focus()
})
document.addEventListener('click', (event) => {
  if (!form.contains(event.target)) clear()
})
list.addEventListener('click', clear)
`
