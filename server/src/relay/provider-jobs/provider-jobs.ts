import type { ChannelPrices } from '../../billing/upstream/channel-prices.ts'
import type { Channels, Holds } from '../ports.ts'
import type { Upstream } from '../upstream/upstream.ts'
import { type BeginJobParts, type BegunJob, type NewJob, openBeginJob } from './begin-job.ts'
import { type ChargeJob, openChargeJob } from './charge-job.ts'
import { type FailJob, openFailJob } from './fail-job.ts'
import { type HeldJobs, openHeldJobs } from './held-jobs.ts'

export interface ProviderJobParts extends BeginJobParts {
  readonly upstream: Upstream
  /** Keyed hash of a channel's key. */
  readonly keyHashOf: (key: string) => string
}

/** Jobs of one kind at providers that end later: begun like any other call, charged once at their end. */
export interface ProviderJobs {
  begin<Taken>(job: NewJob<Taken>): Promise<BegunJob>
  readonly charge: ChargeJob
  /** The row of the log for one that failed. */
  readonly fail: FailJob
  /** Holds of this process for them. */
  readonly held: HeldJobs
  readonly holds: Holds
  readonly channels: Pick<Channels, 'snapshot'>
  readonly upstream: Upstream
  /** Absent where no costs of providers are known. */
  readonly costs?: ChannelPrices | undefined
  readonly keyHashOf: (key: string) => string
  readonly clock: () => number
}

export const openProviderJobs = (parts: ProviderJobParts): ProviderJobs => {
  const held = openHeldJobs()
  const { holds, channels, upstream, costs, keyHashOf, clock } = parts
  return {
    begin: openBeginJob(parts, held),
    charge: openChargeJob({ ...parts, held }),
    fail: openFailJob(parts),
    held,
    holds,
    channels,
    upstream,
    costs,
    keyHashOf,
    clock,
  }
}
