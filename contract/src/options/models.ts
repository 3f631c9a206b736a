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
        zh: '请求体原样转发；模型重定向与渠道适配失效',
        en: 'Request bodies are forwarded unchanged. Model mapping and channel conversion don’t apply.',
      },
      risk: {
        zh: '所有请求将原样转发，模型重定向与渠道适配失效，请谨慎开启',
        en: 'All requests will be forwarded unchanged, without model mapping or channel conversion',
      },
    }),
    StrictConversionGroups: list({
      fallback: [],
      separator: ',',
      label: { zh: '拒绝有损转换的分组', en: 'Strict conversion' },
      help: {
        zh: '请求含有上游协议不支持的字段时，拒绝这些分组的请求；其他分组照常转发，丢弃的字段列在响应头与日志中',
        en: 'Rejects requests from these groups that can’t be fully converted for the provider. For other groups, unsupported fields are dropped and listed in a response header and the log.',
      },
    }),
    RequestModelMembers: choice({
      fallback: 'refuse',
      choices: [
        { value: 'refuse', label: { zh: '拒绝请求', en: 'Reject the request' } },
        { value: 'remove', label: { zh: '移除字段后转发', en: 'Remove the fields' } },
        { value: 'models', label: { zh: '拒绝，但允许选择托管方', en: 'Reject, but allow choosing hosts' } },
      ],
      label: { zh: '请求中的其他模型与路由', en: 'Other models and routes in requests' },
      help: {
        zh: '除 model 外指定模型或路由的字段（models、fallbacks、工具的 model、provider、preset 等）与 model 同样检查。不允许时拒绝请求，或移除字段并列在响应头与日志中。',
        en: 'Fields other than model that name models or choose a route (models, fallbacks, tool models, provider, preset …) are checked like model. If not allowed, the request is rejected, or the fields are removed and listed in a response header and the log.',
      },
    }),
    StoredResponseDays: integer({
      fallback: 30,
      min: 0,
      max: 3650,
      label: { zh: '回答保留天数', en: 'Response retention (days)' },
      help: {
        zh: '供 previous_response_id、conversation 与 store 使用。加密保存，仅创建它的令牌可用。0 表示不保存。',
        en: 'For previous_response_id, conversation and store. Encrypted and available only to the API key that created them. 0 stores nothing.',
      },
    }),
    GroupsWithoutStorage: list({
      fallback: [],
      separator: ',',
      label: { zh: '不保存回答的分组', en: 'Groups without response storage' },
      help: {
        zh: '这些分组的回答与对话不保存',
        en: 'Responses and conversations of these groups are never stored',
      },
    }),
    StreamOnClientGone: choice({
      fallback: 'cancel',
      choices: [
        { value: 'cancel', label: { zh: '取消上游请求', en: 'Cancel the request' } },
        { value: 'finish', label: { zh: '读取完整回答', en: 'Read to the end' } },
      ],
      label: { zh: '客户端断开时', en: 'On client disconnect' },
      help: {
        zh: '两种方式都按已生成的内容计费；读取完整回答可得到上游返回的准确用量',
        en: 'Generated output is billed either way. Reading to the end gets exact usage from the provider.',
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
        zh: '各类别的阈值；default 适用于其余类别',
        en: 'Threshold per category. "default" applies to all others.',
      },
    }),
    'gemini.version_settings': json<Readonly<Record<string, string>>>({
      fallback: { default: 'v1beta', 'gemini-1.0-pro': 'v1' },
      schema: withDefault(z.string().regex(/^v[0-9a-z]+$/), 'v1beta'),
      allowed: { zh: '{ 模型: 版本 }，如 v1beta', en: '{ model: version such as v1beta }' },
      label: { zh: 'Gemini 版本设置', en: 'API versions' },
      help: {
        zh: '各模型的版本；default 适用于其余模型',
        en: 'Version per model. "default" applies to all others.',
      },
    }),
  },
})

export const claude = section({
  name: 'claude',
  tab: 'models',
  title: { zh: 'Claude 设置', en: 'Claude' },
  note: {
    zh: '用于 -thinking 后缀的模型：budget_tokens = max_tokens × 比例',
    en: 'For models with the -thinking suffix: budget_tokens = max_tokens × share',
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
        zh: '按模型设置请求头，例如 {"claude-3-7-sonnet-20250219-thinking": {"anthropic-beta": ["output-128k-2025-02-19"]}}',
        en: 'Headers to set per model, e.g. {"claude-3-7-sonnet-20250219-thinking": {"anthropic-beta": ["output-128k-2025-02-19"]}}',
      },
    }),
    'claude.default_max_tokens': json<Readonly<Record<string, number>>>({
      fallback: { default: 8_192 },
      schema: withDefault(z.int().min(1), 8_192),
      allowed: { zh: '{ 模型: 正整数 }', en: '{ model: whole number of at least 1 }' },
      label: { zh: '缺省 MaxTokens', en: 'Default max tokens' },
      help: {
        zh: '请求未设置 max_tokens 时使用，例如 {"default": 8192, "claude-3-haiku-20240307": 4096}',
        en: 'Used if a request doesn’t set max_tokens, e.g. {"default": 8192, "claude-3-haiku-20240307": 4096}',
      },
    }),
    'claude.thinking_adapter_enabled': flag({
      fallback: true,
      label: { zh: '启用 Claude 思考适配（-thinking 后缀）', en: 'Thinking adapter (suffix -thinking)' },
      help: {
        zh: '以 -thinking 结尾的模型名会开启思考',
        en: 'Models requested with the suffix -thinking use extended thinking',
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
