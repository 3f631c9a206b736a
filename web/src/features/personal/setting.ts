import { parseObject } from '@tollgate/contract/json'
import type { SettingChange, UserSetting } from '../../lib/api/contract.ts'

/** The settings as the server shows them; an account that never saved any has none. */
export const settingOf = (setting: string): UserSetting => parseObject(setting)

export interface NoticeValues {
  way: 'email' | 'webhook'
  /** Quota units. */
  threshold: number
  url: string
  /** A stored secret is never shown: empty keeps it. */
  secret: string
  removeSecret: boolean
  address: string
}

/** `fallback` is the threshold that is offered to accounts without one. */
export const noticeValues = (setting: UserSetting, fallback: number): NoticeValues => ({
  way: setting.notify_type ?? 'email',
  threshold: setting.quota_warning_threshold || fallback,
  url: setting.webhook_url ?? '',
  secret: '',
  removeSecret: false,
  address: setting.notification_email ?? '',
})

/** The body of the call. It omits the fields of other methods, so the server keeps them. */
export const changeOf = ({ way, threshold, url, secret, removeSecret, address }: NoticeValues): SettingChange => ({
  notify_type: way,
  quota_warning_threshold: threshold,
  ...(way === 'webhook'
    ? { webhook_url: url.trim(), webhook_secret: removeSecret ? null : secret }
    : { notification_email: address.trim() }),
})

export const isHttps = (address: string): boolean => URL.canParse(address) && new URL(address).protocol === 'https:'
