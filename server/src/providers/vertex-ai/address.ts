import { ownMember } from '@tollgate/contract/own-member'
import { isObject, parsedJson, textIn } from '../../dialects/conversation/json.ts'
import { embedsContent } from '../../dialects/gemini/media/embeddings.ts'
import { geminiAction } from '../dialects/gemini.ts'
import type { Provider, ProviderCall } from '../provider.ts'
import { vertexCredential } from './credential.ts'

export type VertexPublisher = 'anthropic' | 'google' | 'partner'

/** The maker decides the API: Google's and Anthropic's models have their own, all others are OpenAI-compatible. */
export const makerOf = (model: string): VertexPublisher => {
  if (model.startsWith('claude')) return 'anthropic'
  return /^(gemini|gemma-|text-|textembedding|embedding|multilingual|imagen|imagegeneration)/.test(model)
    ? 'google'
    : 'partner'
}

const defaultRegion = 'global'

/**
 * The region in the channel's `other`: `us-central1`, or `{"default": "us-central1", "<model>": "…"}` with model names before or
 * after the channel's mapping.
 */
export const regionOf = ({
  channel: { other },
  model,
  origin = model,
}: Pick<ProviderCall, 'channel' | 'model' | 'origin'>): string => {
  const json = other.trim().startsWith('{') ? parsedJson(other) : undefined
  if (!isObject(json)) return other.trim() || defaultRegion
  return textIn(ownMember(json, origin)) ?? textIn(ownMember(json, model)) ?? textIn(json.default) ?? defaultRegion
}

/**
 * The global and the multi-region locations have their own hosts (cloud.google.com/vertex-ai/generative-ai/docs/learn/locations).
 */
export const hostOf = (region: string): string => {
  if (region === 'global') return 'https://aiplatform.googleapis.com'
  if (region === 'us' || region === 'eu') return `https://aiplatform.${region}.rep.googleapis.com`
  return `https://${region}-aiplatform.googleapis.com`
}

const renamedModels: Readonly<Record<string, string>> = {
  'claude-3-5-sonnet-20241022': 'claude-3-5-sonnet-v2@20241022',
}

/** Vertex writes the date of a Claude model behind an `@` (platform.claude.com, Claude on Vertex AI). */
export const vertexClaude = (model: string): string =>
  ownMember(renamedModels, model) ?? model.replace(/-(\d{8})$/, '@$1')

export const embeddingsPath = '/embeddings'

const googleAction = (call: ProviderCall): string => {
  if (call.path !== embeddingsPath) return geminiAction(call)
  return embedsContent(call.model) ? 'embedContent' : 'predict'
}

const modelPath = (call: ProviderCall): string => {
  const { model, stream } = call
  if (makerOf(model) === 'anthropic') {
    const name = vertexClaude(model)
    return `publishers/anthropic/models/${name}:${stream ? 'streamRawPredict' : 'rawPredict'}`
  }
  return `publishers/google/models/${encodeURIComponent(model)}:${googleAction(call)}`
}

/** Sessions of Gemini Live (cloud.google.com/vertex-ai/generative-ai/docs/model-reference/multimodal-live). */
export const vertexLive: NonNullable<Provider['live']> = {
  music: false,
  url(call) {
    const base = call.channel.baseUrl || hostOf(regionOf(call))
    return `${base}/ws/google.cloud.aiplatform.v1beta1.LlmBidiService/BidiGenerateContent`
  },
  model(call) {
    const credential = vertexCredential(call.key)
    const model = `publishers/google/models/${call.model}`
    if (credential?.kind !== 'account') return model
    return `projects/${credential.project}/locations/${regionOf(call)}/${model}`
  },
}

/** The address of a call. An API key implies its project and works for Google's own models only. */
export const vertexUrl = (call: ProviderCall): string => {
  const credential = vertexCredential(call.key)
  const region = regionOf(call)
  const base = call.channel.baseUrl || hostOf(region)
  if (credential?.kind === 'key') return `${base}/v1/${modelPath(call)}`
  const place = `projects/${credential?.project ?? ''}/locations/${region}`
  const maker = makerOf(call.model)
  if (maker === 'partner') return `${base}/v1beta1/${place}/endpoints/openapi/chat/completions`
  return `${base}/${maker === 'anthropic' ? 'v1' : 'v1beta1'}/${place}/${modelPath(call)}`
}
