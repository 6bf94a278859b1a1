// The search of /docs. Scalar's own finds the titles of the guide only. This one finds all words of the guide, and the
// operations. It searches what the page has loaded already, and loads nothing more.

const mostResults = 20
const mostWords = 8
const around = 70 // characters before and after a hit

/** guideEntries returns the sections of the guide: one for each heading, with the text below it. */
function guideEntries(guide) {
  const entries = []
  let fence = '' // of the code block, in which # is no heading
  let page = ''
  for (const line of guide.split('\n')) {
    const [, mark = ''] = /^\s*(`{3,})/.exec(line) ?? []
    if (mark && (!fence || mark.length >= fence.length)) fence = fence ? '' : mark
    const [, level, heading] = (!fence && /^(#{1,4}) +(.*)/.exec(line)) || []
    if (heading) {
      const title = plain(heading)
      if (level === '#') page = title
      const slug = title.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, '').replace(/\s/g, '-')
      entries.push({ title, place: page === title ? 'Guide' : page, href: `#description/${slug}`, lines: [] })
    } else if (!mark) entries.at(-1)?.lines.push(fence ? line : plain(line))
  }
  return entries.map(({ lines, ...entry }) => ({ ...entry, text: lines.join(' ').replace(/\s+/g, ' ').trim() }))
}

/** plain removes the marks of Markdown from a line. */
function plain(line) {
  if (/^\|[-| :]+\|$/.test(line)) return ''
  return line
    .replace(/<\/?(details|summary)>/g, ' ')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\*\*|`|\\(?=\|)/g, '')
    .replace(/(^|[^\\])\|/g, '$1 ')
    .trim()
}

/** operationEntries returns the operations, with the names of what they accept. */
function operationEntries(contract) {
  const resolve = (value) =>
    value?.$ref ? value.$ref.split('/').slice(1).reduce((part, name) => part?.[name], contract) : value
  const fieldsOf = (schema) => {
    const { properties = {}, allOf = [] } = resolve(schema) ?? {}
    return [...Object.keys(properties), ...allOf.flatMap(fieldsOf)]
  }
  return Object.entries(contract.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      if (!operation.operationId) return []
      const body = resolve(operation.requestBody)?.content?.['application/json']?.schema
      const names = [...(operation.parameters ?? []).map((each) => resolve(each)?.name), ...fieldsOf(body)]
      return {
        title: operation.summary,
        place: `${method.toUpperCase()} ${path}`,
        href: `#tag/${operation.tags[0]}/${method.toUpperCase()}${path}`,
        text: plain(`${operation.description ?? ''} ${operation.operationId} ${names.join(' ')}`),
      }
    }),
  )
}

/** find returns the entries that contain each word, the best first. A word can be a part of another one. */
function find(entries, query) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean).slice(0, mostWords)
  if (words.length === 0) return []
  const found = entries.flatMap((entry) => {
    let score = 0
    for (const word of words) {
      const { title, place, text } = entry
      const worth = Math.max(4 * worthOf(title, word), 3 * worthOf(place, word), worthOf(text, word))
      if (worth === 0) return []
      score += worth
    }
    return { entry, score, words }
  })
  return found.sort((a, b) => b.score - a.score).slice(0, mostResults)
}

/** worthOf is 3 for a whole word, 2 for its beginning, 1 for another part, and 0 if the text does not have it. */
function worthOf(text, word) {
  const lower = text.toLowerCase()
  const isPart = (character) => /[\p{L}\p{N}_]/u.test(character ?? '')
  let best = 0
  for (let at = lower.indexOf(word); at >= 0 && best < 3; at = lower.indexOf(word, at + 1)) {
    best = Math.max(best, isPart(lower[at - 1]) ? 1 : isPart(lower[at + word.length]) ? 2 : 3)
  }
  return best
}

/** excerpt returns the text around a hit of the longest word. */
function excerpt(text, words) {
  const lower = text.toLowerCase()
  const longest = [...words].sort((a, b) => b.length - a.length)
  const hit = longest.map((word) => lower.indexOf(word)).find((at) => at >= 0) ?? 0
  const from = hit <= around ? 0 : text.indexOf(' ', hit - around) + 1 || hit
  const end = Math.max(from, hit) + 2 * around
  const to = end >= text.length ? text.length : Math.max(hit + 1, text.lastIndexOf(' ', end))
  return `${from > 0 ? '… ' : ''}${text.slice(Math.min(from, hit), to)}${to < text.length ? ' …' : ''}`
}

