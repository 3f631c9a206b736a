import type { Dialect } from '../dialects/dialect.ts'
import type { AnswerMemory } from '../lib/memory/answer-memory.ts'
import type { ReservedMemory } from '../lib/memory/reserved-memory.ts'
import type { Secrets } from '../lib/security/secrets.ts'
import type { CallLimits } from '../limits/call-limits.ts'
import type { BatchCalls } from '../relay/batches/batch-calls.ts'
import type { BatchedLines } from '../relay/batches/lines/batch-lines.ts'
import type { CachedContents } from '../relay/cached-contents/cached-contents.ts'
import type { MadeObjects } from '../relay/direct/ports.ts'
import type { SourceVersion } from '../relay/plan/source-version.ts'
import type { Channels, Prices, RelayOptions } from '../relay/ports.ts'
import type { RawCalls } from '../relay/raw/raw-call.ts'
import type { Realtime } from '../relay/realtime/ports.ts'
import type { Relay } from '../relay/relay.ts'
import type { StoredResponseCalls } from '../relay/routing/stored-response-calls.ts'
import type { StoredResponses } from '../relay/routing/stored-responses.ts'
import type { SessionCounts } from '../relay/sessions/session-counts.ts'
import type { KeptFiles } from '../relay/stored/kept-files.ts'
import type { StoredObjects } from '../relay/stored/ports.ts'
import type { TaskRelay } from '../relay/tasks/task-relay.ts'
import type { CountTokens } from '../relay/usage/count-tokens.ts'
import type { BodyParser } from './bodies/body-parser.ts'
import type { DeadlineCalls } from './deadlines/deadline-calls.ts'
import type { DirectCalls, ModuleRoute } from './module-calls.ts'
import type { PresentSources } from './plan/plan-check.ts'
import type { GatewayPorts } from './ports.ts'
import type { RequestContext } from './request-context.ts'
import type { BackgroundCalls } from './stored/background-calls.ts'
import type { ThoughtMemory } from './thoughts/thought-memory.ts'

export interface GatewayParts extends GatewayPorts {
  /** The dialects that clients may speak. */
  readonly dialects: readonly Dialect[]
  /** Absent where answers come at once alone. */
  readonly background?: BackgroundCalls | undefined
  /** Absent where calls have no deadlines. */
  readonly deadlines?: DeadlineCalls | undefined
  /** Calls that modules answer; absent for none. */
  readonly moduleRoutes?: readonly ModuleRoute[]
  /** Direct calls to channels that a module answers; absent where none does. */
  readonly directCalls?: DirectCalls | undefined
  readonly relay: Relay
  /** For calls that are charged already: whatever is left of balances and limits. */
  readonly chargedRelay: Relay
  readonly batchLines: BatchedLines
  readonly counting: CountTokens
  readonly storedResponseCalls: StoredResponseCalls
  readonly storedResponses: Pick<StoredResponses, 'isNoted' | 'find' | 'keyHashOf'>
  readonly storedObjects: StoredObjects
  /** Makers of the objects in the accounts of channels. */
  readonly madeObjects: MadeObjects
  /** Files that calls may name; absent where the gateway stores none. */
  readonly keptFiles?: Pick<KeptFiles, 'find' | 'open'> | undefined
  readonly thoughts: ThoughtMemory
  /** How often keys for browsers were used. */
  readonly sessionCounts: Pick<SessionCounts, 'sum' | 'calledForGood'>
  readonly secrets: Pick<Secrets, 'encrypt' | 'decrypt'>
  readonly tasks: TaskRelay
  readonly rawCalls: RawCalls
  /** Absent where nothing follows batches of direct calls. */
  readonly batchCalls?: BatchCalls | undefined
  readonly cachedContents: CachedContents
  readonly realtime: Realtime
  readonly channels: Channels
  readonly options: () => RelayOptions
  readonly prices: Prices
  /** Absent where nothing is limited. */
  readonly callLimits?: Pick<CallLimits, 'plannedFor'> | undefined
  /** The same options and prices, read from what they are made of each time; absent where `options` and `prices` are. */
  readonly present?: PresentSources | undefined
  /** Bumped when options, channels, prices or limits are replaced. */
  readonly sources: SourceVersion
  readonly parser: BodyParser
  readonly keptMemory: ReservedMemory
  /** Counts answers until their clients have taken them; absent if they are not counted. */
  readonly answerMemory?: AnswerMemory | undefined
  /** Milliseconds since 1970. */
  readonly clock: () => number
  /** Called when a request is over, with the status of its answer; must return at once and not throw. */
  readonly requestEnded?: ((context: RequestContext, status: number) => void) | undefined
}
