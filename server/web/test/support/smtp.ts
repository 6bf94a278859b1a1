// A mail server on this machine that keeps what it receives.
import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { eventually } from './api.ts'

export type Email = {
  /** The recipients of the envelope. */
  to: string[]
  subject: string
  /** The plain text. */
  text: string
  /** The first link in the text to a path. */
  link(path: string): string
}

export type MailServer = {
  /** The environment variables with which Assay sends its email here. */
  env: Record<string, string>
  /** Waits for an email to an address that arrived after the first `skip` ones. */
  received(to: string, skip?: number): Promise<Email>
  stop(): Promise<void>
}

export async function startMailServer(): Promise<MailServer> {
  const emails: Email[] = []
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket))
    socket.on('error', () => undefined) // Assay ends its connections as it likes
    converse(socket, (email) => emails.push(email))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    env: { ASSAY_SMTP_URL: `smtp://127.0.0.1:${port}`, ASSAY_MAIL_FROM: 'assay@assay.example' },
    async received(to, skip = 0) {
      const found = () => emails.filter((email) => email.to.includes(to))
      const all = await eventually(
        async () => found(),
        ({ length }) => length > skip,
      )
      return all[skip]!
    },
    async stop() {
      for (const socket of open) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Speaks SMTP (RFC 5321), as far as Assay does. */
function converse(socket: Socket, keep: (email: Email) => void): void {
  let [buffer, to, isData] = ['', [] as string[], false]
  const reply = (line: string) => socket.write(`${line}\r\n`)
  reply('220 mail.example ESMTP')
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    buffer += chunk
    for (;;) {
      const end = isData ? '\r\n.\r\n' : '\r\n'
      const at = buffer.indexOf(end)
      if (at < 0) return
      const line = buffer.slice(0, at)
      buffer = buffer.slice(at + end.length)
      if (isData) {
        keep(parse(line.replace(/^\.\./gm, '.'), to))
        isData = false
        reply('250 OK')
        continue
      }
      const command = line.slice(0, 4).toUpperCase()
      if (command === 'RCPT') to.push(/<(.*)>/.exec(line)![1]!)
      if (command === 'MAIL') to = []
      if (command === 'DATA') isData = true
      if (command === 'EHLO') reply('250-mail.example\r\n250-8BITMIME\r\n250 SMTPUTF8')
      else reply(command === 'DATA' ? '354 Go on' : command === 'QUIT' ? '221 Bye' : '250 OK')
      if (command === 'QUIT') socket.end()
    }
  })
}

/** Reads a message (RFC 5322) that has a part with plain text. */
function parse(message: string, to: string[]): Email {
  const head = message.slice(0, message.indexOf('\r\n\r\n')).replace(/\r\n[ \t]+/g, ' ')
  const subject = decodeWords(/^Subject: (.*)$/im.exec(head)?.[1] ?? '')
  const boundary = /boundary="?([^";\s]+)/i.exec(head)?.[1]
  const parts = boundary === undefined ? [message] : message.split(`--${boundary}`)
  const plain = parts.find((part) => /content-type: text\/plain/i.test(part)) ?? ''
  const at = plain.indexOf('\r\n\r\n')
  const body = plain.slice(at + 4)
  const text = /transfer-encoding: quoted-printable/i.test(plain.slice(0, at)) ? decodeQuoted(body) : body
  const link = (path: string) => {
    const found = text.split(/\s+/).find((word) => word.includes(path))
    if (!found) throw new Error(`the email has no link to ${path}:\n${text}`)
    return found
  }
  return { to, subject, text, link }
}

/** Decodes quoted-printable (RFC 2045, section 6.7). */
function decodeQuoted(text: string): string {
  const bytes = text
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

/** Decodes encoded words (RFC 2047). */
function decodeWords(text: string): string {
  return text
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([qb])\?([^?]*)\?=/gi, (_, kind: string, word: string) =>
      kind.toLowerCase() === 'b'
        ? Buffer.from(word, 'base64').toString('utf8')
        : decodeQuoted(word.replaceAll('_', ' ')),
    )
}
