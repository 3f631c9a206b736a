import type { RelayChannel } from '#server/relay/ports.ts'
import { ali } from './ali.ts'
import { gemini } from './gemini.ts'
import { minimax } from './minimax.ts'
import { openai } from './openai.ts'
import { siliconflow } from './siliconflow.ts'
import { vertex } from './vertex.ts'
import type { VideoProvider } from './video-provider.ts'
import { volcengine } from './volcengine.ts'
import { xai } from './xai.ts'
import { zhipu } from './zhipu.ts'

const videoProviders: readonly VideoProvider[] = [
  openai,
  gemini,
  vertex,
  xai,
  ali,
  minimax,
  zhipu,
  volcengine,
  siliconflow,
]

const ofTypes = new Map(videoProviders.flatMap((provider) => provider.channelTypes.map((type) => [type, provider])))
const byName = new Map(videoProviders.map((provider) => [provider.name, provider]))

/** The API for videos of a channel; undefined where it has none. */
export const videoProviderOf = ({ type }: Pick<RelayChannel, 'type'>): VideoProvider | undefined => ofTypes.get(type)

export const videoProviderNamed = (name: string): VideoProvider | undefined => byName.get(name)
