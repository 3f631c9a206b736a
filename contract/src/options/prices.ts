import {
  defaultAudioCompletionRatios,
  defaultAudioRatios,
  defaultCacheRatios,
  defaultCompletionRatios,
  defaultModelPrices,
  defaultModelRatios,
  defaultTierRatios,
  defaultToolPrices,
} from '../prices.ts'
import { section } from './kinds.ts'
import { ratioMap } from './ratio-map.ts'

const allowed = { zh: '{ 模型: 不小于 0 的数字 }', en: '{ model: number of at least 0 }' }

export const prices = section({
  tab: 'operation',
  title: { zh: '模型倍率设置', en: 'Model prices' },
  options: {
    ModelPrice: ratioMap({
      fallback: defaultModelPrices,
      allowed,
      label: { zh: '模型固定价格', en: 'Fixed price per call' },
      help: {
        zh: '一次调用消耗多少美元，优先级大于模型倍率',
        en: 'Dollars per call; wins over the model ratio',
      },
    }),
    ModelRatio: ratioMap({
      fallback: defaultModelRatios,
      allowed,
      label: { zh: '模型倍率', en: 'Model ratio' },
      help: {
        zh: '倍率 1 表示每 1000 个输入 token 0.002 美元',
        en: 'Ratio 1 is 0.002 dollars per 1000 prompt tokens',
      },
    }),
    CacheRatio: ratioMap({
      fallback: defaultCacheRatios,
      allowed,
      label: { zh: '提示缓存倍率', en: 'Cached-input ratio' },
      help: {
        zh: '命中缓存的输入 token 相对普通输入的倍率，缺省为 1',
        en: 'Prompt tokens read from the cache relative to plain ones; 1 when missing',
      },
    }),
    CompletionRatio: ratioMap({
      fallback: defaultCompletionRatios,
      allowed,
      label: { zh: '模型补全倍率（仅对自定义模型有效）', en: 'Completion ratio (custom models only)' },
      help: {
        zh: '输出 token 相对输入的倍率；已内置倍率的模型不受影响',
        en: 'Completion tokens relative to prompt tokens; models with a built-in ratio keep theirs',
      },
    }),
    AudioRatio: ratioMap({
      fallback: defaultAudioRatios,
      allowed,
      label: { zh: '音频输入倍率', en: 'Audio-input ratio' },
      help: {
        zh: '音频输入 token 相对文本输入的倍率，缺省为 1',
        en: 'Audio prompt tokens relative to text ones; 1 when missing',
      },
    }),
    AudioCompletionRatio: ratioMap({
      fallback: defaultAudioCompletionRatios,
      allowed,
      label: { zh: '音频补全倍率', en: 'Audio-completion ratio' },
      help: {
        zh: '音频输出 token 相对音频输入的倍率；缺省时按音频输入与文本输出中较贵者计费',
        en: 'Audio completion tokens relative to audio prompt ones; when missing they cost what audio input or text output costs, whichever is dearer',
      },
    }),
    ToolPrices: ratioMap({
      fallback: defaultToolPrices,
      allowed: {
        zh: '{ 工具、工具:模型 或 工具:前缀*: 不小于 0 的数字 }',
        en: '{ tool, tool:model or tool:prefix*: number of at least 0 }',
      },
      label: { zh: '内置工具价格', en: 'Prices of built-in tools' },
      help: {
        zh: '上游内置工具（联网搜索等）每 1000 次调用的美元价格，按上游返回的次数计费；键中的模型是发给上游的模型（模型映射之后），最具体的键优先，未列出的工具免费',
        en: 'Dollars per 1000 calls of tools that run at the provider, such as web search, counted from its answer; models in keys are those that the upstream is asked for, after model mapping; the most specific key wins, and tools that are not named are free',
      },
    }),
    ServiceTierRatios: ratioMap({
      fallback: defaultTierRatios,
      allowed: {
        zh: '{ 层级、层级:模型 或 层级:前缀*: 不小于 0 的数字 }',
        en: '{ tier, tier:model or tier:prefix*: number of at least 0 }',
      },
      label: { zh: '服务层级倍率', en: 'Service tier ratios' },
      help: {
        zh: '按上游返回的服务层级（flex、priority 等）乘以 token 价格；最具体的键优先，未列出的层级按 1 计，不影响固定价格和工具价格',
        en: 'Factor of token prices by the service tier that answered (flex, priority …); the most specific key wins, tiers that are not named count 1. Fixed prices and tools keep theirs',
      },
    }),
  },
})
