import type { ModelCardChange, OptionKey, VirtualModelChange } from '@tollgate/contract'
import type { ChannelForm } from './channel-fields.ts'
import type { Difference } from './differences.ts'
import type { ReadSiteFile } from './read-site-file.ts'
import type { SiteApi } from './site-api.ts'
import type { SiteState } from './site-state.ts'

export type Verb = 'create' | 'update' | 'delete'

/** One thing that a site file makes, changes or removes. */
interface Step {
  readonly verb: Verb
  /** What it is about, as people call it: `channel openai-eu`. */
  readonly title: string
  readonly differences: readonly Difference[]
}

export interface OptionStep extends Step {
  readonly kind: 'option'
  readonly key: OptionKey
  readonly text: string
  /** The text that the site has; undefined for secrets. */
  readonly was: string | undefined
}

export interface ChannelStep extends Step {
  readonly kind: 'channel'
  readonly id: number | undefined
  /** What it becomes, and which fields change; undefined where it is deleted. */
  readonly form: ChannelForm | undefined
  readonly changed: readonly (keyof ChannelForm)[]
  /** The new key; undefined where it stays. */
  readonly key: string | undefined
}

export interface CardStep extends Step {
  readonly kind: 'card'
  readonly model: string
  readonly change: ModelCardChange
}

export interface VirtualModelStep extends Step {
  readonly kind: 'virtual model'
  readonly id: number | undefined
  /** Channels by their ids, as far as these exist before the file is applied. */
  readonly change: VirtualModelChange | undefined
  /** The entry of the file, with channels by their labels. */
  readonly entry: unknown
}

export type PlanStep = OptionStep | ChannelStep | CardStep | VirtualModelStep

/** What a site file changes on a site, in the order in which it is done. */
export interface Plan {
  readonly steps: readonly PlanStep[]
  /** What the site has and the file does not name, as people call it. */
  readonly unnamed: readonly string[]
}

export interface PlanParts {
  readonly file: ReadSiteFile
  readonly site: SiteState
  /** Compares secrets; nothing else. */
  readonly api: SiteApi
  /** The secret behind a reference; undefined where secrets are left alone. Throws where it cannot be found. */
  secretOf(reference: string): string | undefined
  /** Whether things that the file does not name, in sections that it has, are removed. */
  readonly prune: boolean
}

/** Secrets are compared by the site: the plan says that one changes, never to what. */
export const secretText = '(secret)'

export const channelTitle = (label: string): string => `channel ${label}`
