import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto'

type Cbor = number | string | Buffer | Map<number | string, Cbor>

const head = (major: number, value: number): Buffer => {
  if (value < 24) return Buffer.from([(major << 5) | value])
  if (value < 256) return Buffer.from([(major << 5) | 24, value])
  return Buffer.from([(major << 5) | 25, value >> 8, value & 255])
}

/** As much CBOR as an attestation needs. */
const cbor = (value: Cbor): Buffer => {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  return Buffer.concat([head(5, value.size), ...[...value].flatMap(([key, member]) => [cbor(key), cbor(member)])])
}

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest()

/** As much of a ceremony's options as an authenticator looks at. */
interface Options {
  readonly challenge: string
  readonly user?: { readonly id: string }
}

interface Settings {
  /** Origin of the page, as a browser would report it. */
  origin: string
  rpId: string
  /** True if the person was verified by PIN or finger. */
  verified: boolean
  counter: number
}

/** An authenticator in software: one ES256 credential, attestation `none`. Settings may be changed between ceremonies. */
export const createAuthenticator = (options: Partial<Settings> = {}) => {
  const settings: Settings = { origin: 'https://gate.test', rpId: 'gate.test', verified: true, counter: 0, ...options }
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const credentialId = randomBytes(32)
  const id = credentialId.toString('base64url')
  let handle = ''

  const clientData = (type: string, challenge: string): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge, origin: settings.origin, crossOrigin: false }))

  const authenticatorData = (attested: Buffer): Buffer => {
    const flags = 1 | (settings.verified ? 4 : 0) | (attested.length > 0 ? 64 : 0)
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(settings.counter)
    return Buffer.concat([sha256(settings.rpId), Buffer.from([flags]), counter, attested])
  }

  const coseKey = (): Buffer => {
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
    const members: [number, Cbor][] = [
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ]
    return cbor(new Map(members))
  }

  const answer = (response: Record<string, unknown>) => ({
    id,
    rawId: id,
    type: 'public-key',
    clientExtensionResults: {},
    response,
  })

  return {
    settings,
    id,
    create(options: Options) {
      handle = options.user?.id ?? ''
      const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, credentialId.length]), credentialId, coseKey()])
      const attestation: [string, Cbor][] = [
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authenticatorData(attested)],
      ]
      return answer({
        clientDataJSON: clientData('webauthn.create', options.challenge).toString('base64url'),
        attestationObject: cbor(new Map(attestation)).toString('base64url'),
        transports: ['internal'],
      })
    },
    get(options: Options) {
      const data = authenticatorData(Buffer.alloc(0))
      const client = clientData('webauthn.get', options.challenge)
      const signature = createSign('sha256').update(data).update(sha256(client)).sign(privateKey)
      return answer({
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: signature.toString('base64url'),
        userHandle: handle,
      })
    },
  }
}
