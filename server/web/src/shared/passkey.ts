// Passkeys (Web Authentication). The options and the results are JSON, as in level 3 of the specification. The browser's
// own functions for it are newer than passkeys, and some password managers replace them by functions that fail.

/** hasPasskeys reports whether the page can use passkeys: on HTTPS or on the own machine, and not at an IP address. */
export const hasPasskeys = () => 'PublicKeyCredential' in window && !/^[\d.]+$|:/.test(location.hostname)

const bytes = (base64url: string) =>
  Uint8Array.from(atob(base64url.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0))

const text = (bytes: ArrayBuffer | null | undefined) =>
  bytes &&
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

interface Descriptor {
  id: string
}

const withBytes = (list: Descriptor[] = []) => list.map((one) => ({ ...one, id: bytes(one.id) }))

/** createPasskey makes a passkey with the options of the server. It throws if the person or the browser refuses. */
export async function createPasskey(json: string): Promise<string> {
  const options = JSON.parse(json)
  const credential = await navigator.credentials.create({
    publicKey: {
      ...options,
      challenge: bytes(options.challenge),
      user: { ...options.user, id: bytes(options.user.id) },
      excludeCredentials: withBytes(options.excludeCredentials),
    },
  })
  const response = responseOf<AuthenticatorAttestationResponse>(credential)
  return jsonOf(credential, {
    attestationObject: text(response.attestationObject),
    clientDataJSON: text(response.clientDataJSON),
    transports: response.getTransports?.() ?? [],
  })
}

/** usePasskey asks for a passkey with the options of the server. It throws if the person or the browser refuses. */
export async function usePasskey(json: string): Promise<string> {
  const options = JSON.parse(json)
  const credential = await navigator.credentials.get({
    publicKey: {
      ...options,
      challenge: bytes(options.challenge),
      allowCredentials: withBytes(options.allowCredentials),
    },
  })
  const response = responseOf<AuthenticatorAssertionResponse>(credential)
  return jsonOf(credential, {
    authenticatorData: text(response.authenticatorData),
    clientDataJSON: text(response.clientDataJSON),
    signature: text(response.signature),
    userHandle: text(response.userHandle),
  })
}

function responseOf<T extends AuthenticatorResponse>(credential: Credential | null): T {
  return (credential as PublicKeyCredential).response as T
}

function jsonOf(credential: Credential | null, response: object): string {
  const { id, type, rawId, authenticatorAttachment } = credential as PublicKeyCredential
  return JSON.stringify({ id, type, rawId: text(rawId), authenticatorAttachment, clientExtensionResults: {}, response })
}
