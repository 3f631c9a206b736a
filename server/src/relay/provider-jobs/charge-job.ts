import { type CallLimits, type LimitEntry, LimitRefusal } from '../../limits/call-limits.ts'
import type { Channels, Recorder, RequestRecord } from '../ports.ts'
import type { HeldJobs } from './held-jobs.ts'
import type { ProviderJob } from './ports.ts'

export interface ChargeJobParts {
  readonly held: HeldJobs
  readonly recorder: Pick<Recorder, 'charge'>
  readonly channels: Pick<Channels, 'charged'>
  /** Absent where there can be no limits. */
  readonly callLimits?: CallLimits | undefined
  readonly onCharged?: ((record: RequestRecord) => void) | undefined
  readonly log: (event: string, fields: Readonly<Record<string, unknown>>) => void
}

/** The row of a job. */
export interface JobEnd {
  /** False where another node has ended it meanwhile. */
  isOpen(): Promise<boolean>
  /** Its charge is in the journal. */
  close(): Promise<void>
}

export type ChargeJob = (job: ProviderJob, recordOf: () => RequestRecord, end: JobEnd) => Promise<void>

/**
 * Charges a job at a provider, in place of what is held for it. The record is named after the job, so that charging it again on any node
 * changes nothing: the ledger has one charge of a name. Rejects where the journal does not accept it; then the job stays open.
 */
export const openChargeJob = ({ held, recorder, channels, log, ...parts }: ChargeJobParts): ChargeJob => {
  /** Counted by limits like a call, even above them: it has been done. */
  const count = async (job: ProviderJob, record: RequestRecord, known: LimitEntry | undefined): Promise<void> => {
    if (known !== undefined) return known.settle(record)
    const { username, tokenName, group, tags, project, endUser, ip } = job.owner
    const caller = {
      userId: job.maker.userId,
      username,
      tokenId: job.maker.tokenId,
      tokenName,
      group,
      ...(tags === undefined ? {} : { tags }),
      ...(project === undefined ? {} : { project }),
    }
    try {
      const entry = await parts.callLimits?.enter(
        { caller, model: record.model, ip, endUser },
        { input: 0, output: 0, money: 0 },
      )
      entry?.settle(record)
    } catch (error) {
      if (!(error instanceof LimitRefusal)) throw error
    }
  }

  return async (job, recordOf, end) => {
    if (!(await end.isOpen())) {
      held.release(job.id)
      return
    }
    const record = recordOf()
    const own = held.take(job.id)
    try {
      await recorder.charge(record, own?.hold, own?.at)
    } catch (error) {
      if (own !== undefined) held.keep(job.id, own)
      throw error
    }
    await end.close()
    try {
      await count(job, record, own?.entry)
      channels.charged?.(record.channelId, record.model, record.quota)
      parts.onCharged?.(record)
    } catch (error) {
      log('charge_listener_failed', { request_id: record.id, error })
    }
  }
}
