import { generateKeyPair, randomBytes, sign } from 'node:crypto'
import { promisify } from 'node:util'

/** A private key with its certificate, both in PEM. */
export interface CertifiedKey {
  readonly key: string
  readonly certificate: string
}

/** An element of DER: tag, length, content. */
const der = (tag: number, ...parts: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(parts)
  const { length } = body
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), body])
}
const sequence = (...parts: readonly Buffer[]): Buffer => der(0x30, ...parts)
const dayMs = 86_400_000
const validDays = 3650

/** GeneralizedTime, which RFC 5280 asks for from 2050 on, and UTCTime before. */
const time = (moment: Date): Buffer => {
  const digits = `${moment.toISOString().slice(0, 19).replaceAll(/[-:T]/g, '')}Z`
  return moment.getUTCFullYear() < 2050 ? der(0x17, Buffer.from(digits.slice(2))) : der(0x18, Buffer.from(digits))
}

const commonName = Buffer.from('550403', 'hex')
const sha256WithRsa = Buffer.from('2a864886f70d01010b', 'hex')

/**
 * Makes an RSA key of 2048 bits and a certificate (X.509) for it that is signed with the key itself: valid from a day before
 * now, because clocks differ, for ten years. `name` becomes the common name.
 */
export const makeSelfSigned = async (name: string): Promise<CertifiedKey> => {
  const { publicKey, privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 })
  const algorithm = sequence(der(0x06, sha256WithRsa), der(0x05))
  const subject = sequence(der(0x31, sequence(der(0x06, commonName), der(0x0c, Buffer.from(name)))))
  const now = Date.now()
  const serial = Buffer.concat([Buffer.from([1]), randomBytes(8)])
  const content = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, serial),
    algorithm,
    subject,
    sequence(time(new Date(now - dayMs)), time(new Date(now + validDays * dayMs))),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
  )
  const signature = sign('sha256', content, privateKey)
  const whole = sequence(content, algorithm, der(0x03, Buffer.concat([Buffer.from([0]), signature])))
  const lines = whole.toString('base64').match(/.{1,64}/g) ?? []
  return {
    key: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
    certificate: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
  }
}
