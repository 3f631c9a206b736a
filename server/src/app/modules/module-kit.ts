import type { ChannelHealth } from '@tollgate/contract'
import type { SiteCardRule } from '@tollgate/contract/records/site-cards'
import type { ChannelDirectory } from '../../features/channels/directory.ts'
import type { ChannelSide } from '../../features/channels/join.ts'
import type { ProvisionalSettling } from '../../features/declared-usage/declared-usage.ts'
import type { LimitReads } from '../../features/limits/limit-reads.ts'
import type { RecordEvent } from '../../features/logs/events.ts'
import type { OlderLogs } from '../../features/logs/store.ts'
import type { ModelCards } from '../../features/models/cards.ts'
import type { ModelSide } from '../../features/models/join.ts'
import type { NoticeSide } from '../../features/notices/join.ts'
import type { OrganisationParts } from '../../features/organisations/parts.ts'
import type { TokenDirectory } from '../../features/tokens/caller/directory.ts'
import type { TokenService } from '../../features/tokens/service.ts'
import type { Users } from '../../features/users/users.ts'
import type { GatewayKit, ModuleSide } from '../../gateway/module-side.ts'
import type { RateLimiter } from '../../http/limits/rate-limit.ts'
import type { ServedPath } from '../../http/listener.ts'
import type { createRequestContexts } from '../../http/request-context.ts'
import type { Inspections, SwitchedCaptures } from '../../relay/captures.ts'
import type { SessionCounts } from '../../relay/sessions/session-counts.ts'
import type { Monitoring } from '../../telemetry/monitoring.ts'
import type { AccountSide } from '../console-accounts.ts'
import type { FeatureKit } from '../parts.ts'

/** The parts of the server that a module may use. */
export interface ModuleKit extends FeatureKit {
  readonly channels: ChannelDirectory
  /** A user as administrators see him, cancelled ones included. Throws AppError where this viewer may not. */
  readonly showUser: AccountSide['showUser']
  /** Makes what this node keeps of channels, virtual models, keys and limits be read anew, after their tables were written. */
  readonly readTablesAgain: () => Promise<void>
  /** Makes every node read the virtual models anew, after one was written. */
  readonly refreshVirtualModels: () => Promise<void>
  /** The parts with which organisations, their members and roles are changed. */
  readonly organisations: OrganisationParts
  readonly users: Pick<Users, 'create'>
  /** Signs a user out everywhere. */
  readonly endSessions: (userId: number) => Promise<void>
  /** For ways to sign in that accounts own. */
  readonly signIn: AccountSide['accounts']['signIn']
  /** Counts calls by a key, such as an address. */
  readonly limiter: RateLimiter
  /** For paths that a module serves itself: the address of a caller, and the number of the call. */
  readonly requestContexts: ReturnType<typeof createRequestContexts>
  /** Puts notices to users in their queue. */
  readonly notices: Pick<NoticeSide, 'userNotice' | 'amountText'>
  /** Calls and cost of running sessions, which the relay counts. */
  readonly sessionCounts: Pick<SessionCounts, 'peek'>
  /** Reports of all nodes, and the states of channels. */
  readonly monitoring: Pick<Monitoring, 'liveNodes' | 'channels'>
  /** Channels that need attention, and why. */
  readonly attention: ChannelSide['attention']
  /** The last 24 hours of all channels that were called; texts of errors are as they are stored. */
  readonly channelHealth: () => Promise<readonly ChannelHealth[]>
  /** States of the limits of calls. */
  readonly limitReads: LimitReads
  /** API keys as their owners see them. */
  readonly tokens: Pick<TokenService, 'get'>
  /** Facts about models, as the catalogue shows them. */
  readonly modelCards: Pick<ModelCards, 'list'>
  /** When a model ends; undefined where that is not known. */
  readonly modelEnd: ModelSide['endOf']
  /** True if an option or a price list has a price for a model. */
  readonly isPriced: (model: string) => boolean
  /** Writes a line into the log of a user that is no call. */
  readonly recordEvent: RecordEvent
  /** Quota units of one unit of currency, 0 where the site shows quota units. */
  readonly unit: () => number
  /** Makes the nodes read API keys anew that were changed. */
  readonly apiKeys: Pick<TokenDirectory, 'changed'>
  /** Rules about the site of the kernel and of all modules. */
  readonly siteCards: () => readonly SiteCardRule[]
}

/** Parts that a module adds to the running server. */
export interface JoinedModule extends ModuleSide {
  /** Captures of relayed calls; a call asks those alone that are on. */
  readonly captures?: SwitchedCaptures
  /** Captures of sessions, tasks and direct calls. */
  readonly inspections?: Inspections
  /** Paths outside of the console's API that the module answers itself. */
  readonly served?: readonly ServedPath[]
  /** Rows of the log that left its table. */
  readonly olderLogs?: OlderLogs
  /** Charges provisional calls anew that a declaration is about. */
  readonly settling?: ProvisionalSettling
  /** Rules about the site, whose cards the start page shows. */
  readonly siteCards?: readonly SiteCardRule[]
  /** Called once, before the first call comes. */
  readonly useGateway?: (gateway: GatewayKit) => void
  /** Lets what is under way end. */
  readonly close?: () => void | Promise<void>
}

/** The entrance of a module's server part: `join` of `modules/<name>/server/join.ts`. */
export type JoinModule = (kit: ModuleKit) => JoinedModule | Promise<JoinedModule>
