import { hostOf } from '../../dialects/facts/hosts.ts'
import { openaiChat } from '../../dialects/openai-chat/dialect.ts'
import { bearer, compatible } from '../dialects/openai.ts'
import { plainCapabilities } from '../dialects/plain-capabilities.ts'
import { lacks } from '../dialects/plain-rules.ts'
import type { Adjustment, OutgoingRequest, Provider, ProviderCall, ProviderDialect } from '../provider.ts'
import { dashscope } from './language.ts'
import models from './models.json' with { type: 'json' }
import { pictures, picturesHeaders, picturesPath, picturesService } from './pictures.ts'
import { isMultimodal } from './request.ts'
import { rerank } from './rerank.ts'

const chat = openaiChat({ ...plainCapabilities, host: hostOf('Ali'), streamOptions: true, topK: true })

const chatLanguage: ProviderDialect = { name: chat.name, dialect: () => chat, path: '/v1/chat/completions' }
const nativeLanguage: ProviderDialect = {
  name: dashscope.name,
  dialect: () => dashscope,
  path: '/api/v1/services/aigc/generation',
}

const nativeBase = /\/api\/v1$/
const nativeOnly = /^(qwen-deep-research|qwen-doc|qwen2?-audio|fun-asr|qwen-image|z-image)/

const rootOf = (baseUrl: string): string => baseUrl.replace(/\/(api|compatible-mode)\/v1$/, '')

const url = ({ channel, path, query, model }: ProviderCall): string => {
  const root = rootOf(channel.baseUrl)
  if (path === nativeLanguage.path) {
    const service = isMultimodal(model) ? 'multimodal-generation' : 'text-generation'
    return `${root}/api/v1/services/aigc/${service}/generation`
  }
  if (path === picturesPath) return `${root}${picturesService(model)}`
  return path.startsWith('/api/') ? `${root}${path}` : `${root}/compatible-mode${path}${query}`
}

const headers = (call: ProviderCall): Record<string, string> => ({
  ...bearer(call),
  ...(call.stream && call.path === nativeLanguage.path ? { 'x-dashscope-sse': 'enable' } : {}),
  ...(call.path === picturesPath ? picturesHeaders(call.model) : {}),
  ...(call.channel.other === '' ? {} : { 'x-dashscope-plugin': call.channel.other }),
})

/** Keeps `top_p` between 0 and 1, because DashScope refuses both ends. */
const boundedTopP = ({ body }: OutgoingRequest): Adjustment | undefined => {
  if (typeof body.top_p !== 'number') return undefined
  const topP = Math.min(Math.max(body.top_p, 0.001), 0.999)
  return topP === body.top_p ? undefined : { members: { top_p: topP } }
}

/**
 * Alibaba's Model Studio. Calls use its OpenAI-compatible API, except for models that only DashScope's native API serves and for
 * base URLs that end in `/api/v1` (help.aliyun.com/zh/model-studio/use-qwen-by-calling-api).
 */
export const ali: Provider = {
  ...compatible({
    type: 17,
    name: 'Ali',
    label: { zh: '阿里通义千问', en: 'Alibaba Qwen' },
    color: 'orange',
    baseUrl: 'https://dashscope.aliyuncs.com',
    owner: 'ali',
    models,
    fields: [{ column: 'other', label: { zh: '插件参数', en: 'Plugin parameter' }, placeholder: 'X-DashScope-Plugin' }],
    streamOptions: true,
    url,
    headers,
    adjust: boundedTopP,
    leavesPlain: () => [lacks(['top_p'])],
    // It completes and bills an answer after a disconnect (openrouter.ai/docs/api-reference/streaming, Stream Cancellation).
    billsAborted: true,
    modelList: (channel, key) => ({
      url: `${rootOf(channel.baseUrl)}/compatible-mode/v1/models`,
      headers: bearer({ key }),
    }),
  }),
  // help.aliyun.com/zh/model-studio/deep-thinking
  reasoningBeside: true,
  languages: [chatLanguage, nativeLanguage],
  languagesOf: (model, { channel }) =>
    nativeBase.test(channel.baseUrl) || nativeOnly.test(model) ? [nativeLanguage] : [chatLanguage],
  rerank,
  pictures,
}
