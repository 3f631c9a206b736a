import { generateKeyPairSync, sign } from 'node:crypto'

const der = (tag: number, ...parts: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(parts)
  const { length } = body
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), body])
}
const sequence = (...parts: readonly Buffer[]): Buffer => der(0x30, ...parts)
const time = (moment: Date): Buffer =>
  der(0x17, Buffer.from(`${moment.toISOString().slice(2, 19).replaceAll(/[-:T]/g, '')}Z`))

const commonName = Buffer.from('550403', 'hex')
const sha256WithRsa = Buffer.from('2a864886f70d01010b', 'hex')

/** A key with a certificate that it signed itself, both in PEM, valid for a day before and ten years after now. */
export const selfSigned = (name: string): { key: string; certificate: string } => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const algorithm = sequence(der(0x06, sha256WithRsa), der(0x05))
  const subject = sequence(der(0x31, sequence(der(0x06, commonName), der(0x0c, Buffer.from(name)))))
  const now = Date.now()
  const content = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    algorithm,
    subject,
    sequence(time(new Date(now - 86_400_000)), time(new Date(now + 3_650 * 86_400_000))),
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
