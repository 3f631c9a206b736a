import { ownMember } from '@tollgate/contract/own-member'
import type { UpstreamDialect } from '../../dialects/dialect.ts'
import { geminiContent } from '../../dialects/gemini/dialect.ts'
import { geminiEmbeddings } from '../../dialects/gemini/media/embeddings.ts'
import { imagen } from '../../dialects/gemini/media/imagen.ts'
import { geminiPictures, isImagen } from '../../dialects/gemini/media/pictures.ts'
import type { ModelOptions, Provider, ProviderCall } from '../provider.ts'

/** What operators say about Gemini, wherever it is hosted, and how Google's AI Studio is called (ai.google.dev/api). */

const fallbackVersion = 'v1beta'

const categories = [
  'HARM_CATEGORY_HARASSMENT',
  'HARM_CATEGORY_HATE_SPEECH',
  'HARM_CATEGORY_SEXUALLY_EXPLICIT',
  'HARM_CATEGORY_DANGEROUS_CONTENT',
  'HARM_CATEGORY_CIVIC_INTEGRITY',
]

/** Thresholds for clients that cannot name their own. */
const thresholds = ({ gemini: { safety } }: ModelOptions): { category: string; threshold: string }[] =>
  categories.map((category) => ({ category, threshold: ownMember(safety, category) ?? safety.default ?? 'OFF' }))

export const geminiDialect = (options: ModelOptions): UpstreamDialect => geminiContent({ safety: thresholds(options) })

/** Vertex takes Google's tools beside functions without being told, and refuses to be told. */
export const vertexDialect = (options: ModelOptions): UpstreamDialect =>
  geminiContent({ safety: thresholds(options), toolsTogether: 'plain' })

const picturesPath = '/v1beta/pictures'

/** Pictures, wherever Google draws them. */
export const googlePictures: NonNullable<Provider['pictures']> = {
  path: picturesPath,
  edits: picturesPath,
  dialect: (model, options) => (isImagen(model) ? imagen : geminiPictures(thresholds(options))),
}

const embeddingsPath = '/v1beta/embeddings'

/** What is done with a model; `:` and its name end the address. */
export const geminiAction = ({ path, stream, model }: Pick<ProviderCall, 'path' | 'stream' | 'model'>): string => {
  if (path === picturesPath && isImagen(model)) return 'predict'
  const [, other] = /:(countTokens|embedContent|batchEmbedContents)$/.exec(path) ?? []
  if (other !== undefined) return other
  return stream ? 'streamGenerateContent?alt=sse' : 'generateContent'
}

/** The parts of a provider at Google's AI Studio that follow from its API. */
export const aiStudio: Pick<
  Provider,
  'embeddings' | 'embedsContents' | 'pictures' | 'countsTokens' | 'url' | 'headers' | 'modelList' | 'languages'
> = {
  languages: [{ name: 'gemini', dialect: geminiDialect, path: '/v1beta/models' }],
  countsTokens: true,
  embeddings: { ...geminiEmbeddings, path: embeddingsPath },
  embedsContents: true,
  pictures: googlePictures,
  url({ channel, model, stream, options, path }) {
    const { versions } = options.gemini
    const version = ownMember(versions, model) ?? versions.default ?? fallbackVersion
    const action = path === embeddingsPath ? 'batchEmbedContents' : geminiAction({ path, stream, model })
    return `${channel.baseUrl}/${version}/models/${encodeURIComponent(model)}:${action}`
  },
  headers: ({ key }) => ({ 'x-goog-api-key': key }),
  modelList: (channel, key) => ({
    url: `${channel.baseUrl}/${fallbackVersion}/openai/models`,
    headers: { authorization: `Bearer ${key}` },
  }),
}
