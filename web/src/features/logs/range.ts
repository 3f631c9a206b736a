import { type RangeName, readRange } from '../../lib/time/time-range.ts'

/** The default range of the log: the last three days, until an hour from now. */
export const defaultRange: RangeName = '3d'
const aheadSeconds = 3600

/**
 * The range of a log query in unix seconds. A range that is open to the future ends an hour after `anchor`, so that pages
 * stay put while somebody reads them; `follow` leaves it open for live reading. Days begin in `zone`.
 */
export const logRange = (
  text: string | undefined,
  anchor: number,
  { follow = false, zone }: { follow?: boolean; zone?: string | undefined } = {},
): { start_timestamp?: number; end_timestamp?: number } => {
  const { from, to } = readRange(text, anchor, defaultRange, zone)
  const end = to ?? (follow ? undefined : Math.floor(anchor) + aheadSeconds)
  return {
    ...(from === undefined ? {} : { start_timestamp: Math.floor(from) }),
    ...(end === undefined ? {} : { end_timestamp: end }),
  }
}
