import { AppError } from '../lib/app-error.ts'
import type { EgressGuard } from '../lib/security/egress.ts'
import { type MailSettings, type SendMail, mailTimeoutMs as timeoutMs } from './mail.ts'
import { connectGuarded } from './smtp-socket.ts'

export interface MailerParts {
  settings(): MailSettings
  /** For addresses that operators typed. */
  readonly egress: EgressGuard
  /** Certificate authorities (PEM) in place of the system's. */
  readonly authorities?: string
}

const tlsPort = 465

/** A password may be sent in clear text only on the local machine. */
const isThisMachine = (host: string): boolean => /^(localhost|127(\.\d+){3}|\[?::1]?)$/i.test(host)

const senderOf = ({ SMTPFrom, SMTPAccount }: MailSettings): string => {
  const sender = (SMTPFrom || SMTPAccount).trim()
  if (!/^[^@\s<>]+@[^@\s<>]+$/.test(sender)) throw new AppError('mail_account_invalid')
  return sender
}

const transportOf = async (settings: MailSettings, { egress, authorities }: MailerParts) => {
  const { SMTPServer, SMTPPort: port, SMTPAccount: user, SMTPToken: pass } = settings
  const host = SMTPServer.trim()
  // Loaded with the first mail.
  const { createTransport } = await import('nodemailer')
  return createTransport({
    host,
    port,
    secure: port === tlsPort || settings.SMTPSSLEnabled,
    // STARTTLS is used wherever it is offered; with a password it must be.
    requireTLS: user !== '' && !isThisMachine(host),
    ...(user === '' ? {} : { auth: { user, pass } }),
    ...(authorities === undefined ? {} : { tls: { ca: authorities } }),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    getSocket(_options, callback) {
      connectGuarded({ host, port }, { egress, timeoutMs }).then(
        (connection) => callback(null, { connection }),
        (error: Error) => callback(error),
      )
    },
  })
}

/** Checks that a mail server is configured; throws AppError if none is. */
export const assertMailConfigured = (settings: MailSettings): void => {
  if (settings.SMTPServer.trim() === '') throw new AppError('mail_not_configured')
  senderOf(settings)
}

/**
 * Sends mails over the SMTP server of the options: TLS from the start on port 465 or when chosen, STARTTLS otherwise,
 * certificates verified.
 */
export const openMailer = (parts: MailerParts): SendMail => {
  return async ({ to, subject, html, text }) => {
    const settings = parts.settings()
    assertMailConfigured(settings)
    const transport = await transportOf(settings, parts)
    try {
      await transport.sendMail({
        from: { name: settings.SystemName, address: senderOf(settings) },
        to: to.split(';').map((address) => ({ name: '', address: address.trim() })),
        subject,
        html,
        text,
      })
    } catch (cause) {
      throw new AppError('mail_failed', { cause })
    } finally {
      transport.close()
    }
  }
}
