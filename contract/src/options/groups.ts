import { z } from 'zod'
import type { CacheMarking } from '../channels/channel-rules.ts'
import { type ChannelChoice, channelChoices } from '../channels/route-choices.ts'
import { defaultGroupRatios, defaultUserUsableGroups } from '../prices.ts'
import { longestModelName } from '../sizes.ts'
import { integer, json, list, section } from './kinds.ts'
import { ratioMap } from './ratio-map.ts'

const modelName = z.string().trim().min(1).max(longestModelName)
const isDay = (text: string): boolean => {
  const at = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text)
}
const modelEnd = z.strictObject({
  /** A day (UTC), as `2026-12-31`. */
  ends: z
    .string()
    .regex(/^\d{4}-\d\d-\d\d$/)
    .refine(isDay),
  replaced_by: modelName.optional(),
})
type ModelEnd = z.output<typeof modelEnd>

export const groups = section({
  name: 'groups',
  tab: 'operation',
  title: { zh: '分组设置', en: 'Groups' },
  options: {
    GroupRatio: ratioMap({
      // Without any group no call would be served.
      least: 1,
      fallback: defaultGroupRatios,
      allowed: { zh: '{ 分组: 不小于 0 的倍率 }', en: '{ group: ratio of at least 0 }' },
      label: { zh: '分组倍率', en: 'Group ratio' },
      help: {
        zh: '各分组的价格倍率；只有列在这里的分组才存在',
        en: 'Price multiplier of each group. Only groups listed here exist.',
      },
    }),
    UserUsableGroups: json<Readonly<Record<string, string>>>({
      fallback: defaultUserUsableGroups,
      schema: z.record(z.string().min(1), z.string()),
      allowed: { zh: '{ 分组: 描述 }', en: '{ group: description }' },
      label: { zh: '用户可选分组', en: 'Groups users can choose' },
      help: {
        zh: '分组名称与描述；用户自己所在的分组始终可选',
        en: 'Users can always choose their own group',
      },
    }),
    GroupChannelChoice: json<Readonly<Record<string, ChannelChoice>>>({
      fallback: {},
      schema: z.record(z.string().min(1), z.enum(channelChoices)),
      allowed: {
        zh: '{ 分组: priority、latency、cost 或 least_busy }',
        en: '{ group: priority, latency, cost or least_busy }',
      },
      label: { zh: '分组的渠道选择方式', en: 'Routing per group' },
      help: {
        zh: '同一优先级内：priority 按权重，latency 选首字最快，cost 选上游成本最低，least_busy 选进行中请求最少。默认 priority。',
        en: 'Within a priority: “priority” uses weights, “latency” the fastest first token, “cost” the lowest cost, “least_busy” the fewest calls in flight. Default: priority.',
      },
    }),
    GroupModelAliases: json<Readonly<Record<string, Readonly<Record<string, string>>>>>({
      fallback: {},
      schema: z.record(z.string().min(1), z.record(modelName, modelName)),
      allowed: { zh: '{ 分组: { 别名: 模型 } }', en: '{ group: { alias: model } }' },
      label: { zh: '分组的模型别名', en: 'Model aliases per group' },
      help: {
        zh: '分组用户可使用的模型别名。计费与日志按实际模型，日志同时显示别名。',
        en: 'Alternative model names for a group. Calls are billed and logged as the actual model; the log also shows the alias.',
      },
    }),
    ModelEndDates: json<Readonly<Record<string, ModelEnd>>>({
      fallback: {},
      schema: z.record(modelName, modelEnd),
      allowed: {
        zh: '{ 模型: { "ends": "2026-12-31", "replaced_by": "模型" } }',
        en: '{ model: { "ends": "2026-12-31", "replaced_by": "model" } }',
      },
      label: { zh: '模型停用日历', en: 'Model retirements' },
      help: {
        zh: '显示在模型页与价格页。自该日（UTC）起，改由 replaced_by 的模型响应；未填写则照常。',
        en: 'Shown on the model and pricing pages. From that day (UTC), replaced_by answers instead, if set.',
      },
    }),
    HedgedGroups: list({
      fallback: [],
      separator: ',',
      label: { zh: '启用并行请求的分组', en: 'Groups with hedging' },
      help: {
        zh: '流式请求首字晚于该渠道与模型的 p95 时，同时请求第二个渠道，采用先响应的一方。用户只付一次，多出的成本由站点承担。',
        en: 'Hedge slow streams: start a second channel when the first token is later than p95. The faster one answers. Users pay once; the site pays the extra cost.',
      },
    }),
    HedgingCostPerHour: integer({
      fallback: 500_000,
      min: 0,
      unit: 'quota',
      label: { zh: '并行请求每小时成本上限', en: 'Hedging cost limit per hour' },
      help: {
        zh: '达到后，本小时（UTC）暂停并行请求；0 表示不限',
        en: 'Hedging pauses until the hour (UTC) ends. 0: no limit.',
      },
    }),
    HedgingCostPerDay: integer({
      fallback: 5_000_000,
      min: 0,
      unit: 'quota',
      label: { zh: '并行请求每日成本上限', en: 'Hedging cost limit per day' },
      help: {
        zh: '达到后，当日（UTC）暂停并行请求；0 表示不限',
        en: 'Hedging pauses until the day (UTC) ends. 0: no limit.',
      },
    }),
    GroupCacheMarks: json<Readonly<Record<string, CacheMarking>>>({
      fallback: {},
      // Not `cacheMarkings`: the console's files of options and of forms would need each other.
      schema: z.record(z.string().min(1), z.enum(['off', '5m', '1h'] satisfies CacheMarking[])),
      allowed: { zh: '{ 分组: off、5m 或 1h }', en: '{ group: off, 5m or 1h }' },
      label: { zh: '自动提示缓存', en: 'Automatic prompt caching' },
      help: {
        zh: '客户端未设置时，为 Claude 模型（Anthropic、Bedrock、Vertex）添加 cache_control。写入缓存的价格为输入的 1.25 倍（5m）或 2 倍（1h）。* 匹配其他分组；渠道的 cache_marks 优先。',
        en: 'Adds cache_control for Claude models (Anthropic, Bedrock, Vertex) if the client sets none. Cache writes cost 1.25× input (5m) or 2× (1h). * matches other groups; a channel’s cache_marks wins.',
      },
    }),
  },
})
