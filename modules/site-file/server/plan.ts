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
  /** Title of the changed object, as people call it: `channel openai-eu`. */
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
  /** New state of the channel, and the fields that change; undefined if it is deleted. */
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

/** Changes of a site by a site file, in the order in which they are made. */
export interface Plan {
  readonly steps: readonly PlanStep[]
  /** Titles of the site's objects that the file does not name. */
  readonly unnamed: readonly string[]
}

export interface PlanParts {
  readonly file: ReadSiteFile
  readonly site: SiteState
  /** Compares secrets; nothing else. */
  readonly api: SiteApi
  /** The secret behind a reference; undefined where secrets are left alone. Throws where it cannot be found. */
  secretOf(reference: string): string | undefined
  /** True if objects that the file does not name, in sections that it has, are removed. */
  readonly prune: boolean
}

/** Secrets are compared by the site: the plan says that one changes, never to what. */
export const secretText = '(secret)'

export const channelTitle = (label: string): string => `channel ${label}`
