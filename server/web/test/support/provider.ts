// An OpenID Connect provider on this machine: a certified one, see ../openid-provider.
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** A person of the provider. The ID is the subject. */
export type ProviderPerson = {
  ID: string
  Username: string
  Password: string
  FirstName: string
  LastName: string
  Email: string
  EmailVerified: boolean
  Groups?: string[]
}

export type Provider = {
  issuer: string
  clientId: string
  clientSecret: string
  stop(): Promise<void>
}

/** Builds the provider once in a run. */
let built: Promise<string> | undefined

async function build(): Promise<string> {
  const path = join(process.env.TEST_FOLDER ?? '', 'openid-provider')
  const folder = join(import.meta.dirname, '../openid-provider')
  await promisify(execFile)('go', ['build', '-C', folder, '-buildvcs=false', '-o', path, '.'])
  return path
}

/** Starts the provider on a free port, with a client whose only redirect URI is that of a server. */
export async function startProvider(server: string, people: ProviderPerson[]): Promise<Provider> {
  const path = await (built ??= build())
  const [clientId, clientSecret] = ['assay', 'the secret of 4711 + & clients']
  const child: ChildProcess = spawn(
    path,
    [
      ...['-client-id', clientId, '-client-secret', clientSecret],
      ...['-redirect-uri', `${server}/sign-in/provider/callback`, '-people', JSON.stringify(people)],
    ],
    { stdio: ['ignore', 'pipe', 'ignore'] },
  )
  process.once('exit', () => child.kill('SIGKILL'))
  const [line] = (await once(child.stdout!, 'data')) as [Buffer]
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
  }
  return { issuer: line.toString().trim(), clientId, clientSecret, stop }
}
