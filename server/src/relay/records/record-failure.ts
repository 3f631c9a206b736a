import type { CallFacts } from '../call.ts'
import type { CallFailure } from '../failure.ts'
import type { Recorder, TaskStart } from '../ports.ts'
import type { RefusalRows } from '../refusals/refusal-rows.ts'
import { type AttemptLog, createAttemptLog } from './attempt-log.ts'
import { errorRecord } from './record.ts'

interface FailureParts {
  readonly recorder: Pick<Recorder, 'fail'>
  /** Milliseconds since 1970. */
  readonly clock: () => number
  readonly log: (event: string, fields: Readonly<Record<string, unknown>>) => void
  /** Limits the rows of calls that reached no upstream; absent for no limit. */
  readonly refusalRows?: Pick<RefusalRows, 'admit'> | undefined
}

/**
 * Records a call that failed and costs nothing, or counts it where its caller is refused all the time. `task` is the row of a
 * task that its service refused. Never rejects.
 */
export const recordFailure = async (
  facts: CallFacts,
  failure: CallFailure,
  {
    attemptLog = createAttemptLog(),
    task,
  }: { readonly attemptLog?: AttemptLog; readonly task?: TaskStart | undefined },
  { recorder, clock, log, refusalRows }: FailureParts,
): Promise<void> => {
  if (attemptLog.attempts.length === 0 && refusalRows?.admit(facts, failure) === false) return
  try {
    const from = clock()
    const record = errorRecord(facts, attemptLog, failure, from)
    await recorder.fail(task === undefined ? record : { ...record, task })
    facts.trace?.recorded(from, record)
  } catch (error) {
    // The client must hear why its call failed even when that cannot be written down.
    log('failed_call_not_recorded', { request_id: facts.id, cause: failure.cause, error })
  }
}
