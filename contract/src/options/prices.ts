import { defaultModelPrices, defaultTierRatios, defaultToolPrices } from '../prices.ts'
import { flag, section } from './kinds.ts'
import { ratioMap } from './ratio-map.ts'

const allowed = { zh: '{ 模型: 不小于 0 的数字 }', en: '{ model: number of at least 0 }' }

const longKeys = {
  zh: '{ token 数:模型 或 token 数:前缀*: 不小于 0 的数字 }',
  en: '{ tokens:model or tokens:prefix*: number of at least 0 }',
}

export const prices = section({
  name: 'prices',
  tab: 'prices',
  title: { zh: '模型价格', en: 'Model prices' },
  options: {
    PriceListsEnabled: flag({
      // A database that an earlier version has used stores that it is off.
      fallback: true,
      label: { zh: '价格表', en: 'Price lists' },
      help: {
        zh: '未设置价格的模型按内置价格表（美元）计费；关闭后只有下面设置了倍率或价格的模型可用。新安装默认开启，从旧版本升级的站点默认关闭，升级不改变任何收费',
        en: 'Models without a price of yours cost what the price lists say, in dollars; when off, only models with a ratio or price below can be called. On in new installations, off after an upgrade, so that an upgrade changes no charge',
      },
    }),
    ProvisionalModelsEnabled: flag({
      fallback: true,
      label: { zh: '新模型暂按同系列计费', en: 'New models of known families' },
      help: {
        zh: '价格表还没有的新模型（如 gpt-6.3-astra）按同系列最新模型的价格暂计并标记，有价格后自动更正，只退不补；关闭后这类模型在有价格之前不可调用',
        en: 'A model that no list names yet, such as gpt-6.3-astra, costs what the newest of its family does, is marked, and is corrected by itself once it has a price, never upwards; when off, such models are refused until they have a price',
      },
    }),
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
      fallback: {},
      allowed,
      label: { zh: '模型倍率', en: 'Model ratio' },
      help: {
        zh: '倍率 1 表示每 1000 个输入 token 0.002 美元；未列出的模型按内置价格表计费',
        en: 'Ratio 1 is 0.002 dollars per 1000 prompt tokens; models that are not named cost what the price list says',
      },
    }),
    CacheRatio: ratioMap({
      fallback: {},
      allowed,
      label: { zh: '提示缓存倍率', en: 'Cached-input ratio' },
      help: {
        zh: '命中缓存的输入 token 相对普通输入的倍率；缺省取价格表，价格表没有时为 1',
        en: 'Prompt tokens read from the cache relative to plain ones; when missing, what the price list says, else 1',
      },
    }),
    CompletionRatio: ratioMap({
      fallback: {},
      allowed,
      label: { zh: '模型补全倍率', en: 'Completion ratio' },
      help: {
        zh: '输出 token 相对输入的倍率；缺省取价格表',
        en: 'Completion tokens relative to prompt tokens; when missing, what the price list says',
      },
    }),
    AudioRatio: ratioMap({
      fallback: {},
      allowed,
      label: { zh: '音频输入倍率', en: 'Audio-input ratio' },
      help: {
        zh: '音频输入 token 相对文本输入的倍率；缺省取价格表，价格表没有时为 1',
        en: 'Audio prompt tokens relative to text ones; when missing, what the price list says, else 1',
      },
    }),
    AudioCompletionRatio: ratioMap({
      fallback: {},
      allowed,
      label: { zh: '音频补全倍率', en: 'Audio-completion ratio' },
      help: {
        zh: '音频输出 token 相对音频输入的倍率；缺省取价格表，价格表没有时按音频输入与文本输出中较贵者计费',
        en: 'Audio completion tokens relative to audio prompt ones; when missing, what the price list says, else what audio input or text output costs, whichever is dearer',
      },
    }),
    CacheWriteRatio: ratioMap({
      fallback: {},
      allowed,
      label: { zh: '缓存写入倍率', en: 'Cache-write ratio' },
      help: {
        zh: '写入 5 分钟缓存的输入 token 相对普通输入的倍率；缺省取价格表，价格表没有时为 1.25',
        en: 'Prompt tokens written to the cache for five minutes, relative to plain ones; when missing, what the price list says, else 1.25',
      },
    }),
    CacheWrite1hRatio: ratioMap({
      fallback: {},
      allowed,
      label: { zh: '缓存写入倍率（1 小时）', en: 'Cache-write ratio (1 hour)' },
      help: {
        zh: '写入 1 小时缓存的输入 token 相对普通输入的倍率；缺省取价格表，价格表没有时为 2',
        en: 'Prompt tokens written to the cache for an hour, relative to plain ones; when missing, what the price list says, else 2',
      },
    }),
    ReasoningRatio: ratioMap({
      fallback: {},
      allowed,
      label: { zh: '思考倍率', en: 'Reasoning ratio' },
      help: {
        zh: '思考 token 相对普通输入的倍率；缺省与输出相同，除非价格表另有价格',
        en: 'Reasoning tokens relative to plain prompt tokens; when missing they cost what output does, unless the price list has a price for them',
      },
    }),
    ImageRatio: ratioMap({
      fallback: {},
      allowed,
      label: { zh: '图片输入倍率', en: 'Image-input ratio' },
      help: {
        zh: '图片输入 token 相对文本输入的倍率；缺省与文本相同，除非价格表另有价格',
        en: 'Image prompt tokens relative to text ones; when missing they cost what text does, unless the price list has a price for them',
      },
    }),
    ImageCompletionRatio: ratioMap({
      fallback: {},
      allowed,
      label: { zh: '图片输出倍率', en: 'Image-output ratio' },
      help: {
        zh: '图片输出 token 相对文本输入的倍率；缺省与输出相同，除非价格表另有价格',
        en: 'Image completion tokens relative to text prompt tokens; when missing they cost what output does, unless the price list has a price for them',
      },
    }),
    LongPromptRatio: ratioMap({
      fallback: {},
      allowed: longKeys,
      label: { zh: '长上下文输入倍率', en: 'Long-prompt ratio' },
      help: {
        zh: '输入超过所写 token 数时，整次调用的输入价格乘以此倍率（如 200000:my-model: 2），替代价格表的长上下文价格',
        en: 'Factor of everything in a prompt of more than so many tokens (200000:my-model: 2); replaces the long-context prices of the price list',
      },
    }),
    LongCompletionRatio: ratioMap({
      fallback: {},
      allowed: longKeys,
      label: { zh: '长上下文输出倍率', en: 'Long-prompt completion ratio' },
      help: {
        zh: '输入超过所写 token 数时，输出价格乘以此倍率；缺省为 1',
        en: 'Factor of what is written in answer to a prompt of more than so many tokens; 1 when missing',
      },
    }),
    MeasurePrices: ratioMap({
      fallback: {},
      allowed: {
        zh: '{ minute:模型、million_characters:模型、page:模型、query:模型、picture:模型、request:模型 或以 前缀* 结尾: 不小于 0 的数字 }',
        en: '{ minute:model, million_characters:model, page:model, query:model, picture:model, request:model, or with prefix*: number of at least 0 }',
      },
      label: { zh: '按量单价', en: 'Prices by measure' },
      help: {
        zh: '每分钟音视频、每百万字符、每页、每次检索、每张图片、每次请求的美元价格；优先于价格表',
        en: 'Dollars per minute of sound or video, per million characters, page, query, picture or request; win over the price list',
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
