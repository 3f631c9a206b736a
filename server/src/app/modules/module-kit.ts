import type { ChannelDirectory } from '../../features/channels/directory.ts'
import type { On } from '../../http/route.ts'
import type { SharedParts } from '../parts.ts'

/** The parts of the server that a module may use. */
export interface ModuleKit extends SharedParts {
  /** Adds a call of the console's API. */
  readonly on: On
  readonly channels: ChannelDirectory
  /** Makes what this node keeps of channels, virtual models, keys and limits be read anew, after their tables were written. */
  readonly readTablesAgain: () => Promise<void>
}

/** What a module adds to the running server. */
export interface JoinedModule {
  /** Lets what is under way end. */
  readonly close?: () => void | Promise<void>
}

/** The entrance of a module's server part: `join` of `modules/<name>/server/join.ts`. */
export type JoinModule = (kit: ModuleKit) => JoinedModule | Promise<JoinedModule>
