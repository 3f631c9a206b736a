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
export const journalRecord = (record: RequestRecord, hold?: Hold): JournalRecord => {
  const { receipt } = record
  const other = printedOther(record.other, receipt)
  return { ...boundedCall(record), other, receipt: receipt && printedReceipt(other), segment: undefined, hold }
}

/** The receipt as `printedOther` printed it: the last member, and quotes within texts are escaped, so none looks like its name. */
export const printedReceipt = (other: string): string => other.slice(other.lastIndexOf(member) + member.length, -1)
