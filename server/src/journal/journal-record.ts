import type { Receipt } from '@tollgate/contract'
import type { Hold, RequestRecord } from '../relay/ports.ts'
import { boundedCall, printedOther } from './record-bounds.ts'
import type { Segment } from './segments.ts'

/** A finished request on its way to the database. */
export interface JournalRecord extends Omit<RequestRecord, 'other' | 'receipt'> {
  /** JSON of the log's `other` column, the receipt included. */
  readonly other: string
  /** JSON of the receipt alone, for the ledger; undefined where nothing is charged. */
  readonly receipt: string | undefined
  /** The journal's own: where it keeps the record until the database has it. */
  segment: Segment | undefined
  /** The ledger's own: what it counts until the database has the charge. */
  hold: Hold | undefined
}

const member = '"receipt":'

/**
 * What is printed of a request is printed here, once, for the journal, the log and the ledger alike. Texts are also all that
 * stays of it until the database has it: objects would be copied by the garbage collector one by one. From here on every text
 * has a length and characters that every database takes.
 */
export const journalRecord = (record: RequestRecord, hold?: Hold, heldAt?: number): JournalRecord => {
  const receipt = record.receipt && withHeld(record.receipt, record.at, hold, heldAt)
  const other = printedOther(record.other, receipt)
  return { ...boundedCall(record), other, receipt: receipt && printedReceipt(other), segment: undefined, hold }
}

const withHeld = (receipt: Receipt, endedAt: number, hold?: Hold, heldAt?: number): Receipt =>
  hold === undefined || heldAt === undefined || hold.quota === 0
    ? receipt
    : { ...receipt, held: { quota: hold.quota, at: heldAt, ms: endedAt - heldAt } }

/**
 * The same charge where an end of the process came between its call and its booking: its receipt says that nothing was held, since nobody
 * knows whether its hold counted all the time.
 */
export const withHoldForgotten = (record: JournalRecord): JournalRecord =>
  record.receipt === undefined
    ? record
    : { ...record, receipt: record.receipt.replace(/"held":\{"quota":\d+/, '"held":{"quota":0') }

/** The receipt as `printedOther` printed it: the last member, and quotes within texts are escaped, so none looks like its name. */
export const printedReceipt = (other: string): string => other.slice(other.lastIndexOf(member) + member.length, -1)