/** made returns a new element. */
const made = (name, properties) => Object.assign(document.createElement(name), properties)

/** marked appends a text to an element, with the words marked. */
function marked(element, text, words) {
  const lower = text.toLowerCase()
  for (let at = 0; at < text.length; ) {
    const hits = words.map((word) => ({ start: lower.indexOf(word, at), word })).filter(({ start }) => start >= 0)
    const { start = text.length, word = '' } = hits.sort((a, b) => a.start - b.start)[0] ?? {}
    element.append(text.slice(at, start))
    at = start + word.length
    if (word) element.append(made('mark', { textContent: text.slice(start, at) }))
  }
  return element
}

/** addSearch opens this search in place of Scalar's, by its button and by its keys. */
function addSearch(guide, contract) {
  const entries = [...guideEntries(guide), ...operationEntries(contract)]
  const dialog = made('dialog', { id: 'search', ariaLabel: 'Search' })
  dialog.innerHTML = `
    <input type="search" role="combobox" aria-label="Search the documentation" aria-autocomplete="list"
      aria-controls="found" aria-expanded="false" placeholder="Search the guide and the operations"
      autocomplete="off" spellcheck="false" maxlength="100">
    <p role="status"></p>
    <div id="found" role="listbox" aria-label="Results"></div>`
  document.body.append(dialog)
  const [input, status, list] = dialog.children
  let selected = -1

  const select = (index) => {
    selected = index
    for (const [at, option] of [...list.children].entries()) option.setAttribute('aria-selected', String(at === index))
    const option = list.children[index]
    if (option) input.setAttribute('aria-activedescendant', option.id)
    else input.removeAttribute('aria-activedescendant')
    option?.scrollIntoView({ block: 'nearest' })
  }
  const show = () => {
    const found = find(entries, input.value)
    list.replaceChildren(...found.map(({ entry, words }, index) => {
      const { title, place, text, href } = entry
      const option = made('a', { id: `found-${index}`, role: 'option', href, tabIndex: -1 })
      const parts = { strong: title, small: place, span: excerpt(text, words) }
      for (const [name, part] of Object.entries(parts)) {
        option.append(marked(made(name), part, words), ' ')
      }
      return option
    }))
    input.setAttribute('aria-expanded', String(found.length > 0))
    const isAsked = input.value.trim() !== ''
    const count = found.length === mostResults ? `The best ${mostResults} results` : `Results: ${found.length}`
    status.textContent = !isAsked ? '' : found.length > 0 ? count : 'Nothing has all of these words.'
    select(found.length > 0 ? 0 : -1)
  }
  const open = () => {
    dialog.showModal()
    input.select()
    show()
  }

  input.addEventListener('input', show)
  dialog.addEventListener('keydown', (event) => {
    const count = list.children.length
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (event.isComposing) return
    if (event.key === 'Escape') dialog.close() // it would empty the field first
    else if (step && count > 0) select((selected + step + count) % count)
    else if (event.key === 'Enter') list.children[selected]?.click()
    else return
    event.preventDefault()
  })
  dialog.addEventListener('click', (event) => {
    const isChosen = event.target.closest('[role=option]')
    if (event.target === dialog || isChosen) dialog.close()
    if (!isChosen) return
    // On a phone, Scalar's menu covers the page.
    const buttons = [...document.querySelectorAll('button')]
    buttons.find((button) => button.textContent.trim() === 'Close Menu' && button.checkVisibility())?.click()
  })
  document.addEventListener('click', (event) => {
    if (!event.target.closest('button')?.querySelector('.sidebar-search-placeholder')) return
    event.stopPropagation()
    open()
  }, true)
  addEventListener('keydown', (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.key !== 'k') return
    event.preventDefault()
    event.stopImmediatePropagation()
    if (dialog.open) dialog.close()
    else open()
  }, true)
}
