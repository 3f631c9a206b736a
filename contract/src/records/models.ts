import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { longestModelName } from '../sizes.ts'
import { errorClasses } from './figures.ts'

/** Purpose of a model; empty if unknown. */
export const modelKinds = [
  '',
  'chat',
  'embedding',
  'rerank',
  'image',
  'video',
  'speech',
  'transcription',
  'realtime',
  'moderation',
  'ocr',
] as const
export type ModelKind = (typeof modelKinds)[number]

/** Kinds of input that a model takes. */
export const modelInputs = ['text', 'image', 'pdf', 'audio', 'video'] as const
export type ModelInput = (typeof modelInputs)[number]

/** Abilities of a model beside answering. */
export const modelAbilities = ['tools', 'thinking', 'structured', 'cache'] as const
export type ModelAbility = (typeof modelAbilities)[number]

/** Characters of a model's description, and how many tags of what length a card has. */
export const longestModelText = 1000
export const mostModelTags = 12
export const longestModelTag = 40

const mostTokens = 1_000_000_000
const day = z.string().regex(/^(\d{4}(-\d\d(-\d\d)?)?)?$/)

/** Facts about a model that operators may state themselves. */
const cardFields = {
  maker: z.string().trim().max(80),
  description: z.string().trim().max(longestModelText),
  kind: z.enum(modelKinds),
  /** Tokens of prompt and answer together; 0 where it is not known. */
  context: z.int().min(0).max(mostTokens),
  /** Tokens of an answer at most; 0 where it is not known. */
  max_output: z.int().min(0).max(mostTokens),
  takes: z.array(z.enum(modelInputs)).max(modelInputs.length),
  can: z.array(z.enum(modelAbilities)).max(modelAbilities.length),
  /** Year, month or day up to which it learned; empty where it is not known. */
  knowledge: day,
  tags: z.array(z.string().trim().min(1).max(longestModelTag)).max(mostModelTags),
  /** Left out of the catalogue; it can be called as before. */
  hidden: z.boolean(),
}

/** Some fields of a card. */
export const modelCardChange = z.object(cardFields).partial()
export type ModelCardChange = z.output<typeof modelCardChange>

export const modelCard = z.object({
  model: z.string(),
  ...cardFields,
  /** Day from which its maker no longer offers it; empty where none is known. */
  retires: z.string(),
  /** The model that answers in its place from that day on; empty for none. */
  replaced_by: z.string(),
  /** Paths of the relay that take it, the usual one first. */
  endpoints: z.array(z.string()),
  /** True where an operator changed the card. */
  edited: z.boolean(),
})
export type ModelCard = z.output<typeof modelCard>

const modelName = z.string().min(1).max(longestModelName)

export const listModelCards = endpoint({
  method: 'GET',
  path: '/api/models/cards',
  access: 'visitor',
  summary: 'What is known about every model that enabled channels serve; hidden ones only for administrators',
  data: z.array(modelCard),
})

export const saveModelCard = endpoint({
  method: 'PUT',
  path: '/api/models/card',
  access: 'admin',
  summary: 'Says something about a model in place of what is known',
  body: modelCardChange.extend({ model: modelName }),
  data: modelCard,
})

export const resetModelCard = endpoint({
  method: 'DELETE',
  path: '/api/models/card',
  access: 'admin',
  summary: 'Forgets what an operator said about a model',
  query: z.object({ model: modelName }),
  data: modelCard,
})

/** null where nothing was measured. */
const figure = z.number().nullable()

const measures = {
  /** Milliseconds to the first content of streams. */
  first_p50: figure,
  first_p95: figure,
  /** Completion tokens per second of streams. */
  speed: figure,
  /** Share of 1 of the calls that were answered; what clients did wrong does not count. */
  uptime: figure,
  /** The same for each of the last 30 days (UTC), today last. */
  days: z.array(figure),
}

const modelMeasures = z.object({ model: z.string(), ...measures })
export type ModelMeasures = z.output<typeof modelMeasures>

export const listModelMeasures = endpoint({
  method: 'GET',
  path: '/api/models/measures',
  access: 'visitor',
  summary:
    'Speed and uptime of models in the last 30 days, the most called first; for visitors only if option PublicModelMeasures is on',
  data: z.array(modelMeasures),
})

const channelMeasures = z.object({
  channel_id: z.int(),
  name: z.string(),
  /** The channel's type; 0 for a channel that was deleted. */
  type: z.int(),
  calls: z.int(),
  ...measures,
})
export type ChannelMeasures = z.output<typeof channelMeasures>

const modelUser = z.object({
  user_id: z.int(),
  username: z.string(),
  calls: z.int(),
  /** Quota units. */
  quota: z.int(),
})

const modelUse = z.object({
  /** The most called first; the id 0 stands for calls that found no channel. */
  channels: z.array(channelMeasures),
  /** Calls that were refused before a channel was looked for. */
  refused: z.array(z.object({ cause: z.enum(errorClasses), calls: z.int() })),
  /** Ten at most, who spent most first. */
  users: z.array(modelUser),
  calls: z.int(),
  /** Quota units. */
  quota: z.int(),
})
export type ModelUse = z.output<typeof modelUse>

export const getModelUse = endpoint({
  method: 'GET',
  path: '/api/models/use',
  access: 'admin',
  summary: 'Speed of one model on each channel, and who called it most, in the last 30 days',
  query: z.object({ model: modelName }),
  data: modelUse,
})
