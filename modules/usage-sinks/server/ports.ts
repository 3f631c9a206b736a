import type { UsageSinkName } from '@tollgate/contract'
import type { UsageRecord } from './usage-record.ts'

/** Somewhere that usage goes to. */
export interface UsageSink {
  readonly name: UsageSinkName
  /** False where it is not set up. */
  isOn(): boolean
  /** Records of one batch, at most. */
  readonly mostRecords: number
  /** Seconds that the oldest record waits for a full batch; 0 for none. */
  readonly longestWait: number
  /** Resolves when the batch is safe there; the same records may come again. Throws otherwise. */
  deliver(records: readonly UsageRecord[]): Promise<void>
}
