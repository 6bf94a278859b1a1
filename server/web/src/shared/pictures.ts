// The pictures of a text: each can be enlarged, and one that does not load shows its alternative text. The page loads
// this script with the first picture. It imports nothing, because it is a script of its own.
import type { text as Text } from './i18n.tsx'

/** pictures is for the pictures of one text, which the server has rendered. A second call changes nothing. */
export function pictures(place: HTMLElement, text: typeof Text): void {
  for (const picture of place.querySelectorAll<HTMLImageElement>('img:not(.is-ready)')) {
    picture.classList.add('is-ready')
    const enlarge = enlarging(picture, text)
    // A click on a picture in an option chooses the option, and one in a link follows the link.
    if (picture.closest('label')) picture.after(enlarge)
    else if (!picture.closest('a, button, summary')) {
      picture.replaceWith(enlarge)
      enlarge.append(picture)
    }
    const failed = () => fail(picture, enlarge, text)
    picture.addEventListener('error', failed)
    if (picture.complete && picture.naturalWidth === 0) failed()
  }
}

function enlarging(picture: HTMLImageElement, text: typeof Text): HTMLButtonElement {
  const isInOption = !!picture.closest('label')
  const button = document.createElement('button')
  button.type = 'button'
  button.className = isInOption ? 'picture-zoom' : 'picture'
  // The name of an option contains that of the button, so it does not repeat the alternative text.
  button.setAttribute(
    'aria-label',
    isInOption ? text('picture.enlarge') : `${text('picture.enlarge')}: ${picture.alt}`,
  )
  if (isInOption) button.textContent = '⤢'
  button.addEventListener('click', (event) => {
    event.preventDefault()
    show(picture, text)
  })
  return button
}

/** show opens the picture as large as the window. Escape and each click close it; the focus then returns. */
function show(picture: HTMLImageElement, text: typeof Text): void {
  const dialog = document.createElement('dialog')
  dialog.className = 'picture-dialog'
  dialog.setAttribute('aria-label', picture.alt)
  const large = document.createElement('img')
  for (const name of ['src', 'alt', 'width', 'height'] as const) large.setAttribute(name, picture.getAttribute(name)!)
  const close = document.createElement('button')
  close.type = 'button'
  close.className = 'button'
  close.textContent = text('picture.close')
  dialog.append(close, large)
  dialog.addEventListener('click', () => dialog.close())
  dialog.addEventListener('close', () => dialog.remove())
  document.body.append(dialog)
  dialog.showModal()
}

function fail(picture: HTMLImageElement, enlarge: HTMLElement, text: typeof Text): void {
  if (enlarge.hidden) return // a picture that had failed before the listener was there can still send its event
  const shown = picture.parentElement === enlarge ? enlarge : picture
  const note = document.createElement('span')
  note.className = 'picture-missing'
  const retry = document.createElement('button')
  retry.type = 'button'
  retry.className = 'button small'
  retry.textContent = text('picture.retry')
  retry.addEventListener('click', (event) => {
    event.preventDefault()
    note.remove()
    shown.hidden = enlarge.hidden = false
    picture.loading = 'eager'
    const { src } = picture
    picture.src = src
  })
  note.append(`${picture.alt} `, retry)
  shown.hidden = enlarge.hidden = true
  shown.after(note)
}
