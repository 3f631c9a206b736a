import type { RelayChannel } from '#server/relay/ports.ts'
import { ali } from './ali.ts'
import { azure } from './azure.ts'
import { gemini } from './google/gemini.ts'
import { vertex } from './google/vertex.ts'
import { kling } from './kling.ts'
import { luma } from './luma.ts'
import { lumaAgents } from './luma-agents.ts'
import { minimax } from './minimax.ts'
import { minimaxH3 } from './minimax-h3.ts'
import { openai } from './openai.ts'
import { runway } from './runway.ts'
import { siliconflow } from './siliconflow.ts'
import type { VideoProvider } from './video-provider.ts'
import { vidu } from './vidu.ts'
import { volcengine } from './volcengine.ts'
import { xai } from './xai.ts'
import { zhipu } from './zhipu.ts'

const videoProviders: readonly VideoProvider[] = [
  openai,
  azure,
  gemini,
  vertex,
  xai,
  ali,
  minimax,
  minimaxH3,
  zhipu,
  volcengine,
  siliconflow,
  kling,
  vidu,
  runway,
  luma,
  lumaAgents,
]

const byName = new Map(videoProviders.map((provider) => [provider.name, provider]))

/** The API for videos of a channel, by the model as its provider names it; undefined where it has none. */
export const videoProviderOf = ({ type }: Pick<RelayChannel, 'type'>, model: string): VideoProvider | undefined => {
  const ofType = videoProviders.filter(({ channelTypes }) => channelTypes.includes(type))
  return ofType.find(({ models }) => models?.test(model)) ?? ofType.find(({ models }) => models === undefined)
}

export const videoProviderNamed = (name: string): VideoProvider | undefined => byName.get(name)

export type NativeProvider = VideoProvider & Required<Pick<VideoProvider, 'native'>>

const hasNative = (provider: VideoProvider): provider is NativeProvider => provider.native !== undefined

/** The provider whose own calls a channel takes; undefined where none are served. */
export const nativeOf = ({ type }: Pick<RelayChannel, 'type'>): NativeProvider | undefined =>
  videoProviders.filter(hasNative).find(({ channelTypes }) => channelTypes.includes(type))
