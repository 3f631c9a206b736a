import { AppError } from '../../lib/app-error.ts'
import type { Secrets } from '../../lib/security/secrets.ts'
import { chatBody } from './chat-body.ts'
import type { Recipient } from './recipients.ts'
import type { StoredSetting } from './setting.ts'
import { filledContent, type Notice, webhookBody } from './texts.ts'
import { DeliveryFailure, type SendWebhook, type WebhookTarget } from './webhook.ts'

export type DeliveryMethod = 'email' | 'webhook'

export type Target = { readonly way: 'email'; readonly to: string } | ({ readonly way: 'webhook' } & WebhookTarget)

/** A notice as a mail, before it is given the site's look. */
export interface NoticeMail {
  readonly to: string
  readonly subject: string
  /** Plain text. */
  readonly content: string
  readonly link: Notice['link']
}

interface DeliveryParts {
  /** Resolves when the mail server has taken it. */
  sendMail(mail: NoticeMail): Promise<void>
  /** True if the site has a mail server. */
  mailReady(): boolean
  readonly sendWebhook: SendWebhook
  readonly secrets: Pick<Secrets, 'decrypt'>
}

export interface Delivery {
  /** The way a user chose. */
  wayOf(setting: StoredSetting): DeliveryMethod
  /** Present destination of a way; undefined if it has none and the notice is skipped. */
  targetOf(recipient: Recipient, setting: StoredSetting, way: DeliveryMethod): Target | undefined
  /** A reader by address: of a webhook, or of mail. */
  targetAt(address: string): Target
  /** True if the site has a mail server. */
  mailReady(): boolean
  /** Throws `DeliveryFailure`. */
  send(target: Target, notice: Notice, timestamp: number): Promise<void>
}

/** The mail server's own words are for the operator's log. */
const mailFailure = (error: unknown): DeliveryFailure => {
  if (error instanceof AppError) return new DeliveryFailure(error)
  return new DeliveryFailure(new AppError('mail_failed', { cause: error }))
}

export const createDelivery = (parts: DeliveryParts): Delivery => ({
  wayOf: (setting) => setting.notify_type ?? 'email',

  targetOf(recipient, setting, way) {
    if (way === 'email') {
      const to = setting.notification_email || recipient.email
      return to === '' || !parts.mailReady() ? undefined : { way, to }
    }
    if (!setting.webhook_url) return undefined
    const { webhook_secret_cipher: cipher, webhook_secret: clear = '' } = setting
    return { way, url: setting.webhook_url, secret: cipher ? parts.secrets.decrypt('webhook', cipher) : clear }
  },

  targetAt: (address) =>
    /^https?:\/\//i.test(address) ? { way: 'webhook', url: address, secret: '' } : { way: 'email', to: address },
  mailReady: parts.mailReady,

  async send(target, notice, timestamp) {
    if (target.way === 'webhook') {
      return parts.sendWebhook(target, chatBody(target.url, notice) ?? webhookBody(notice, timestamp))
    }
    const mail = { to: target.to, subject: notice.title, content: filledContent(notice), link: notice.link }
    await parts.sendMail(mail).catch((error: unknown) => {
      throw mailFailure(error)
    })
  },
})
