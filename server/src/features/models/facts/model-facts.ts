import {
  longestModelText,
  type ModelAbility,
  type ModelCard,
  type ModelInput,
  type ModelKind,
  modelKinds,
} from '@tollgate/contract'
import { ownMember } from '@tollgate/contract/own-member'
import { z } from 'zod'
import type { ListPrice } from '../../../billing/book/list-price.ts'
import { readingsOf } from '../../../billing/book/model-names.ts'
import { onFirstUse } from '../../../lib/on-first-use.ts'
import { type FactsByModel, factsKey } from './facts-by-model.ts'
import { familyFacts } from './families.ts'
import table from './listed-facts.json' with { type: 'json' }

/**
 * Kind, tokens of the prompt and of the answer at most (0 where it is not known), and the day of retirement, by model: facts of
 * LiteLLM's public table (MIT licence) of November 2026, without prices.
 */
const listed = onFirstUse(() =>
  z
    .record(
      z.string(),
      z.union([
        z.tuple([z.enum(modelKinds), z.int(), z.int()]),
        z.tuple([z.enum(modelKinds), z.int(), z.int(), z.string()]),
      ]),
    )
    .parse(table),
)

/** Facts about a model without those of an operator. */
export type DefaultModelFacts = Omit<ModelCard, 'model' | 'hidden' | 'edited' | 'tags'>

export interface FactSources {
  /** Present list price of a model. */
  priceOf(model: string): ListPrice | undefined
  makerOf(model: string): string
  readonly catalogue: () => FactsByModel
}

const endpointsOf: Readonly<Record<ModelKind, readonly string[]>> = {
  '': [],
  chat: ['/v1/chat/completions', '/v1/messages', '/v1/responses'],
  embedding: ['/v1/embeddings'],
  rerank: ['/v1/rerank'],
  image: ['/v1/images/generations'],
  video: [],
  speech: ['/v1/audio/speech'],
  transcription: ['/v1/audio/transcriptions'],
  realtime: ['/v1/realtime'],
  moderation: ['/v1/moderations'],
  ocr: [],
}

/** The relay's paths that take a model of a kind, the usual one first. */
export const endpointsFor = (kind: ModelKind): string[] => [...endpointsOf[kind]]

/** Names whose kind every gateway reads from them. */
const named: readonly (readonly [ModelKind, RegExp])[] = [
  ['embedding', /embed|^(bge|m3e|gte|bce-embedding)/],
  ['rerank', /rerank/],
  ['image', /^(dall-e|gpt-image|imagen|flux|stable-|sd3|sdxl|cogview|mj_|swap_face)|-image($|-)/],
  ['video', /^(sora|veo|kling|vidu|cogvideo)/],
  ['speech', /^tts-|-tts($|-)/],
  ['transcription', /^whisper|transcribe/],
  ['realtime', /realtime|-live($|-)/],
  ['moderation', /moderation/],
]

const kindOf = (ids: readonly string[], price: ListPrice | undefined): ModelKind => {
  for (const id of ids) {
    const found = ownMember(listed(), id)?.[0] ?? named.find(([, names]) => names.test(id))?.[0]
    if (found !== undefined) return found
  }
  // A list that asks for prompts and for answers means a conversation.
  return price?.rates.input !== undefined && price.rates.output !== undefined ? 'chat' : ''
}

const pricedInputs = (price: ListPrice | undefined): ModelInput[] => [
  ...(price?.rates.image_input === undefined ? [] : (['image'] as const)),
  ...(price?.rates.audio_input === undefined ? [] : (['audio'] as const)),
  ...(price?.rates.video_input === undefined ? [] : (['video'] as const)),
]

const inputOf: Readonly<Partial<Record<ModelKind, readonly ModelInput[]>>> = {
  transcription: ['audio'],
  ocr: ['pdf', 'image'],
  '': [],
}

const once = <T>(values: readonly T[]): T[] => [...new Set(values)]

/** Everything that the price lists, tables and families say about a model; nothing is guessed about a name of the operator's own. */
export const modelFacts = (model: string, sources: FactSources): DefaultModelFacts => {
  const price = sources.priceOf(model)
  const ids = once([
    ...readingsOf(model).map(({ id }) => id),
    ...(price === undefined ? [] : [price.model.toLowerCase()]),
  ])
  const row = ids.map((id) => ownMember(listed(), id)).find((found) => found !== undefined)
  const [, prompt = 0, output = 0, retires = ''] = row ?? []
  const known = price === undefined ? undefined : sources.catalogue().get(factsKey(price.provider, price.model))
  const kind = kindOf(ids, price)
  const family = kind === 'chat' ? ids.map(familyFacts) : []
  const can: ModelAbility[] = [
    ...family.flatMap((facts) => facts.can),
    ...(price?.rates.cache_read === undefined ? [] : (['cache'] as const)),
  ]
  return {
    maker: sources.makerOf(model),
    description: (known?.description ?? '').slice(0, longestModelText),
    kind,
    context: prompt || known?.context || 0,
    max_output: output,
    takes: once([...(inputOf[kind] ?? ['text']), ...family.flatMap(({ takes }) => takes), ...pricedInputs(price)]),
    can: once(can),
    knowledge: '',
    retires,
    replaced_by: '',
    endpoints: endpointsFor(kind),
  }
}
