// A receiver of webhooks whose behaviour a test can change.
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'

export type Received = { headers: IncomingHttpHeaders; body: string; event: { id: string; type: string; data: Record<string, unknown> } }
export type Behaviour = (response: ServerResponse) => unknown

export const accept: Behaviour = (response) => response.writeHead(200).end('stored')
export const fail: Behaviour = (response) => response.writeHead(500).end('no table "events"')
export const redirect: Behaviour = (response) => response.writeHead(301, { Location: 'https://elsewhere.example/' }).end()
export const close: Behaviour = (response) => response.socket?.destroy()
/** The response never comes. The server's timeout ends the attempt. */
export const hang: Behaviour = () => undefined

export type Receiver = {
  url: string
  behave(next: Behaviour): void
  received: Received[]
}

export async function receiver(t: TestContext, first: Behaviour = accept): Promise<Receiver> {
  let behaviour = first
  const received: Received[] = []
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const body = Buffer.concat(parts).toString()
      received.push({ headers: request.headers, body, event: JSON.parse(body) as Received['event'] })
      behaviour(response)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/assay`, behave: (next) => (behaviour = next), received }
}
