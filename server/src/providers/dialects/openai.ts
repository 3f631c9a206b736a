import { listOf, textIn } from '../../dialects/conversation/json.ts'
import { hostOf } from '../../dialects/facts/hosts.ts'
import { searchesIn, takesChatTools } from '../../dialects/facts/model-facts.ts'
import { mayRunAnywhere, rulesOf } from '../../dialects/facts/models.ts'
import type { ChatCapabilities } from '../../dialects/openai-chat/capabilities.ts'
import { openaiChat } from '../../dialects/openai-chat/dialect.ts'
import { openaiResponses } from '../../dialects/openai-responses/dialect.ts'
import type {
  Adjustment,
  OutgoingRequest,
  Provider,
  ProviderCall,
  ProviderChannel,
  ProviderDialect,
} from '../provider.ts'
import { engineChat, enginePromptCounts } from './engine-chat.ts'
import { isSelfHosted, withTemplateSwitch } from './engine-thinking.ts'
import { withModelRules } from './model-rules.ts'
import { placedEvents } from './placed-events.ts'
import { plainCapabilities } from './plain-capabilities.ts'
import { plainByModelRules } from './plain-rules.ts'

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

/** Differences between OpenAI-compatible providers; `compatible` fills in the rest. */
export interface CompatibleOptions {
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
  readonly refusesStreamOptions?: true
  /** Capabilities of its chat completions, for requests that are translated to them. Defaults are `plainCapabilities`. */
  readonly capabilities?: Partial<ChatCapabilities>
  /** True if it also has `/v1/responses`. */
  readonly responses?: boolean
  /** True if the models are OpenAI's, some of which need Responses (`dialects/facts`). */
  readonly ownModels?: true
  /** Set where an inference engine may stand behind the address: always, or where that is one of the operator's own network. */
  readonly engines?: 'always' | 'self_hosted'
  readonly billsAborted?: true
  readonly infills?: NonNullable<Provider['infills']>
  readonly takesCacheKey?: NonNullable<Provider['takesCacheKey']>
  readonly url?: Provider['url']
  readonly headers?: Provider['headers']
  readonly adjust?: (request: OutgoingRequest) => Adjustment | undefined
  /** As in `Provider`, for its own `adjust`. */
  readonly leavesPlain?: Provider['leavesPlain']
  readonly freshHead?: true
  /** `false` if it has no list of its models. */
  readonly modelList?: Exclude<Provider['modelList'], undefined> | false
}

const chatLanguage = ({ name, streamOptions = false, capabilities }: CompatibleOptions): ProviderDialect => {
  const dialect = openaiChat({ ...plainCapabilities, host: hostOf(name), streamOptions, ...capabilities })
  return { name: dialect.name, dialect: () => dialect, path: '/v1/chat/completions' }
}

/** True for functions with a reasoning model, which chat completions refuse and Responses accept. */
const refusedInChat: ProviderDialect['refuses'] = (model, body) => {
  const rules = rulesOf(model)
  if (rules?.chatTools === undefined || listOf(body.tools).length === 0) return false
  return !takesChatTools(rules, textIn(body.reasoning_effort))
}

const responsesLanguage: ProviderDialect = {
  name: openaiResponses.name,
  dialect: () => openaiResponses,
  path: '/v1/responses',
}

const engineResponses: ProviderDialect = { ...responsesLanguage, frames: placedEvents }

/** Built-in tools that chat completions lack: all, except web search for search models. */
const lacksInChat: ProviderDialect['lacks'] = (tool, model) =>
  tool === 'web_search' ? !searchesIn(rulesOf(model), 'chat') : tool === 'code_execution' || tool === 'image_generation'

const lacksInResponses: ProviderDialect['lacks'] = (tool, model) =>
  tool === 'web_search' && !searchesIn(rulesOf(model), 'responses')

const servesEngine = ({ engines }: CompatibleOptions, baseUrl: string, model: string): boolean =>
  engines !== undefined && mayRunAnywhere(model) && (engines === 'always' || isSelfHosted(baseUrl))

/** Languages of a provider; openly available models have those of an engine at addresses of engines. */
const languagesOf = (options: CompatibleOptions): Pick<Provider, 'languages' | 'languagesOf' | 'promptCounts'> => {
  const { languages, languagesOf: own } = ownLanguages(options)
  if (options.engines === undefined) return { languages, ...(own === undefined ? {} : { languagesOf: own }) }
  const chat = engineChat('')
  const atEngine = options.responses ? [chat, engineResponses] : [chat]
  const promptCounts = enginePromptCounts(chat)
  return {
    languages,
    promptCounts: (model, { baseUrl }) => (servesEngine(options, baseUrl, model) ? promptCounts : undefined),
    languagesOf: (model, place) =>
      servesEngine(options, place.channel.baseUrl, model) ? atEngine : (own?.(model, place) ?? languages),
  }
}

const ownLanguages = (options: CompatibleOptions): Pick<Provider, 'languages' | 'languagesOf'> => {
  const chat = chatLanguage(options)
  if (!options.responses) return { languages: [chat] }
  if (!options.ownModels) return { languages: [chat, responsesLanguage] }
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

const adjustmentOf = (options: CompatibleOptions): NonNullable<Provider['adjust']> => {
  const byModel = withModelRules(options.name, options.adjust)
  if (options.engines === undefined) return byModel
  return (request) => {
    const adjustment = byModel(request)
    return servesEngine(options, request.baseUrl ?? '', request.model)
      ? withTemplateSwitch(request, adjustment)
      : adjustment
  }
}

/** The checks of the rules of models, and its own. */
const leavesPlain =
  ({ name, adjust, leavesPlain: own }: CompatibleOptions): NonNullable<Provider['leavesPlain']> =>
  (place) => {
    const ofModel = plainByModelRules(place, name)
    const further = adjust === undefined ? [] : own?.(place)
    return ofModel === undefined || further === undefined ? undefined : [...ofModel, ...further]
  }

/** Makes an OpenAI-compatible provider. */
export const compatible = (options: CompatibleOptions): Provider => ({
  type: options.type,
  name: options.name,
  console: {
    label: options.label,
    color: options.color,
    key_hint: options.keyHint ?? genericKeyHint,
    fields: options.fields ?? [],
    ...(options.note === undefined ? {} : { note: options.note }),
  },
  baseUrl: options.baseUrl,
  models: options.models,
  owner: options.owner,
  streamOptions: options.streamOptions ?? false,
  ...languagesOf(options),
  otherCalls: true,
  countsTokens: options.responses ?? false,
  url: options.url ?? defaultUrl,
  headers: options.headers ?? bearer,
  modelList: options.modelList === false ? undefined : (options.modelList ?? defaultModelList),
  adjust: adjustmentOf(options),
  leavesPlain: leavesPlain(options),
  ...(options.freshHead === undefined ? {} : { freshHead: options.freshHead }),
  ...(options.refusesStreamOptions === undefined ? {} : { refusesStreamOptions: options.refusesStreamOptions }),
  ...(options.infills === undefined ? {} : { infills: options.infills }),
  ...(options.billsAborted === undefined ? {} : { billsAborted: options.billsAborted }),
  ...(options.takesCacheKey === undefined ? {} : { takesCacheKey: options.takesCacheKey }),
})
