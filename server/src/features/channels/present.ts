import type { Channel } from '@tollgate/contract'
import type { ChannelRow } from './channel-row.ts'
import type { KeyCount } from './keys/key-store.ts'

const single: KeyCount = { total: 1, enabled: 1 }

/** A stored channel as the API shows it: never with its key. `keys` is absent where there is one. */
export const toChannel = (row: ChannelRow, keys: KeyCount = single): Channel => {
  const { key_cipher: _cipher, key_hash: _hash, ...shown } = row
  return { ...shown, key: '', key_count: keys.total, key_enabled: keys.enabled }
}
