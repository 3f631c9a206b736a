import type { User } from '@tollgate/contract'
import type { UserRow } from './store.ts'

/** The settings without the secret of the webhook; unreadable text shows as none. */
const withoutSecret = (setting: string): string => {
  try {
    const { webhook_secret: _, ...rest } = JSON.parse(setting) as Record<string, unknown>
    return JSON.stringify(rest)
  } catch {
    return ''
  }
}

/** A stored user as its owner sees it. Never the password, and the access token only when it is made. */
export const presentOwn = (row: UserRow): User => {
  const { access_token_hash: _, deleted_at, ...shown } = row
  return {
    ...shown,
    password: '',
    access_token: '',
    verification_code: '',
    DeletedAt: deleted_at === null ? null : new Date(deleted_at * 1000).toISOString(),
  }
}

/** A stored user as admins see it: without what would let them act or sign in that user's name. */
export const presentUser = (row: UserRow): User => ({
  ...presentOwn(row),
  setting: row.setting === '' ? '' : withoutSecret(row.setting),
})
