import type { Redemption } from '@tollgate/contract'
import type { ShownRow } from './store.ts'

const shownAtEachEnd = 4

/** `abcd****wxyz`: enough to tell codes apart, too little to use one. */
export const masked = (key: string): string => `${key.slice(0, shownAtEachEnd)}****${key.slice(-shownAtEachEnd)}`

/** A stored code as the API shows it. */
export const toRedemption = (row: ShownRow, key: string): Redemption => {
  const { key_hash: _hash, key_cipher: _cipher, deleted_at, creator, used_username, batch_id, ...shown } = row
  return {
    ...shown,
    creator: creator ?? '',
    used_username: used_username ?? '',
    key: masked(key),
    batch_id: batch_id ?? '',
    count: 0,
    DeletedAt: deleted_at === null ? null : new Date(deleted_at * 1000).toISOString(),
  }
}
