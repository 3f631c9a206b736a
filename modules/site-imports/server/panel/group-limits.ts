import { parseObject } from '@tollgate/contract/json'
import { ownMember } from '@tollgate/contract/own-member'
import { z } from 'zod'
import type { MovedLimit, OpenSiteParts } from '../site.ts'

/** All requests, and those that succeed; 0 for any number. */
const pair = z.tuple([z.int().nonnegative(), z.int().nonnegative()])

/** Windows here by the minutes of new-api's. */
const windows: Readonly<Record<string, MovedLimit['window']>> = { 1: 'minute', 60: 'hour', 1440: 'day' }

const minutesOf = (stored: ReadonlyMap<string, string>): string =>
  stored.get('ModelRequestRateLimitDurationMinutes')?.trim() || '1'

export const groupLimitsKey = 'ModelRequestRateLimitGroup'

/**
 * new-api's limits of rate for each user of a group (`ModelRequestRateLimitGroup`: group → all requests, successful ones), as limits of
 * requests. What has no window here, and nothing to count, is noted.
 */
export async function* panelGroupLimits(
  { notes }: Pick<OpenSiteParts, 'notes'>,
  stored: ReadonlyMap<string, string>,
): AsyncGenerator<readonly MovedLimit[]> {
  const limits: MovedLimit[] = []
  const isOn = stored.get('ModelRequestRateLimitEnabled') !== 'false'
  const window = ownMember(windows, minutesOf(stored))
  for (const [group, value] of isOn ? Object.entries(parseObject(stored.get(groupLimitsKey) ?? '')) : []) {
    const [all, successful] = pair.safeParse(value).data ?? [0, 0]
    const amount = all > 0 ? all : successful
    if (window === undefined || amount === 0) notes.note('option_unknown', `${groupLimitsKey}: ${group}`)
    else
      limits.push({
        sourceId: `group:${group}`,
        name: `${group}: ${amount} / ${window}`,
        measure: 'requests',
        amount,
        window,
        hours: 1,
        timeZone: 'UTC',
        subject: { kind: 'group', sourceId: group },
        memberId: '',
        model: '',
        used: 0,
        tellAt: [],
      })
  }
  yield limits
}
