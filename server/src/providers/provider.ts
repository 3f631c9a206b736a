import type { ChannelType } from '@tollgate/contract'

/** What a provider may read of the channel that is called. */
export interface ProviderChannel {
  readonly baseUrl: string
  readonly organization: string
  readonly other: string
}

export interface ProviderCall {
  readonly channel: ProviderChannel
  readonly key: string
  /** Path that the client called, without query, the playground's rewritten to `/v1/…`. */
  readonly path: string
  readonly query: string
  /** Model name after the channel's mapping. */
  readonly model: string
  readonly stream: boolean
}

/**
 * An upstream kind. `url` and `headers` say how it is called; `language` which wire language it speaks for each
 * client path. Grows with conversions (see docs/adding-a-provider.md).
 */
export interface Provider {
  readonly type: number
  readonly name: string
  /** How the console names, colours and explains it. */
  readonly console: Pick<ChannelType, 'label' | 'color' | 'key_hint' | 'fields'>
  readonly baseUrl: string
  readonly models: readonly string[]
  /** `owned_by` in the model list. */
  readonly owner: string
  /** Whether it understands `stream_options` (relay reference §10.1). */
  readonly streamOptions: boolean
  url(call: ProviderCall): string
  headers(call: ProviderCall): Record<string, string>
  /** Where its model list is read, or undefined when it has none. */
  modelList: ((channel: ProviderChannel, key: string) => { url: string; headers: Record<string, string> }) | undefined
}
