import type { StorageRefunds } from '../features/cached-contents/storage-refunds.ts'
import type { ChannelSide } from '../features/channels/join.ts'
import type { LimitSide } from '../features/limits/join.ts'
import type { ThrottleSide } from '../features/limits/join-throttles.ts'
import type { ModelSide } from '../features/models/join.ts'
import type { TokenDirectory } from '../features/tokens/caller/directory.ts'
import type { VirtualModelSide } from '../features/virtual-models/join.ts'
import type { Fetch } from '../http/request-context.ts'
import type { ConsoleApi } from '../http/serve.ts'
import type { SessionCounts } from '../relay/sessions/session-counts.ts'
import type { AccountSide } from './console-accounts.ts'
import type { ChannelsSide } from './console-channels.ts'
import type { SettlingSide } from './console-money.ts'
import type { JoinedModules } from './modules/join-modules.ts'

/** The console, and the parts of it that the relay uses. */
export interface ConsoleApp {
  readonly api: Pick<ConsoleApi, 'fetch' | 'endpoints'>
  readonly site: { readonly fetch: Fetch }
  readonly channels: ChannelSide['directory']
  readonly lossWatch: ChannelSide['lossWatch']
  readonly upstreamLimits: ChannelsSide['upstreamLimits']
  readonly avoidedModels: ChannelsSide['avoidedModels']
  readonly figures: VirtualModelSide['figures']
  readonly hedgeBudget: VirtualModelSide['hedgeBudget']
  readonly sessionCounts: SessionCounts
  readonly limiter: LimitSide['limiter']
  readonly throttles: ThrottleSide['throttles']
  readonly modelEnd: ModelSide['endOf']
  readonly apiKeys: TokenDirectory
  readonly playgroundSessions: AccountSide['playgroundSessions']
  /** Counts a call of this address to the console or the relay. */
  readonly mayAsk: (ip: string) => boolean | Promise<boolean>
  readonly refreshDrawing: SettlingSide['refreshDrawing']
  readonly storageRefunds: StorageRefunds
  readonly modules: Omit<JoinedModules, 'close'>
  /** Lets what is under way end; call it when nothing is charged any more. */
  close(): Promise<void>
}
