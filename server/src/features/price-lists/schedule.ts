import type { OptionValue } from '@tollgate/contract'
import type { ClusterJobs } from '../../db/cluster-jobs.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Comparison } from './comparison.ts'
import type { ListComparison, PriceLists } from './price-lists.ts'
import { serverActor } from './propose.ts'
import { openPublicLists } from './public-lists.ts'

interface SyncSettings {
  readonly PriceSyncSource: OptionValue<'PriceSyncSource'>
  readonly PriceSyncAddress: string
  readonly PriceSyncHours: number
  readonly PriceSyncApply: OptionValue<'PriceSyncApply'>
  readonly PriceListsEnabled: boolean
}

export interface ScheduleParts {
  readonly lists: PriceLists
  readonly comparison: Comparison
  readonly jobs: ClusterJobs
  readonly clock: Clock
  settings(): SyncSettings
  /** Names that enabled channels serve. */
  names(): readonly string[]
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void
}

const job = 'price_sync'

/** True where a comparison may count without a question: nothing is held back, and the operator said so. */
const mayApply = ({ changes }: ListComparison, apply: SyncSettings['PriceSyncApply']): boolean => {
  // One list alone agrees with nobody.
  if (apply === 'nothing' || apply === 'agreed' || changes.length === 0) return false
  const isPlain = changes.every(({ decision }) => decision === 'apply')
  return isPlain && (apply === 'plausible' || changes.every(({ before }) => before === undefined))
}

/**
 * Returns one look of the schedule: proposes lists that came with an update, and compares with the chosen source when it is
 * time, once for all nodes. Proposals that hold nothing back are applied where the options say so.
 */
export const openPriceSchedule = (parts: ScheduleParts): (() => Promise<void>) => {
  const { lists, comparison, jobs, warn } = parts
  const comparePublic = openPublicLists(parts)
  return async () => {
    if (await lists.hasNewShipped()) await lists.proposeShipped(parts.names())
    const { PriceSyncSource, PriceSyncAddress, PriceSyncHours, PriceSyncApply, PriceListsEnabled } = parts.settings()
    // If price lists are off, newer ones are not wanted.
    if (PriceSyncHours === 0 || (PriceSyncSource === 'public' && !PriceListsEnabled)) return
    const run = await jobs.beginIfDue(job, PriceSyncHours * 3600)
    if (run === undefined) return
    try {
      if (PriceSyncSource === 'public') {
        await comparePublic({ takesNew: PriceSyncApply !== 'nothing', takesChanges: PriceSyncApply === 'plausible' })
        await run.end(1, 1, {})
        return
      }
      const compared = await comparison.source(PriceSyncSource, PriceSyncAddress || undefined, serverActor)
      if (mayApply(compared, PriceSyncApply))
        await lists.apply(compared.id, { decisions: {}, at: undefined, actor: serverActor })
    } catch (error) {
      warn('price_sync_failed', { error })
    }
    await run.end(1, 1, {})
  }
}
