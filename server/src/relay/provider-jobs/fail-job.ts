import type { Recorder, RequestRecord } from '../ports.ts'
import type { ChargedJob } from './ports.ts'

/** Reason of a failed job, without anything that clients may not read. */
export interface JobFailure {
  readonly model: string
  readonly code: string
  readonly message: string
  readonly other: Readonly<Record<string, unknown>>
}

export type FailJob = (job: ChargedJob, failure: JobFailure) => Promise<void>

export interface FailJobParts {
  readonly recorder: Pick<Recorder, 'fail'>
  /** Milliseconds since 1970. */
  readonly clock: () => number
  readonly log: (event: string, fields: Readonly<Record<string, unknown>>) => void
}

/** Status of failures at a provider, as of its answers that are none. */
const status = 502

const failureRecord = (
  { movement, channelId, owner, maker }: ChargedJob,
  { model, code, message, other }: JobFailure,
  now: number,
): RequestRecord => ({
  id: movement,
  at: now,
  kind: 'error',
  userId: maker.userId,
  username: owner.username,
  tokenId: maker.tokenId,
  tokenName: owner.tokenName,
  channelId,
  model,
  group: owner.group,
  quota: 0,
  promptTokens: 0,
  completionTokens: 0,
  useTime: 0,
  isStream: false,
  ip: owner.ip,
  ...(owner.tags === undefined ? {} : { tags: owner.tags }),
  ...(owner.endUser === undefined ? {} : { endUser: owner.endUser }),
  content: message,
  other: {
    ...other,
    status,
    error_code: code,
    ...(owner.program === undefined ? {} : { client: owner.program }),
    path: owner.path,
    admin_info: { use_channel: channelId === 0 ? [] : [String(channelId)] },
  },
  receipt: undefined,
})

/** Writes the row of the log for a job that failed, which is free. Repeating it writes none: the row is named after the job. Never rejects. */
export const openFailJob =
  ({ recorder, clock, log }: FailJobParts): FailJob =>
  async (job, failure) => {
    try {
      await recorder.fail(failureRecord(job, failure, clock()))
    } catch (error) {
      log('failed_call_not_recorded', { request_id: job.movement, cause: failure.message, error })
    }
  }
