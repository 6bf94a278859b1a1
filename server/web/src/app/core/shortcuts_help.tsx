// The list of keyboard shortcuts.

import { text } from '../../shared/i18n.tsx'
import { Dialog } from './dialogs.tsx'
import { isMac } from './platform.ts'

interface Props {
  shortcuts: { keys: string; label: string }[]
  close(): void
}

export function Help({ shortcuts, close }: Props) {
  const shown = [
    { keys: '/', label: text('shortcuts.search') },
    { keys: '?', label: text('shortcuts.help') },
    ...shortcuts,
  ]
  return (
    <Dialog title={text('shortcuts.title')} close={close}>
      <table class="plain-table">
        <tbody>
          {shown.map(({ keys, label }) => (
            <tr key={keys}>
              <th scope="row">{label}</th>
              <td class="num">
                {keys.split('+').map((key) => (
                  <kbd key={key}>{isMac ? key.replace('Ctrl', '⌘').replace('Alt', '⌥') : key}</kbd>
                ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Dialog>
  )
}
