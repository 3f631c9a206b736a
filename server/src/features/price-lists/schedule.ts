import type { OptionValue } from '@tollgate/contract'
import type { ClusterJobs } from '../../db/cluster-jobs.ts'
import type { Comparison } from './comparison.ts'
import type { Compared, PriceLists } from './price-lists.ts'
import { serverActor } from './propose.ts'

interface SyncSettings {
  readonly PriceSyncSource: OptionValue<'PriceSyncSource'>
  readonly PriceSyncAddress: string
  readonly PriceSyncHours: number
  readonly PriceSyncApply: OptionValue<'PriceSyncApply'>
}

export interface ScheduleParts {
  readonly lists: PriceLists
  readonly comparison: Comparison
  readonly jobs: ClusterJobs
  settings(): SyncSettings
  /** Names that enabled channels serve. */
  names(): readonly string[]
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void
}

const job = 'price_sync'

/** True where a comparison may count without a question: nothing is held back, and the operator said so. */
const mayApply = ({ changes }: Compared, apply: SyncSettings['PriceSyncApply']): boolean => {
  if (apply === 'nothing' || changes.length === 0) return false
  const isPlain = changes.every(({ decision }) => decision === 'apply')
  return isPlain && (apply === 'plausible' || changes.every(({ before }) => before === undefined))
}

/**
 * Returns one look of the schedule: proposes lists that came with an update, and compares with the chosen source when it is
 * time, once for all nodes. Proposals that hold nothing back are applied where the options say so.
 */
export const openPriceSchedule = (parts: ScheduleParts): (() => Promise<void>) => {
  const { lists, comparison, jobs, warn } = parts
  return async () => {
    if (await lists.hasNewShipped()) await lists.proposeShipped(parts.names())
    const { PriceSyncSource, PriceSyncAddress, PriceSyncHours, PriceSyncApply } = parts.settings()
    if (PriceSyncHours === 0) return
    const run = await jobs.beginIfDue(job, PriceSyncHours * 3600)
    if (run === undefined) return
    try {
      const compared = await comparison.source(PriceSyncSource, PriceSyncAddress || undefined, serverActor)
      if (mayApply(compared, PriceSyncApply))
        await lists.apply(compared.id, { decisions: {}, at: undefined, actor: serverActor })
    } catch (error) {
      warn('price_sync_failed', { error })
    }
    await run.end(1, 1, {})
  }
}
