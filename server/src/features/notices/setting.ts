import type { Language, SettingChange } from '@tollgate/contract'
import { parseJson } from '@tollgate/contract/json'
import { z } from 'zod'
import { AppError } from '../../lib/app-error.ts'

const text = z.string().optional().catch(undefined)

/** Contents of `users.setting`. Fields of later versions stay in it; `webhook_secret` in clear comes from older databases. */
const storedSetting = z.looseObject({
  notify_type: z.enum(['email', 'webhook']).optional().catch(undefined),
  quota_warning_threshold: z.number().optional().catch(undefined),
  webhook_url: text,
  webhook_secret: text,
  webhook_secret_cipher: text,
  notification_email: text,
  accept_unset_model_ratio_model: z.boolean().optional().catch(undefined),
  language: z.enum(['zh', 'en']).optional().catch(undefined),
})
export type StoredSetting = z.output<typeof storedSetting>

/** The stored text may be empty or foreign; it is then no settings at all. */
export const readSetting = (stored: string): StoredSetting => storedSetting.safeParse(parseJson(stored)).data ?? {}

/** The threshold below which this user wants to be warned; undefined leaves it to the site. */
export const thresholdOf = ({ quota_warning_threshold: own }: StoredSetting): number | undefined =>
  own !== undefined && own > 0 ? own : undefined

/** The language of notices: the one in which the settings were saved last. */
export const languageOf = ({ language = 'zh' }: StoredSetting): Language => language

const email = z.email()

const checkedUrl = (address: string): string => {
  const url = URL.canParse(address) ? new URL(address) : undefined
  const usable = url?.protocol === 'https:' && url.username === '' && url.password === ''
  if (!usable) throw new AppError('webhook_url_invalid')
  return address
}

const checkedEmail = (address: string): string => {
  if (!email.safeParse(address).success) throw new AppError('notification_email_invalid')
  return address
}

/** New value of a field: an absent one stays, null removes it, an empty text removes it only if the field is in use. */
const field = (
  stored: string | undefined,
  address: string | null | undefined,
  how: { inUse: boolean; check(text: string): string },
): string | undefined => {
  if (address === undefined) return stored
  const trimmed = address?.trim() ?? ''
  if (trimmed !== '') return how.check(trimmed)
  return address === null || how.inUse ? undefined : stored
}

/** An empty secret keeps the stored one, because it is never shown; null removes it. */
const secretOf = (
  stored: StoredSetting,
  secret: string | null | undefined,
  encrypt: (secret: string) => string,
): string | undefined => {
  if (secret === null) return undefined
  const clear = secret || stored.webhook_secret
  return clear ? encrypt(clear) : stored.webhook_secret_cipher
}

/**
 * The settings after a change; those of the way that is not chosen are kept. Throws what is wrong with it in the words that
 * existing clients expect. Does not look where an address leads.
 */
export const changedSetting = (
  stored: StoredSetting,
  change: SettingChange,
  encrypt: (secret: string) => string,
): StoredSetting => {
  const way = change.notify_type ?? stored.notify_type ?? 'email'
  if (way !== 'email' && way !== 'webhook') throw new AppError('notify_type_invalid')
  const threshold = change.quota_warning_threshold ?? stored.quota_warning_threshold
  if (change.quota_warning_threshold !== undefined && change.quota_warning_threshold <= 0) {
    throw new AppError('warning_threshold_invalid')
  }
  const url = field(stored.webhook_url, change.webhook_url, { inUse: way === 'webhook', check: checkedUrl })
  if (way === 'webhook' && !url) throw new AppError('webhook_url_missing')
  const address = field(stored.notification_email, change.notification_email, {
    inUse: way === 'email',
    check: checkedEmail,
  })
  return {
    ...stored,
    notify_type: way,
    quota_warning_threshold: threshold,
    webhook_url: url,
    webhook_secret: undefined,
    webhook_secret_cipher: secretOf(stored, change.webhook_secret, encrypt),
    notification_email: address,
    accept_unset_model_ratio_model: change.accept_unset_model_ratio_model ?? stored.accept_unset_model_ratio_model,
  }
}
