import type { Receipt } from '@tollgate/contract'

const printed = new WeakMap<Receipt, string>()

/** A receipt as JSON. It is written into the ledger and into the log, so its text is made once. */
export const printReceipt = (receipt: Receipt): string => {
  const known = printed.get(receipt)
  if (known !== undefined) return known
  const text = JSON.stringify(receipt)
  printed.set(receipt, text)
  return text
}
