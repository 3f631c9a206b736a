import type { Channel } from '@tollgate/contract'
import type { ChannelRow } from './store.ts'

/** A stored channel as the API shows it: never with its key. */
export const toChannel = (row: ChannelRow): Channel => {
  const { key_cipher: _cipher, key_hash: _hash, ...shown } = row
  return { ...shown, key: '' }
}
