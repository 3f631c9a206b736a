import type { RelayChannel } from '#server/relay/ports.ts'
import { anthropicKind } from './anthropic.ts'
import { geminiKind } from './gemini.ts'
import { openaiKind } from './openai.ts'
import type { ProviderKind } from './provider-kind.ts'

const kinds: readonly ProviderKind[] = [openaiKind, anthropicKind, geminiKind]

/** The API for batches that a channel's provider has; undefined for none. */
export const kindOfChannel = ({ type }: Pick<RelayChannel, 'type'>): ProviderKind | undefined =>
  kinds.find(({ channelTypes }) => channelTypes.includes(type))

export const kindNamed = (name: string): ProviderKind | undefined => kinds.find((kind) => kind.name === name)
