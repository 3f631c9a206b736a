import type { CallFacts } from './call.ts'
import type { CallFailure } from './failure.ts'
import type { Recorder } from './ports.ts'
import { emptyTrail, errorRecord, type Trail } from './record.ts'

interface FailureParts {
  readonly recorder: Recorder
  /** Milliseconds since 1970. */
  readonly clock: () => number
  readonly log: (event: string, fields: Readonly<Record<string, unknown>>) => void
}

/** Records a call that failed and costs nothing. Never rejects. */
export const recordFailure = async (
  facts: CallFacts,
  failure: CallFailure,
  trail: Trail = emptyTrail(),
  { recorder, clock, log }: FailureParts,
): Promise<void> => {
  try {
    await recorder.end(errorRecord(facts, trail, failure, clock()))
  } catch (error) {
    // The client must hear why its call failed even when that cannot be written down.
    log('a failed call could not be recorded', { request_id: facts.id, cause: failure.cause, error })
  }
}
