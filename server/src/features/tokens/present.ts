import type { Token } from '@tollgate/contract'
import { readTags, tagsOfKey } from '../../billing/call-tags.ts'
import { statusNow } from './rules.ts'
import type { TokenRow } from './store.ts'

/** A stored token as the API shows it: with the masked key and the status that it has `now`, in unix seconds. */
export const toToken = (row: TokenRow, now: number): Token => {
  const { key_hash: _hash, key_cipher: _cipher, tags, ...rest } = row
  const {
    project_id: _project,
    member_id: _member,
    secret_for: _person,
    key_hint,
    deleted_at,
    include_cost,
    deadline_only,
    ...shown
  } = rest
  return {
    ...shown,
    key: key_hint,
    status: statusNow(row, now),
    tags: readTags(tagsOfKey(tags)),
    include_cost: include_cost === 1,
    deadline_only: deadline_only === 1,
    unlimited_quota: row.unlimited_quota === 1,
    model_limits_enabled: row.model_limits_enabled === 1,
    DeletedAt: deleted_at === null ? null : new Date(deleted_at * 1000).toISOString(),
  }
}
