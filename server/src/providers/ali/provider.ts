import type { UpstreamDialect } from '../../dialects/dialect.ts'
import { openaiChat } from '../../dialects/openai-chat/dialect.ts'
import { bearer, compatible, plainHabits } from '../dialects/openai.ts'
import type { Adjustment, Ask, Language, Provider, ProviderCall } from '../provider.ts'
import { models } from './models.ts'
import { dashscope } from './native.ts'
import { isMultimodal, thinkingOf } from './native-request.ts'
import { pictures, picturesHeaders, picturesPath, picturesService } from './pictures.ts'
import { rerank } from './rerank.ts'

const chat = openaiChat({ ...plainHabits, streamOptions: true, topK: true, effort: () => true })

/** Chat completions as DashScope takes them: thinking is turned on and bounded by members of its own. */
const compatibleChat: UpstreamDialect = {
  ...chat,
  writeRequest(conversation, losses) {
    const { reasoning_effort: _, ...body } = chat.writeRequest(conversation, losses)
    return { ...body, ...thinkingOf(conversation) }
  },
}

const chatLanguage: Language = { name: chat.name, dialect: () => compatibleChat, path: '/v1/chat/completions' }
const nativeLanguage: Language = {
  name: dashscope.name,
  dialect: () => dashscope,
  path: '/api/v1/services/aigc/generation',
}

const nativeEnd = /\/api\/v1$/
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

/** 0 and 1 themselves are refused. */
const insideTopP = ({ body }: Ask): Adjustment | undefined => {
  if (typeof body.top_p !== 'number') return undefined
  const inside = Math.min(Math.max(body.top_p, 0.001), 0.999)
  return inside === body.top_p ? undefined : { members: { top_p: inside } }
}

/**
 * Alibaba's Model Studio. Its OpenAI-compatible mode is preferred; models that only DashScope's own protocol reaches, and
 * addresses that end in `/api/v1`, are asked in that (help.aliyun.com/zh/model-studio/use-qwen-by-calling-api).
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
    adjust: insideTopP,
    // It goes on after a disconnect and bills the whole answer (openrouter.ai/docs/api-reference/streaming, Stream Cancellation).
    billsAborted: true,
    modelList: (channel, key) => ({
      url: `${rootOf(channel.baseUrl)}/compatible-mode/v1/models`,
      headers: bearer({ key }),
    }),
  }),
  languages: [chatLanguage, nativeLanguage],
  languagesOf: (model, { channel }) =>
    nativeEnd.test(channel.baseUrl) || nativeOnly.test(model) ? [nativeLanguage] : [chatLanguage],
  rerank,
  pictures,
}
