import { parseObject } from '../../contract/src/json.ts'
import { bucketOf, Counts } from '../../server/src/features/channel-health/counts.ts'
import type { Harvest } from '../../server/src/features/channel-health/live.ts'
import { kindOf } from '../../server/src/features/channel-health/outcome.ts'
import type { JournalRecord } from '../../server/src/journal/journal-record.ts'

/** Results of a call for its channel, as a site counts them while it serves. */
const harvestOf = ({ at, channelId, model, kind, content, quota, measures, other }: JournalRecord): Harvest => {
  const counts = new Counts(bucketOf(at))
  if (kind === 'charge') {
    counts.kinds.ok = 1
    counts.quota = quota
    counts.took(measures?.totalMs ?? 0, measures?.firstMs ?? -1)
    return { channelId, model, counts }
  }
  const { status, error_code: code } = parseObject(other)
  counts.kinds[kindOf({ status: Number(status), code: String(code), type: '', message: content, cause: '' })] = 1
  counts.lastError = content
  counts.lastErrorTime = Math.floor(at / 1000)
  return { channelId, model, counts }
}

/** Results of the calls since a moment (milliseconds since 1970). */
export const healthOf = (records: readonly JournalRecord[], since: number): readonly Harvest[] =>
  records.filter(({ at }) => at >= since).map(harvestOf)
