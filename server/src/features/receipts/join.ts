import type { SharedParts } from '../../app/parts.ts'
import { openReceipts, type Receipts } from './receipts.ts'
import { openReceiptKeys, type ReceiptKeys } from './signing-keys.ts'

/** Joins signed receipts, and the public keys that they are checked with. */
export const joinReceipts = (
  shared: Pick<SharedParts, 'database' | 'secrets' | 'clock'>,
): { readonly receipts: Receipts; readonly receiptKeys: ReceiptKeys['published'] } => {
  const keys = openReceiptKeys(shared)
  return { receipts: openReceipts({ database: shared.database, keys }), receiptKeys: keys.published }
}
