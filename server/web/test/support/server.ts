// Assay servers: the shared one of the run, and servers of single tests.
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, openSync, closeSync, readFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'

export type ServerOptions = {
  database?: 'sqlite' | 'postgres'
  /** Additional environment variables, such as ASSAY_DEADLINE_GRACE. */
  env?: Record<string, string>
  /** The name in the address. */
  host?: '127.0.0.1' | 'localhost'
}

export type Server = {
  url: string
  /** The path of the server's log. */
  log: string
  /** Shuts down as with SIGTERM, and waits for the end. */
  stop(): Promise<void>
  /** Ends the process with SIGKILL, as a crash does. */
  kill(): Promise<void>
  /** Starts again on the same port and database. */
  restart(): Promise<void>
  /** Runs a command of the operator beside the server, and returns what it prints. */
  operate(...command: string[]): Promise<string>
}

/** The address of the server that all test files share. */
export function sharedServer(): string {
  const url = process.env.ASSAY_URL
  if (!url) throw new Error('run the tests with server/web/test/run')
  return url
}

// Every test registers organizations and signs in from one address, and one person opens screens faster than people do,
// which the limits do not permit. All other limits have their defaults.
const limits =
  'register-ip=100000/1h,login-ip=100000/1m,anonymous-ip=100000/1m,person=12000/1m,organization=12000/1m,refresh=12000/1m'

// Node ends at these signals without the event "exit", which ends the servers.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

/** Starts a server on a free port with a new database. */
export async function startServer({ database = 'sqlite', env = {}, host = '127.0.0.1' }: ServerOptions = {}): Promise<Server> {
  const folder = join(process.env.TEST_FOLDER ?? '', `server-${randomUUID()}`)
  mkdirSync(folder, { recursive: true })
  const port = await freePort()
  const url = `http://${host}:${port}`
  const log = join(folder, 'log')
  const variables: Record<string, string> = {
    ASSAY_ADDR: `127.0.0.1:${port}`,
    ASSAY_ADMIN_ADDR: 'off',
    ASSAY_DATA_DIR: folder,
    ASSAY_RATE_LIMITS: limits,
    ASSAY_REGISTRATION: 'open',
    ...(host === 'localhost' && { ASSAY_BASE_URL: url }),
    ...env,
  }
  if (database === 'postgres') variables.ASSAY_DATABASE_URL = await createDatabase()

  let child: ChildProcess
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill(signal)
    await exited
  }
  const start = async () => {
    const output = openSync(log, 'a')
    child = spawn(process.env.ASSAY ?? 'bin/assay', ['serve'], {
      env: { ...process.env, ...variables },
      stdio: ['ignore', output, output],
    })
    closeSync(output)
    const started = child
    process.once('exit', () => started.kill('SIGKILL'))
    await ready(url, started, log)
  }
  await start()
  const operate = async (...command: string[]) => {
    const ran = await promisify(execFile)(process.env.ASSAY ?? 'bin/assay', command, { env: { ...process.env, ...variables } })
    return ran.stdout
  }
  return { url, log, operate, stop: () => end('SIGTERM'), kill: () => end('SIGKILL'), restart: start }
}

/** Waits until the server is ready. */
async function ready(url: string, child: ChildProcess, log: string): Promise<void> {
  for (const until = Date.now() + 30_000; Date.now() < until;) {
    if (child.exitCode !== null) break
    const answer = await fetch(`${url}/readyz`).catch(() => null)
    if (answer?.ok) return
    await new Promise((done) => setTimeout(done, 25))
  }
  throw new Error(`the server did not start:\n${readFileSync(log, 'utf8')}`)
}

/** A port of this machine that no program uses. */
export async function freePort(): Promise<number> {
  const listener = createServer().listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const { port } = listener.address() as AddressInfo
  listener.close()
  await once(listener, 'close')
  return port
}

/** Creates a PostgreSQL database beside the database of TEST_DATABASE_URL, and returns its URL. */
async function createDatabase(): Promise<string> {
  const base = process.env.TEST_DATABASE_URL
  if (!base) throw new Error('TEST_DATABASE_URL is not set: run `make test-web`, which starts a PostgreSQL')
  const name = `web_${randomUUID().replaceAll('-', '')}`
  await promisify(execFile)('psql', ['--quiet', '--dbname', base, '--command', `CREATE DATABASE ${name}`])
  return base.replace(/^([a-z]+:\/\/[^/]*\/)[^?]*/, `$1${name}`)
}
