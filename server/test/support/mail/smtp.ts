import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { createEgressGuard } from '../../../src/lib/security/egress.ts'
import type { MailSettings } from '../../../src/mail/mail.ts'
import { openMailer } from '../../../src/mail/mailer.ts'

const certificate = (name: string): string => readFileSync(join(import.meta.dirname, 'certificates', name), 'utf8')

/** The authority that signed the test server's certificate for `mail.test`. */
const testAuthority = certificate('ca.pem')

export interface ReceivedMail {
  readonly from: string
  readonly to: readonly string[]
  /** As it came over the wire. */
  readonly raw: string
  /** Subject and body, decoded. */
  readonly subject: string
  readonly body: string
  readonly encrypted: boolean
  readonly user: string | undefined
}

const decodedWords = (header: string): string =>
  header
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, kind: string, word: string) =>
      kind.toLowerCase() === 'b'
        ? Buffer.from(word, 'base64').toString('utf8')
        : quotedPrintable(word.replaceAll('_', ' ')),
    )

const quotedPrintable = (part: string): string =>
  Buffer.from(
    part
      .replace(/=\r?\n/g, '')
      .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString('utf8')

/** All parts of a message, decoded, one after the other. */
const bodyOf = (raw: string): string =>
  raw
    .split(/\r\n--[^\r\n]+/)
    .map((part) => {
      const [head = '', ...rest] = part.split('\r\n\r\n')
      const content = rest.join('\r\n\r\n')
      if (/transfer-encoding: base64/i.test(head)) return Buffer.from(content, 'base64').toString('utf8')
      return /transfer-encoding: quoted-printable/i.test(head) ? quotedPrintable(content) : content
    })
    .join('\n')

const subjectOf = (raw: string): string => decodedWords(/^Subject: ((?:.*\r\n[ \t])*.*)/im.exec(raw)?.[1] ?? '')

/**
 * A real SMTP server on this machine. Its name is `mail.test`; `mailerFor` sends to it as production would, with that
 * name resolved to this machine and the test authority trusted.
 */
export const openTestSmtp = async (options: SMTPServerOptions = {}) => {
  const mails: ReceivedMail[] = []
  const waiting: (() => void)[] = []
  const server = new SMTPServer({
    key: certificate('server.key'),
    cert: certificate('server.pem'),
    authOptional: true,
    disableReverseLookup: true,
    onAuth({ username, password }, _session, done) {
      if (password === 'right') done(null, { user: username })
      else done(new Error('Invalid username or password'))
    },
    onData(stream, session, done) {
      text(stream).then((raw) => {
        const { mailFrom, rcptTo } = session.envelope
        mails.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          raw,
          subject: subjectOf(raw),
          body: bodyOf(raw),
          encrypted: session.secure,
          user: session.user,
        })
        done()
        for (const resolve of waiting.splice(0)) resolve()
      }, done)
    },
    ...options,
  })
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo

  const settings = (change: Partial<MailSettings> = {}): MailSettings => ({
    SMTPServer: 'mail.test',
    SMTPPort: port,
    SMTPAccount: '',
    SMTPFrom: 'gate@tollgate.test',
    SMTPToken: '',
    SMTPSSLEnabled: options.secure === true,
    SystemName: 'Tollgate',
    ...change,
  })
  const egress = createEgressGuard({
    allow: [],
    operator: true,
    resolve: async (host) => (host.endsWith('.test') ? [{ address: '127.0.0.1' }] : []),
  })

  return {
    mails,
    settings,
    /** Resolves when so many mails have come altogether. */
    async arrived(count: number): Promise<readonly ReceivedMail[]> {
      while (mails.length < count) await new Promise<void>((resolve) => waiting.push(resolve))
      return mails
    },
    mailerFor: (change: Partial<MailSettings> = {}) =>
      openMailer({ settings: () => settings(change), egress, authorities: testAuthority }),
    /** Trusts the authorities of the system only. */
    strangerFor: (change: Partial<MailSettings> = {}) => openMailer({ settings: () => settings(change), egress }),
    close: () => new Promise<void>((resolve) => server.close(resolve)),
  }
}
