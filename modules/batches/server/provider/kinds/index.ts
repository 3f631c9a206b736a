import type { RelayChannel } from '#server/relay/ports.ts'
import { anthropicKind } from './anthropic.ts'
import { geminiKind } from './gemini.ts'
import { mistralKind } from './mistral.ts'
import { openaiShapes } from './openai.ts'
import { openrouterKind } from './openrouter.ts'
import type { ProviderKind } from './provider-kind.ts'
import { xaiKind } from './xai.ts'

const kinds: readonly ProviderKind[] = [
  ...openaiShapes,
  anthropicKind,
  geminiKind,
  mistralKind,
  openrouterKind,
  xaiKind,
]

/** The API for batches that a channel's provider has; undefined for none. */
export const kindOfChannel = ({ type }: Pick<RelayChannel, 'type'>): ProviderKind | undefined =>
  kinds.find(({ channelTypes }) => channelTypes.includes(type))

export const kindNamed = (name: string): ProviderKind | undefined => kinds.find((kind) => kind.name === name)
