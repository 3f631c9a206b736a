/** One mail to one reader; several addresses are separated by `;`. */
export interface Mail {
  readonly to: string
  readonly subject: string
  readonly html: string
  readonly text: string
}

/**
 * Hands a mail to the SMTP server. Resolves when that has taken it. Throws AppError('mail_not_configured'),
 * AppError('mail_account_invalid') or AppError('mail_failed') with the SMTP error as its cause.
 */
export type SendMail = (mail: Mail) => Promise<void>

/** Milliseconds to connect, to be greeted, and between two answers of an SMTP server. */
export const mailTimeoutMs = 15_000

/** The options that mails depend on, read for each mail. */
export interface MailSettings {
  readonly SMTPServer: string
  readonly SMTPPort: number
  readonly SMTPAccount: string
  readonly SMTPFrom: string
  readonly SMTPToken: string
  readonly SMTPSSLEnabled: boolean
  /** Display name of the sender. */
  readonly SystemName: string
}
