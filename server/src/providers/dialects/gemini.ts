import { ownMember } from '@tollgate/contract/own-member'
import type { UpstreamDialect } from '../../dialects/dialect.ts'
import { geminiContent } from '../../dialects/gemini/dialect.ts'
import { geminiEmbeddings } from '../../dialects/gemini/media/embeddings.ts'
import { imagen } from '../../dialects/gemini/media/imagen.ts'
import { geminiPictures, isImagen } from '../../dialects/gemini/media/pictures.ts'
import { isMusicPath } from '../../dialects/gemini/paths.ts'
import { withAcceptedBudget } from '../../dialects/gemini/thinking.ts'
import type { Adjustment, ModelOptions, OutgoingRequest, Provider, ProviderCall } from '../provider.ts'

/** The operator's options for Gemini, and the API of Google's AI Studio (ai.google.dev/api). */

const fallbackVersion = 'v1beta'

const categories = [
  'HARM_CATEGORY_HARASSMENT',
  'HARM_CATEGORY_HATE_SPEECH',
  'HARM_CATEGORY_SEXUALLY_EXPLICIT',
  'HARM_CATEGORY_DANGEROUS_CONTENT',
  'HARM_CATEGORY_CIVIC_INTEGRITY',
]

/** Safety thresholds for clients whose dialect has none. */
const thresholds = ({ gemini: { safety } }: ModelOptions): { category: string; threshold: string }[] =>
  categories.map((category) => ({ category, threshold: ownMember(safety, category) ?? safety.default ?? 'OFF' }))

export const geminiDialect = (options: ModelOptions): UpstreamDialect => geminiContent({ safety: thresholds(options) })

/**
 * Gemini at Vertex, which accepts Google's tools beside functions but refuses the flag that AI Studio needs for it, and takes no
 * tier in the body.
 */
export const vertexDialect = (options: ModelOptions): UpstreamDialect =>
  geminiContent({ safety: thresholds(options), toolsTogether: 'plain', tiers: false })

const picturesPath = '/v1beta/pictures'

/** Pictures of AI Studio and Vertex. */
export const googlePictures: NonNullable<Provider['pictures']> = {
  path: picturesPath,
  edits: picturesPath,
  dialect: (model, options) => (isImagen(model) ? imagen : geminiPictures(thresholds(options))),
}

const embeddingsPath = '/v1beta/embeddings'

/** The action at the end of the address, after `:`. */
export const geminiAction = ({ path, stream, model }: Pick<ProviderCall, 'path' | 'stream' | 'model'>): string => {
  if (path === picturesPath && isImagen(model)) return 'predict'
  const [, action] = /:(countTokens|embedContent|batchEmbedContents)$/.exec(path) ?? []
  if (action !== undefined) return action
  return stream ? 'streamGenerateContent?alt=sse' : 'generateContent'
}

/** The version of Live's address, as its client wrote it (ai.google.dev/api/live). */
const liveVersion = (path: string): string => /\.(v1|v1alpha|v1beta)\./.exec(path)?.[1] ?? fallbackVersion

/** Limits the thinking budget of Google's own clients to the model's range, as they may have chosen it for another one. */
export const withinThinkingBudget = ({ body, model }: OutgoingRequest): Adjustment | undefined => {
  const members = withAcceptedBudget(body, model)
  return members && { members, unsupported: ['generationConfig.thinkingConfig.thinkingBudget'] }
}

const aiStudioLive: NonNullable<Provider['live']> = {
  music: true,
  url({ channel, path }) {
    const service = `google.ai.generativelanguage.${liveVersion(path)}.GenerativeService`
    return `${channel.baseUrl}/ws/${service}.${isMusicPath(path) ? 'BidiGenerateMusic' : 'BidiGenerateContent'}`
  },
  model: ({ model }) => `models/${model}`,
}

const aiStudioCaches: NonNullable<Provider['cachesContents']> = {
  address: ({ channel, path }, id) => {
    const version = /^\/(v1|v1beta)\//.exec(path)?.[1] ?? fallbackVersion
    return { baseUrl: channel.baseUrl, path: `/${version}/cachedContents${id === '' ? '' : `/${id}`}` }
  },
  model: ({ model }) => `models/${model}`,
}

/** The members of a provider that are the same for every channel type of AI Studio. */
export const aiStudio: Pick<
  Provider,
  | 'embeddings'
  | 'embedsIn'
  | 'pictures'
  | 'countsTokens'
  | 'url'
  | 'headers'
  | 'modelList'
  | 'languages'
  | 'live'
  | 'cachesContents'
  | 'adjust'
  | 'leavesPlain'
> = {
  adjust: withinThinkingBudget,
  leavesPlain: () => [],
  languages: [{ name: 'gemini', dialect: geminiDialect, path: '/v1beta/models' }],
  countsTokens: true,
  embeddings: { ...geminiEmbeddings, path: embeddingsPath },
  embedsIn: 'gemini',
  pictures: googlePictures,
  live: aiStudioLive,
  cachesContents: aiStudioCaches,
  url({ channel, model, stream, options, path }) {
    const { versions } = options.gemini
    const version = ownMember(versions, model) ?? versions.default ?? fallbackVersion
    const action = path === embeddingsPath ? 'batchEmbedContents' : geminiAction({ path, stream, model })
    // A tuned model keeps the name of its list (ai.google.dev/api/tuning).
    const [, tuned] = /^tunedModels\/(.+)$/.exec(model) ?? []
    const place =
      tuned === undefined ? `models/${encodeURIComponent(model)}` : `tunedModels/${encodeURIComponent(tuned)}`
    return `${channel.baseUrl}/${version}/${place}:${action}`
  },
  headers: ({ key }) => ({ 'x-goog-api-key': key }),
  modelList: (channel, key) => ({
    url: `${channel.baseUrl}/${fallbackVersion}/openai/models`,
    headers: { authorization: `Bearer ${key}` },
  }),
}
