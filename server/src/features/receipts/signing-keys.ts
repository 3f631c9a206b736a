import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import type { Database } from '../../db/database.ts'
import { type Clock, unixSeconds } from '../../lib/clock.ts'
import type { Secrets } from '../../lib/security/secrets.ts'
import { canonicalJson } from './canonical-json.ts'

/** A public key as JSON Web Key (RFC 8037); `kid` is its thumbprint (RFC 7638). */
export interface PublicReceiptKey {
  readonly kty: 'OKP'
  readonly crv: 'Ed25519'
  readonly alg: 'EdDSA'
  readonly use: 'sig'
  readonly kid: string
  readonly x: string
  /** Unix seconds. */
  readonly iat: number
}

export interface ReceiptKey {
  readonly kid: string
  readonly privateKey: KeyObject
}

/** The keys with which this site signs receipts: the newest signs, and all of them stay public. */
export interface ReceiptKeys {
  current(): Promise<ReceiptKey>
  /** Newest first. */
  published(): Promise<readonly PublicReceiptKey[]>
  /** Makes a key that signs from now on, on all nodes. Answers its id. */
  renew(): Promise<string>
}

interface StoredKey {
  readonly number: number
  readonly key_cipher: string
  /** PEM of the public key. */
  readonly certificate: string
  readonly created_time: number
}

const prefix = 'receipts:'

const publicKeyOf = ({ certificate, created_time }: StoredKey): PublicReceiptKey => {
  const { x = '' } = createPublicKey(certificate).export({ format: 'jwk' })
  const named = { crv: 'Ed25519', kty: 'OKP', x } as const
  const kid = createHash('sha256').update(canonicalJson(named)).digest('base64url')
  return { ...named, alg: 'EdDSA', use: 'sig', kid, iat: created_time }
}

export const openReceiptKeys = (parts: {
  readonly database: Database
  readonly secrets: Pick<Secrets, 'encrypt' | 'decrypt'>
  readonly clock: Clock
}): ReceiptKeys => {
  const { database, secrets, clock } = parts

  const stored = async (): Promise<StoredKey[]> => {
    const rows = await database.query.selectFrom('site_keys').selectAll().where('name', 'like', `${prefix}%`).execute()
    return rows
      .map(({ name, ...row }) => ({ ...row, number: Number(name.slice(prefix.length)) }))
      .sort((a, b) => b.number - a.number)
  }

  /** Another node may store one of the same number first, and that one counts. */
  const make = async (number: number): Promise<StoredKey[]> => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519')
    const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    const row = {
      name: `${prefix}${number}`,
      key_cipher: secrets.encrypt('site_key', key),
      certificate: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
      created_time: unixSeconds(clock),
    }
    await database.insertMany('site_keys', [row], { skipExisting: true })
    return stored()
  }

  const all = async (): Promise<readonly StoredKey[]> => {
    const found = await stored()
    return found.length > 0 ? found : make(1)
  }

  return {
    async current() {
      const [newest] = await all()
      if (newest === undefined) throw new Error('no key for receipts could be stored')
      const privateKey = createPrivateKey(secrets.decrypt('site_key', newest.key_cipher))
      return { kid: publicKeyOf(newest).kid, privateKey }
    },
    published: async () => (await all()).map(publicKeyOf),
    async renew() {
      const [newest] = await stored()
      const [made] = await make((newest?.number ?? 0) + 1)
      return made === undefined ? '' : publicKeyOf(made).kid
    },
  }
}
