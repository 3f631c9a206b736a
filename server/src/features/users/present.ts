import type { User } from '@tollgate/contract'
import type { UserRow } from '../../db/schema.ts'
import { grantedTo } from '../../http/permissions.ts'

type Setting = Readonly<Record<string, unknown>>

/** The settings without the secret of the webhook, but with whether there is one; unreadable text shows as none. */
const shownSetting = (stored: string, change: (shown: Setting) => Setting = (shown) => shown): string => {
  if (stored === '') return ''
  try {
    const { webhook_secret: clear, webhook_secret_cipher: cipher, ...rest } = JSON.parse(stored) as Setting
    const has = Boolean(clear || cipher)
    return JSON.stringify(change({ ...rest, ...(has ? { webhook_secret_set: true } : {}) }))
  } catch {
    return ''
  }
}

/** Addresses of webhooks carry tokens in their path: others see only where they lead. */
const originOfWebhook = (shown: Setting): Setting => {
  const { webhook_url: url } = shown
  if (typeof url !== 'string' || url === '') return shown
  return { ...shown, webhook_url: URL.canParse(url) ? new URL(url).origin : '' }
}

/** A stored user as its owner sees it. Never the password, and the access token only when it is made. */
export const presentOwn = (row: UserRow): User => {
  const { access_token_hash: _hash, organisation_id, staff_permissions: _staff, deleted_at, ...shown } = row
  return {
    ...shown,
    ...(organisation_id > 0 ? { organisation_id } : {}),
    password: '',
    access_token: '',
    verification_code: '',
    setting: shownSetting(row.setting),
    permissions: grantedTo(row),
    DeletedAt: deleted_at === null ? null : new Date(deleted_at * 1000).toISOString(),
  }
}

/** A stored user as admins see it: without what would let them act or sign in that user's name. */
export const presentUser = (row: UserRow): User => ({
  ...presentOwn(row),
  setting: shownSetting(row.setting, originOfWebhook),
})
