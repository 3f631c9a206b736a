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
        zh: '未设置价格的模型按内置价格表（美元）计费；关闭后只能调用下面设置了价格或倍率的模型。新安装默认开启，升级的站点默认关闭。',
        en: 'Bill models you haven’t priced at list price (USD). If off, only models with a price or ratio below can be called. On for new installations, off after an upgrade.',
      },
    }),
    ProvisionalModelsEnabled: flag({
      fallback: true,
      label: { zh: '新模型暂按同系列计费', en: 'Provisional prices for new models' },
      help: {
        zh: '价格表中还没有的新模型（如 gpt-6.3-astra）暂按同系列最新模型计费，有价格后自动退还多收的金额，只退不补。关闭后，这类模型在有价格之前不可调用。',
        en: 'Models not in the price list yet, such as gpt-6.3-astra, are billed like the newest model of their family. Once a price is known, overcharges are refunded; nothing is charged later. If off, such models are rejected until they have a price.',
      },
    }),
    ModelPrice: ratioMap({
      fallback: defaultModelPrices,
      allowed,
      label: { zh: '模型固定价格', en: 'Fixed price per call' },
      help: {
        zh: '每次调用的价格（美元），优先于模型倍率',
        en: 'USD per call. Overrides the model ratio.',
      },
    }),
    ModelRatio: ratioMap({
      fallback: {},
      allowed,
      label: { zh: '模型倍率', en: 'Model ratio' },
      help: {
        zh: '1 表示每 1000 个输入 Token 0.002 美元；未列出的模型按价格表计费',
        en: '1 = $0.002 per 1K input tokens. Other models are billed at list price.',
      },
    }),
    CacheRatio: ratioMap({
      fallback: {},
      allowed,
      label: { zh: '提示缓存倍率', en: 'Cached-input ratio' },
      help: {
        zh: '缓存命中的输入相对普通输入的倍率。缺省取价格表，否则为 1。',
        en: 'Cached input relative to input. Default: price list, else 1.',
      },
    }),
    CompletionRatio: ratioMap({
      fallback: {},
      allowed,
      label: { zh: '模型补全倍率', en: 'Completion ratio' },
      help: {
        zh: '输出相对输入的倍率。缺省取价格表。',
        en: 'Output relative to input. Default: price list.',
      },
    }),
    AudioRatio: ratioMap({
      fallback: {},
      allowed,
      label: { zh: '音频输入倍率', en: 'Audio-input ratio' },
      help: {
        zh: '音频输入相对文本输入的倍率。缺省取价格表，否则为 1。',
        en: 'Audio input relative to text input. Default: price list, else 1.',
      },
    }),
    AudioCompletionRatio: ratioMap({
      fallback: {},
      allowed,
      label: { zh: '音频补全倍率', en: 'Audio-completion ratio' },
      help: {
        zh: '音频输出相对音频输入的倍率。缺省取价格表，否则取音频输入与文本输出中较高的价格。',
        en: 'Audio output relative to audio input. Default: price list, else the price of audio input or text output, whichever is higher.',
      },
    }),
    CacheWriteRatio: ratioMap({
      fallback: {},
      allowed,
      label: { zh: '缓存写入倍率', en: 'Cache-write ratio' },
      help: {
        zh: '5 分钟缓存写入相对输入的倍率。缺省取价格表，否则为 1.25。',
        en: '5-minute cache writes relative to input. Default: price list, else 1.25.',
      },
    }),
    CacheWrite1hRatio: ratioMap({
      fallback: {},
      allowed,
      label: { zh: '缓存写入倍率（1 小时）', en: 'Cache-write ratio (1 hour)' },
      help: {
        zh: '1 小时缓存写入相对输入的倍率。缺省取价格表，否则为 2。',
        en: '1-hour cache writes relative to input. Default: price list, else 2.',
      },
    }),
    ReasoningRatio: ratioMap({
      fallback: {},
      allowed,
      label: { zh: '思考倍率', en: 'Reasoning ratio' },
      help: {
        zh: '思考 Token 相对输入的倍率。缺省取价格表，否则与输出同价。',
        en: 'Reasoning tokens relative to input. Default: price list, else the output price.',
      },
    }),
    ImageRatio: ratioMap({
      fallback: {},
      allowed,
      label: { zh: '图片输入倍率', en: 'Image-input ratio' },
      help: {
        zh: '图片输入相对文本输入的倍率。缺省取价格表，否则与文本同价。',
        en: 'Image input relative to text input. Default: price list, else the text price.',
      },
    }),
    ImageCompletionRatio: ratioMap({
      fallback: {},
      allowed,
      label: { zh: '图片输出倍率', en: 'Image-output ratio' },
      help: {
        zh: '图片输出相对文本输入的倍率。缺省取价格表，否则与输出同价。',
        en: 'Image output relative to text input. Default: price list, else the output price.',
      },
    }),
    LongPromptRatio: ratioMap({
      fallback: {},
      allowed: longKeys,
      label: { zh: '长上下文输入倍率', en: 'Long-prompt ratio' },
      help: {
        zh: '输入超过指定 Token 数时，输入价格乘以此倍率（如 200000:my-model: 2），替代价格表的长上下文价格',
        en: 'Multiplies the input price of calls above a prompt length (200000:my-model: 2). Replaces long-context list prices.',
      },
    }),
    LongCompletionRatio: ratioMap({
      fallback: {},
      allowed: longKeys,
      label: { zh: '长上下文输出倍率', en: 'Long-prompt completion ratio' },
      help: {
        zh: '输入超过指定 Token 数时，输出价格乘以此倍率，缺省为 1',
        en: 'Multiplies the output price of calls above a prompt length. Default: 1.',
      },
    }),
    MeasurePrices: ratioMap({
      fallback: {},
      allowed: {
        zh: '{ minute:模型、million_characters:模型、page:模型、query:模型、picture:模型、request:模型 或以 前缀* 结尾: 不小于 0 的数字 }',
        en: '{ minute:model, million_characters:model, page:model, query:model, picture:model, request:model, or with prefix*: number of at least 0 }',
      },
      label: { zh: '按量单价', en: 'Prices per unit' },
      help: {
        zh: '每分钟音视频、每百万字符、每页、每次检索、每张图片或每次请求的价格（美元），优先于价格表',
        en: 'USD per minute of audio or video, per million characters, page, query, image or request. Overrides the price list.',
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
        zh: '上游内置工具（如联网搜索）每 1000 次调用的价格（美元），次数以上游返回为准。模型名为映射后的名称，最具体的键优先。未列出的工具免费。',
        en: 'USD per 1,000 calls of provider-side tools such as web search, as reported by the provider. Model names are those after model mapping; the most specific key wins. Tools not listed are free.',
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
        zh: '按实际使用的服务层级（flex、priority 等）乘以 Token 价格，最具体的键优先，缺省为 1。不影响固定价格和工具价格。',
        en: 'Multiplies token prices by the service tier used (flex, priority …). The most specific key wins. Default: 1. Doesn’t apply to fixed prices and tools.',
      },
    }),
  },
})
