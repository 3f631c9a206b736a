import type { SiteEvent, SiteEventKind } from '@tollgate/contract'
import type { ChangeTerm } from '#server/reports/change/terms.ts'

/** A channel explains a term that it makes at least this part of. */
const leastPart = 0.25

const added: ReadonlySet<SiteEventKind> = new Set(['channel_added', 'channel_enabled', 'channel_models'])
const removed: ReadonlySet<SiteEventKind> = new Set([
  'channel_removed',
  'channel_disabled',
  'channel_auto_disabled',
  'channel_models',
])

/**
 * The newest event that explains a term: another cache share by a channel that came or went, another price by prices that were
 * changed. undefined where there is none.
 */
export const causeOf = (
  { effect, amount, by, rows }: Pick<ChangeTerm, 'effect' | 'amount' | 'by' | 'rows'>,
  events: readonly SiteEvent[],
  before: ReadonlySet<string>,
): SiteEvent | undefined => {
  if (effect === 'price' || effect === 'group') return events.findLast(({ kind }) => kind === 'prices')
  if (effect !== 'cache' || by !== 'channel') return undefined
  const causes = rows.filter((row) => row.key !== '' && row.amount / amount >= leastPart).map(({ key }) => key)
  return events.findLast(({ kind, channel_id }) => {
    const channel = String(channel_id ?? '')
    if (!causes.includes(channel)) return false
    // A channel that served before can have gone, one that did not can only have come.
    return added.has(kind) || (removed.has(kind) && before.has(channel))
  })
}
