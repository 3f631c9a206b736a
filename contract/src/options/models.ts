import { z } from 'zod'
import { role } from '../accounts/access.ts'
import { choice, decimal, flag, integer, json, list, section } from './kinds.ts'

/** The entry `default` is always present, even if the saved text lacks it. */
const withDefault = <V>(value: z.ZodType<V>, fallback: V): z.ZodType<Readonly<Record<string, V>>> =>
  z.record(z.string().min(1), value).transform((map) => ({ default: fallback, ...map }))

export const globalModels = section({
  name: 'global-models',
  tab: 'models',
  title: { zh: '全局设置', en: 'All models' },
  options: {
    'global.pass_through_request_enabled': flag({
      fallback: false,
      label: { zh: '启用请求透传', en: 'Pass requests through' },
      help: {
        zh: '请求体原样发给上游；模型重定向、渠道适配等功能失效',
        en: 'Bodies go upstream untouched; model redirection and channel adaptation stop working',
      },
      risk: {
        zh: '所有请求将直接透传给上游，不会进行任何处理（重定向和渠道适配也将失效），请谨慎开启',
        en: 'Every request will go upstream as it is, without redirection or adaptation to the channel',
      },
    }),
    StrictConversionGroups: list({
      fallback: [],
      separator: ',',
      label: { zh: '拒绝有损转换的分组', en: 'Strict conversion' },
      help: {
        zh: '请求需要转换成上游的协议、而其中的字段无法表达时，这些分组的请求会被拒绝；其他分组照常转发，并在响应头与日志中列出丢失的字段',
        en: 'Rejects requests of these groups that the provider cannot fully represent; for other groups a header and the log name the dropped fields',
      },
    }),
    RequestModelMembers: choice({
      fallback: 'refuse',
      choices: [
        { value: 'refuse', label: { zh: '拒绝请求', en: 'Refuse the request' } },
        { value: 'remove', label: { zh: '移除字段后转发', en: 'Remove the members' } },
        { value: 'models', label: { zh: '拒绝，但允许选择托管方', en: 'Refuse, but let hosts be chosen' } },
      ],
      label: { zh: '请求中另指的模型或路由', en: 'Other models and routes in requests' },
      help: {
        zh: '请求体中 model 以外指定模型或路由的字段（models、fallbacks、工具的 model、provider、preset 等）按 model 同样检查；不允许的请求被拒绝，或移除这些字段并在响应头与日志中列出',
        en: 'Members beside model that name models or choose a route (models, fallbacks, model of a tool, provider, preset …) are checked like model; what is not allowed refuses the request, or is removed and named in a header and the log',
      },
    }),
    StoredResponseDays: integer({
      fallback: 30,
      min: 0,
      max: 3650,
      label: { zh: '保存回答与对话的天数', en: 'Days to store responses' },
      help: {
        zh: '供 previous_response_id、conversation 与 store 使用：加密保存，仅创建它的令牌可见，到期删除；0 表示不保存',
        en: 'For previous_response_id, conversation and store: encrypted, seen by the key that made them only, deleted in time; 0 stores nothing',
      },
    }),
    GroupsWithoutStorage: list({
      fallback: [],
      separator: ',',
      label: { zh: '不保存回答的分组', en: 'Groups without storage' },
      help: {
        zh: '不为这些分组保存任何回答与对话',
        en: 'No response and no conversation of these groups is stored',
      },
    }),
    StreamOnClientGone: choice({
      fallback: 'cancel',
      choices: [
        { value: 'cancel', label: { zh: '取消上游请求', en: 'Cancel the upstream call' } },
        { value: 'finish', label: { zh: '读完上游回答', en: 'Read the upstream to its end' } },
      ],
      label: { zh: '客户端断开时', en: 'On client disconnect' },
      help: {
        zh: '两种方式都按已产生的内容计费；读完才能得到上游给出的准确用量',
        en: 'Both bill what was produced; reading to the end gets the exact usage from the upstream',
      },
    }),
  },
})

