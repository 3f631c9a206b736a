import type { Receipt } from '@tollgate/contract'
import type { Hold, RequestRecord } from '../relay/ports.ts'
import { callHead } from './call-head.ts'
import { boundedCall, otherFits, printedOther } from './record-bounds.ts'
import type { Segment } from './segments.ts'

/** A finished request on its way to the database. */
export interface JournalRecord extends Omit<RequestRecord, 'other' | 'receipt'> {
  /** JSON of the log's `other` column, the receipt included. */
  readonly other: string
  /** JSON of the receipt alone, for the ledger; undefined where nothing is charged. */
  readonly receipt: string | undefined
  /** Set by the journal: the segment that contains the record until the database has it. */
  segment: Segment | undefined
  /** Set by the ledger: the hold that counts until the database has the charge. */
  hold: Hold | undefined
}

const member = '"receipt":'

/** The hold of a call: quota units, and the time it began (milliseconds since 1970). */
export interface HeldFor {
  readonly hold?: Hold | undefined
  readonly heldAt?: number | undefined
}

/**
 * Prints a finished request once, for the journal, the log and the ledger alike. Only texts stay in memory until the database has it:
 * objects would be copied by the garbage collector one by one. From here on every text has a length and characters that every database
 * accepts. `head` is the result of `callHead` for the record.
 */
export const journalRecord = (
  record: RequestRecord,
  { hold, heldAt }: HeldFor = {},
  head = callHead(record),
): JournalRecord => {
  const bounded = head === undefined ? boundedCall(record) : record
  const held = heldOf(record, hold, heldAt)
  const { otherText } = record
  const quick = quicklyPrinted(record, held)
  if (quick !== undefined && otherText !== undefined) {
    const receipt = quick.slice(otherText.length + 1 + member.length, -1)
    return { ...bounded, other: quick, otherText: undefined, receipt, segment: undefined, hold }
  }
  const other = printedOther(record.other, withHeld(record.receipt, held))
  const receipt = record.receipt && printedReceipt(other)
  return { ...bounded, other, otherText: undefined, receipt, segment: undefined, hold }
}

type Held = NonNullable<Receipt['held']>

const heldOf = ({ at, receipt }: RequestRecord, hold?: Hold, heldAt?: number): Held | undefined =>
  receipt === undefined || hold === undefined || heldAt === undefined || hold.quota === 0
    ? undefined
    : { quota: hold.quota, at: heldAt, ms: at - heldAt }

const withHeld = (receipt: Receipt | undefined, held: Held | undefined): Receipt | undefined =>
  receipt === undefined || held === undefined ? receipt : { ...receipt, held }

/** The same as `printedOther` of a record whose `other` is printed already; undefined where it is not, or needs bounds. */
const quicklyPrinted = ({ otherText, receipt }: RequestRecord, held: Held | undefined): string | undefined => {
  if (otherText === undefined || receipt === undefined) return undefined
  const printed = JSON.stringify(receipt)
  const other =
    held === undefined
      ? `${otherText},${member}${printed}}`
      : `${otherText},${member}${printed.slice(0, -1)},"held":{"quota":${held.quota},"at":${held.at},"ms":${held.ms}}}}`
  // Escapes by number are rare, and some of them are not for databases.
  return other.length <= otherFits && !other.includes('\\u') ? other : undefined
}

/** The charge without its hold, for a process that ended between call and booking: it is unknown whether the hold counted all the time. */
export const withHoldForgotten = (record: JournalRecord): JournalRecord =>
  record.receipt === undefined
    ? record
    : { ...record, receipt: record.receipt.replace(/"held":\{"quota":\d+/, '"held":{"quota":0') }

/** The receipt as `printedOther` printed it: the last member, and quotes within texts are escaped, so none looks like its name. */
export const printedReceipt = (other: string): string => other.slice(other.lastIndexOf(member) + member.length, -1)
