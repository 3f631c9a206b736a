import type { ProviderJobs } from '../relay/provider-jobs/provider-jobs.ts'
import type { DeadlineCalls } from './deadlines/deadline-calls.ts'
import type { DirectCalls, ModuleRoute } from './module-calls.ts'
import type { BatchedCalls } from './own-calls/batched-calls.ts'
import type { OwnCalls } from './own-calls/own-calls.ts'
import type { CallReplays } from './replays/replays.ts'
import type { BackgroundCalls } from './stored/background-calls.ts'

/** Parts of the gateway that a module fills. */
export interface ModuleSide {
  /** Makes answers in the background; without it they come at once. */
  readonly background?: BackgroundCalls | undefined
  /** Reads deadlines of calls; without it they are ignored. */
  readonly deadlines?: DeadlineCalls | undefined
  /** Calls of the API for clients that the module answers: with an API key, and behind the gateway's own. */
  readonly calls?: readonly ModuleRoute[]
  /** Direct calls to channels that the module answers. */
  readonly directCalls?: DirectCalls | undefined
}

/** The same of all modules together. */
export const joinedSides = (sides: readonly ModuleSide[]): Required<ModuleSide> => ({
  background: sides.find(({ background }) => background !== undefined)?.background,
  deadlines: sides.find(({ deadlines }) => deadlines !== undefined)?.deadlines,
  calls: sides.flatMap(({ calls }) => calls ?? []),
  directCalls: sides.find(({ directCalls }) => directCalls !== undefined)?.directCalls,
})

/** The same as the parts of the gateway that they are. */
export const sidesOfGateway = ({ background, deadlines, calls, directCalls }: Required<ModuleSide>) => ({
  background,
  deadlines,
  moduleRoutes: calls,
  directCalls,
})

/** The parts of the gateway that a module may use, once it stands. */
export interface GatewayKit {
  readonly replays: CallReplays
  /** Makes calls for keys whose clients have left. */
  readonly ownCalls: OwnCalls
  /** Absent where calls have no deadlines. */
  readonly deadlines?: DeadlineCalls | undefined
  /** Calls that are lines of batches which providers run. */
  readonly batchedCalls: BatchedCalls
  /** Opens the jobs at providers of one module: begun like calls, charged at their end. */
  readonly openProviderJobs: () => ProviderJobs
}
