import { address, choice, integer, section } from './kinds.ts'

const hoursOfMonth = 24 * 31

export const priceSync = section({
  name: 'price-sync',
  tab: 'prices',
  title: { zh: '价格表同步', en: 'Price list sync' },
  note: {
    zh: '定时与来源比较会产生提案，在“价格表”中决定；新模型可按下面的选项自动生效。没有网络时一切照常。',
    en: 'Comparisons make proposals, which are decided under “Price lists”; new models may count by themselves, as chosen below. Without a network everything works as it is.',
  },
  options: {
    PriceSyncHours: integer({
      fallback: 24,
      min: 0,
      max: hoursOfMonth,
      label: { zh: '同步间隔（小时）', en: 'Hours between comparisons' },
      help: { zh: '0 表示不自动同步', en: '0 means never by itself' },
    }),
    PriceSyncSource: choice({
      fallback: 'public',
      choices: [
        { value: 'public', label: { zh: '全部公开价格表', en: 'All public lists' } },
        { value: 'catalogue', label: { zh: 'genai-prices 目录', en: 'The genai-prices catalogue' } },
        { value: 'litellm', label: { zh: 'LiteLLM', en: 'LiteLLM' } },
        { value: 'models_dev', label: { zh: 'models.dev', en: 'models.dev' } },
        { value: 'openrouter', label: { zh: 'OpenRouter', en: 'OpenRouter' } },
        { value: 'panel', label: { zh: '另一个面板的价格页', en: 'The price page of another panel' } },
      ],
      label: { zh: '来源', en: 'Source' },
    }),
    PriceSyncAddress: address({
      fallback: '',
      label: { zh: '来源地址', en: 'Address of the source' },
      help: {
        zh: '留空使用该来源的公开地址；面板必须填写',
        en: 'Empty for the public address of the source; another panel needs one',
      },
    }),
    PriceSyncApply: choice({
      fallback: 'agreed',
      choices: [
        { value: 'agreed', label: { zh: '两个来源一致的新模型', en: 'New models on which two sources agree' } },
        { value: 'nothing', label: { zh: '全部由管理员决定', en: 'Nothing without a decision' } },
        { value: 'new', label: { zh: '仅新增模型', en: 'New models only' } },
        { value: 'plausible', label: { zh: '没有疑点的提案', en: 'Proposals without doubts' } },
      ],
      label: { zh: '自动生效', en: 'Applied by itself' },
      help: {
        zh: '使用中模型的价格变化默认等待管理员决定；提案中只要有一项被拦截，就整体等待',
        en: 'Changed prices of models in use wait for a decision, except for proposals without doubts where you choose so; a proposal with a change that is held back waits as a whole',
      },
    }),
  },
})
