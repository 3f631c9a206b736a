import { defaultCacheRatios, defaultCompletionRatios, defaultModelPrices, defaultModelRatios } from '../prices.ts'
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
  },
})
