import type { OptionValue } from '@tollgate/contract'
import type { NamedJob, NamedJobs } from '../../jobs/named-jobs.ts'
import { type JobRunner, openJobRunner } from '../../jobs/runner.ts'
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
  readonly jobs: Pick<NamedJobs, 'store'>
  readonly clock: Clock
  settings(): SyncSettings
  /** Names that enabled channels serve. */
  names(): readonly string[]
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void
}

/** True where a comparison may count without a question: nothing is held back, and the operator said so. */
const mayApply = ({ changes }: ListComparison, apply: SyncSettings['PriceSyncApply']): boolean => {
  // One list alone agrees with nobody.
  if (apply === 'nothing' || apply === 'agreed' || changes.length === 0) return false
  const isPlain = changes.every(({ decision }) => decision === 'apply')
  return isPlain && (apply === 'plausible' || changes.every(({ before }) => before === undefined))
}

export interface PriceSchedule extends Pick<JobRunner<NamedJob>, 'stop'> {
  /** One look: proposes lists that came with an update, and compares with the chosen source when it is time, once for all nodes. */
  look(): Promise<void>
}

/** Compares price lists in periods. Proposals that hold nothing back are applied where the options say so. */
export const openPriceSchedule = (parts: ScheduleParts): PriceSchedule => {
  const { lists, comparison, warn, clock } = parts
  const comparePublic = openPublicLists(parts)
  const job: NamedJob = {
    id: 'price_sync',
    get everySeconds() {
      return parts.settings().PriceSyncHours * 3600
    },
  }

  const isWanted = (): boolean => {
    const { PriceSyncSource, PriceSyncHours, PriceListsEnabled } = parts.settings()
    // If price lists are off, newer ones are not wanted.
    return PriceSyncHours > 0 && (PriceSyncSource !== 'public' || PriceListsEnabled)
  }

  const runner = openJobRunner({
    store: parts.jobs.store([job], isWanted),
    async work() {
      const { PriceSyncSource, PriceSyncAddress, PriceSyncApply } = parts.settings()
      if (PriceSyncSource === 'public') {
        return comparePublic({ takesNew: PriceSyncApply !== 'nothing', takesChanges: PriceSyncApply === 'plausible' })
      }
      const compared = await comparison.source(PriceSyncSource, PriceSyncAddress || undefined, serverActor)
      if (mayApply(compared, PriceSyncApply))
        await lists.apply(compared.id, { decisions: {}, at: undefined, actor: serverActor })
    },
    failed: (error) => warn('price_sync_failed', { error }),
    clock,
  })

  return {
    async look() {
      if (await lists.hasNewShipped()) await lists.proposeShipped(parts.names())
      await runner.work()
    },
    stop: runner.stop,
  }
}
