import { listOf, textIn } from '../../dialects/conversation/json.ts'
import type { ChatCapabilities } from '../../dialects/openai-chat/capabilities.ts'
import { openaiChat } from '../../dialects/openai-chat/dialect.ts'
import { rulesOf, searchesIn, takesChatTools } from '../../dialects/openai-chat/model-rules.ts'
import { openaiResponses } from '../../dialects/openai-responses/dialect.ts'
import type { Adjustment, Ask, Language, Provider, ProviderCall, ProviderChannel } from '../provider.ts'
import { withModelRules } from './model-rules.ts'

export const genericKeyHint = { zh: '请输入渠道对应的鉴权密钥', en: 'Enter the key of this channel' } as const

export const bearer = ({ key }: Pick<ProviderCall, 'key'>): Record<string, string> => ({
  authorization: `Bearer ${key}`,
})

/** `/v1/chat/completions` → `/chat/completions`. */
export const pathBehindVersion = (path: string): string => (path.startsWith('/v1/') ? path.slice(3) : path)

/** Cloudflare's AI gateway has no version in its paths. */
export const isCloudflareGateway = (baseUrl: string): boolean => baseUrl.startsWith('https://gateway.ai.cloudflare.com')

const defaultUrl = ({ channel, path, query }: ProviderCall): string => `${channel.baseUrl}${path}${query}`

const defaultModelList: Provider['modelList'] = (channel: ProviderChannel, key: string) => ({
  url: `${channel.baseUrl}/v1/models`,
  headers: bearer({ key }),
})

/** What a provider that speaks OpenAI's language has to say about itself; the rest follows from the language. */
export interface Compatible {
  readonly type: number
  readonly name: string
  readonly label: { readonly zh: string; readonly en: string }
  readonly color: string
  readonly baseUrl: string
  readonly owner: string
  readonly models: readonly string[]
  readonly keyHint?: { readonly zh: string; readonly en: string }
  readonly note?: { readonly zh: string; readonly en: string }
  readonly fields?: Provider['console']['fields']
  readonly streamOptions?: boolean
  /** How its chat completions differ from OpenAI's, for conversations that come in another language. */
  readonly capabilities?: Partial<ChatCapabilities>
  /** Whether it answers `/v1/responses` as well. */
  readonly responses?: boolean
  /** Whether the models are OpenAI's, some of which answer there only, or better there (`model-rules.ts`). */
  readonly ownModels?: true
  readonly billsAborted?: true
  readonly url?: Provider['url']
  readonly headers?: Provider['headers']
  readonly adjust?: (ask: Ask) => Adjustment | undefined
  /** `false` when it has no list of its models. */
  readonly modelList?: Exclude<Provider['modelList'], undefined> | false
}

/** What most providers understand, and nothing that only OpenAI has. */
export const plainCapabilities: Partial<ChatCapabilities> = {
  maxTokens: 'max_tokens',
  customTools: false,
  cacheKeys: false,
  effort: () => false,
  developers: false,
  search: () => false,
}

const chatLanguage = ({ streamOptions = false, capabilities }: Compatible): Language => {
  const dialect = openaiChat({ ...plainCapabilities, streamOptions, ...capabilities })
  return { name: dialect.name, dialect: () => dialect, path: '/v1/chat/completions' }
}

/** What chat completions refuse of their own words and responses can do: functions while a model thinks. */
const refusedInChat: Language['refuses'] = (model, body) => {
  const rules = rulesOf(model)
  if (rules?.chatTools === undefined || listOf(body.tools).length === 0) return false
  return !takesChatTools(rules, textIn(body.reasoning_effort))
}

const responsesLanguage: Language = {
  name: openaiResponses.name,
  dialect: () => openaiResponses,
  path: '/v1/responses',
}

/** Tools of OpenAI's own are for responses, but for models that are made to search. */
const lacksInChat: Language['lacks'] = (tool, model) =>
  tool === 'web_search' ? !searchesIn(rulesOf(model), 'chat') : tool === 'code_execution' || tool === 'image_generation'

const lacksInResponses: Language['lacks'] = (tool, model) =>
  tool === 'web_search' && !searchesIn(rulesOf(model), 'responses')

const languagesOf = (its: Compatible): Pick<Provider, 'languages' | 'languagesOf'> => {
  const chat = chatLanguage(its)
  if (!its.responses) return { languages: [chat] }
  if (!its.ownModels) return { languages: [chat, responsesLanguage] }
  const responses = { ...responsesLanguage, lacks: lacksInResponses }
  const languages = [{ ...chat, lacks: lacksInChat, refuses: refusedInChat }, responses]
  const reversed = languages.toReversed()
  const only = [responses]
  return {
    languages,
    languagesOf(model) {
      const rules = rulesOf(model)
      if (rules?.language === 'responses') return only
      return rules?.chatTools === undefined ? languages : reversed
    },
  }
}

export const compatible = (its: Compatible): Provider => ({
  type: its.type,
  name: its.name,
  console: {
    label: its.label,
    color: its.color,
    key_hint: its.keyHint ?? genericKeyHint,
    fields: its.fields ?? [],
    ...(its.note === undefined ? {} : { note: its.note }),
  },
  baseUrl: its.baseUrl,
  models: its.models,
  owner: its.owner,
  streamOptions: its.streamOptions ?? false,
  ...languagesOf(its),
  otherCalls: true,
  countsTokens: its.responses ?? false,
  url: its.url ?? defaultUrl,
  headers: its.headers ?? bearer,
  modelList: its.modelList === false ? undefined : (its.modelList ?? defaultModelList),
  adjust: withModelRules(its.adjust),
  ...(its.billsAborted === undefined ? {} : { billsAborted: its.billsAborted }),
})