export const gemini = section({
  name: 'gemini',
  tab: 'models',
  title: { zh: 'Gemini 设置', en: 'Gemini' },
  options: {
    'gemini.safety_settings': json<Readonly<Record<string, string>>>({
      fallback: { default: 'OFF', HARM_CATEGORY_CIVIC_INTEGRITY: 'BLOCK_NONE' },
      schema: withDefault(z.string().regex(/^[A-Z_]+$/), 'OFF'),
      allowed: { zh: '{ 类别: 阈值 }，阈值为大写字母', en: '{ category: THRESHOLD }' },
      label: { zh: 'Gemini 安全设置', en: 'Safety settings' },
      help: {
        zh: 'default 为默认阈值，可为每个类别单独设置',
        en: 'Threshold per category; "default" is used for the others',
      },
    }),
    'gemini.version_settings': json<Readonly<Record<string, string>>>({
      fallback: { default: 'v1beta', 'gemini-1.0-pro': 'v1' },
      schema: withDefault(z.string().regex(/^v[0-9a-z]+$/), 'v1beta'),
      allowed: { zh: '{ 模型: 版本 }，如 v1beta', en: '{ model: version such as v1beta }' },
      label: { zh: 'Gemini 版本设置', en: 'API versions' },
      help: {
        zh: 'default 为默认版本，可为每个模型单独设置',
        en: 'Version per model; "default" is used for the others',
      },
    }),
  },
})

export const claude = section({
  name: 'claude',
  tab: 'models',
  title: { zh: 'Claude 设置', en: 'Claude' },
  note: {
    zh: '思考适配：BudgetTokens = MaxTokens × BudgetTokens 百分比',
    en: 'Thinking adapter: budget tokens = max tokens × percentage',
  },
  options: {
    'claude.model_headers_settings': json<Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>>({
      fallback: {},
      see: role.root,
      schema: z.record(
        z.string().min(1),
        z.record(z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/), z.array(z.string().regex(/^[\t\x20-\x7e]*$/))),
      ),
      allowed: { zh: '{ 模型: { 请求头: [值, …] } }', en: '{ model: { header: [value, …] } }' },
      label: { zh: 'Claude 请求头覆盖', en: 'Request headers' },
      help: {
        zh: '示例：{"claude-3-7-sonnet-20250219-thinking": {"anthropic-beta": ["output-128k-2025-02-19"]}}',
        en: 'Headers replaced on calls of a model, e.g. {"claude-3-7-sonnet-20250219-thinking": {"anthropic-beta": ["output-128k-2025-02-19"]}}',
      },
    }),
    'claude.default_max_tokens': json<Readonly<Record<string, number>>>({
      fallback: { default: 8_192 },
      schema: withDefault(z.int().min(1), 8_192),
      allowed: { zh: '{ 模型: 正整数 }', en: '{ model: whole number of at least 1 }' },
      label: { zh: '缺省 MaxTokens', en: 'Default max tokens' },
      help: {
        zh: '示例：{"default": 8192, "claude-3-haiku-20240307": 4096}',
        en: 'Used when a request names none, e.g. {"default": 8192, "claude-3-haiku-20240307": 4096}',
      },
    }),
    'claude.thinking_adapter_enabled': flag({
      fallback: true,
      label: { zh: '启用 Claude 思考适配（-thinking 后缀）', en: 'Thinking adapter (suffix -thinking)' },
      help: {
        zh: '模型名以 -thinking 结尾时开启思考',
        en: 'A model name that ends in -thinking turns thinking on',
      },
    }),
    'claude.thinking_adapter_budget_tokens_percentage': decimal({
      fallback: 0.8,
      min: 0.1,
      max: 1,
      label: { zh: '思考适配 BudgetTokens 百分比', en: 'Share of max tokens for thinking' },
      help: { zh: '0.1 到 1 之间的小数', en: 'From 0.1 to 1' },
    }),
  },
})
