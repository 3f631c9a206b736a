import { neverExpires } from '../../lib/api/contract.ts'
import { formatDateTime } from '../../lib/text/format.ts'
import { timeZone } from '../../lib/time/time-zone.ts'
import { readPicked } from '../../lib/time/written-moment.ts'

export const expirySpans = { hour: 3600, day: 86_400, month: 30 * 86_400 } as const

/** `2026-11-20 20:14:01` in the chosen zone; empty for never. */
export const printExpiry = (unixSeconds: number, zone = timeZone()): string =>
  unixSeconds === neverExpires || unixSeconds === 0 ? '' : formatDateTime(unixSeconds, zone)

/** Unix seconds of `yyyy-MM-dd HH:mm:ss` in the chosen zone; −1 for never (empty or `-1`); undefined when it is no date. */
export const readExpiry = (text: string, zone = timeZone()): number | undefined => {
  const trimmed = text.trim()
  if (trimmed === '' || trimmed === String(neverExpires)) return neverExpires
  return readPicked(trimmed, zone)
}
