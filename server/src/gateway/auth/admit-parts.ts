import type { RelayCall } from '../../relay/call.ts'
import type { FileFence } from '../../relay/direct/file-fence.ts'
import type { Channels, RelayOptions } from '../../relay/ports.ts'
import type { Bodies } from '../bodies/bodies.ts'
import type { FilesInCalls } from '../files/files-in-calls.ts'
import type { CallPlans } from '../plan/call-plans.ts'
import type { CallerGroups } from '../ports.ts'
import type { StoredTurn, StoredTurns } from '../stored/stored-turns.ts'
import type { KeyFinder } from './key-of.ts'

export interface AdmitParts {
  readonly bodies: Bodies
  readonly channels: Channels
  readonly groups: CallerGroups
  readonly keys: Pick<KeyFinder, 'withoutKey'>
  readonly options: () => RelayOptions
  /** True where names of models are not resolved as aliases. */
  readonly leavesNames?: true
  readonly turns: Pick<StoredTurns, 'continued'>
  readonly plans: Pick<CallPlans, 'of' | 'admitted'>
  /** Absent for direct calls, which have a fence of their own. */
  readonly files?: FileFence | undefined
  /** Absent for direct calls, whose files are those of the channel. */
  readonly filesInCalls?: FilesInCalls | undefined
}

export type ReceivedBody = Pick<RelayCall, 'raw' | 'body' | 'form' | 'text' | 'survey' | 'plain'>

/** A call and its stored turn; `turn` is undefined where nothing is stored. */
export interface AdmittedCall {
  readonly call: RelayCall
  readonly turn: StoredTurn | undefined
}
