import type { Token } from '@tollgate/contract'
import { statusNow } from './rules.ts'
import type { TokenRow } from './store.ts'

/** A stored token as the API shows it: with the masked key and the status that it has `now`, in unix seconds. */
export const toToken = (row: TokenRow, now: number): Token => {
  const { key_hash: _hash, key_cipher: _cipher, key_hint, deleted_at, ...shown } = row
  return {
    ...shown,
    key: key_hint,
    status: statusNow(row, now),
    unlimited_quota: row.unlimited_quota === 1,
    model_limits_enabled: row.model_limits_enabled === 1,
    DeletedAt: deleted_at === null ? null : new Date(deleted_at * 1000).toISOString(),
  }
}
