import type { ChannelDirectory } from '../../features/channels/directory.ts'
import type { OlderLogs } from '../../features/logs/older/older-logs.ts'
import type { CallReplays } from '../../gateway/replays/replays.ts'
import type { On } from '../../http/route.ts'
import type { Inspections, SwitchedCaptures } from '../../relay/captures.ts'
import type { AccountSide } from '../console-accounts.ts'
import type { namesOf } from '../names.ts'
import type { SharedParts } from '../parts.ts'

/** The parts of the server that a module may use. */
export interface ModuleKit extends SharedParts {
  /** Adds a call of the console's API. */
  readonly on: On
  readonly channels: ChannelDirectory
  /** A user as administrators see him, cancelled ones included. Throws AppError where this viewer may not. */
  readonly showUser: AccountSide['showUser']
  /** Present names of ids. */
  readonly names: ReturnType<typeof namesOf>
  /** Makes what this node keeps of channels, virtual models, keys and limits be read anew, after their tables were written. */
  readonly readTablesAgain: () => Promise<void>
}

/** The parts of the gateway that a module may use, once it stands. */
export interface GatewayKit {
  readonly replays: CallReplays
}

/** What a module adds to the running server. */
export interface JoinedModule {
  /** Captures of relayed calls; a call asks those alone that are on. */
  readonly captures?: SwitchedCaptures
  /** Captures of sessions, tasks and direct calls. */
  readonly inspections?: Inspections
  /** Rows of the log that left its table. */
  readonly olderLogs?: OlderLogs
  /** Called once, before the first call comes. */
  readonly useGateway?: (gateway: GatewayKit) => void
  /** Lets what is under way end. */
  readonly close?: () => void | Promise<void>
}

/** The entrance of a module's server part: `join` of `modules/<name>/server/join.ts`. */
export type JoinModule = (kit: ModuleKit) => JoinedModule | Promise<JoinedModule>
