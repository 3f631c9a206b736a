import { defineMessages } from '../../lib/i18n.ts'

/** Words of the sheets of one model, and of several side by side. */
export const usePricingDetailMessages = defineMessages('pricing-details', {
  zh: {
    unknown: '没有这个模型',
    unknownText: '“{{name}}” 不在本站的模型列表中，可能已下架。',
    prices: '各分组的价格',
    sample: '调用示例',
    sampleText: '对话模型的示例，请将 sk-… 换成你的令牌。绘图、语音、向量等模型使用各自的接口。',
    tryIt: '在操练场试用',
    compare: '模型对比',
    details: '{{name}} 的详情',
    lowest: '最低',
    timesLowest: '最低价的 {{factor}} 倍',
    tooFew: '没有可对比的模型',
    gone: '不在列表中：{{names}}',
  },
  en: {
    unknown: 'Model not found',
    unknownText: '“{{name}}” isn’t offered on this site. It may have been removed.',
    prices: 'Prices by group',
    sample: 'Code sample',
    sampleText:
      'A sample for chat models: replace sk-… with your API key. Image, speech and embedding models have their own endpoints.',
    tryIt: 'Try in the playground',
    compare: 'Compare models',
    details: '{{name}} details',
    lowest: 'lowest',
    timesLowest: '{{factor}}× the lowest',
    tooFew: 'Nothing to compare',
    gone: 'Not in the list: {{names}}',
  },
})
