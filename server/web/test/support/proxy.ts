// A proxy that serves Assay below a path.
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { sharedServer } from './server.ts'

/** Serves the shared server below a path such as /hiring, and nothing above it. Returns the address with the path. */
export async function servedBelow(t: TestContext, path: string): Promise<string> {
  const { port, hostname } = new URL(sharedServer())
  const proxy = createServer((from, to) => {
    if (!from.url!.startsWith(`${path}/`)) return to.writeHead(404).end()
    const { method, headers } = from
    const on = request({ hostname, port, path: from.url!.slice(path.length), method, headers }, (answer) => {
      to.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(to)
    })
    from.pipe(on)
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  t.after(() => proxy.close())
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}${path}`
}
