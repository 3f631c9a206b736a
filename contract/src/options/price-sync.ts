import { address, choice, integer, section } from './kinds.ts'

const hoursOfMonth = 24 * 31

export const priceSync = section({
  name: 'price-sync',
  tab: 'prices',
  title: { zh: '价格表同步', en: 'Price list sync' },
  note: {
    zh: '定时将价格与公开价格表比较。价格变化在“价格表”中审核，新模型可自动生效。',
    en: 'Compares your prices with public price lists. Review proposed changes under “Price lists”; new models can be applied automatically.',
  },
  options: {
    PriceSyncHours: integer({
      fallback: 24,
      min: 0,
      max: hoursOfMonth,
      label: { zh: '同步间隔（小时）', en: 'Sync interval (hours)' },
      help: { zh: '0 表示仅手动同步', en: '0: manual only' },
    }),
    PriceSyncSource: choice({
      fallback: 'public',
      choices: [
        { value: 'public', label: { zh: '全部公开价格表', en: 'All public lists' } },
        { value: 'catalogue', label: { zh: 'genai-prices', en: 'genai-prices' } },
        { value: 'litellm', label: { zh: 'LiteLLM', en: 'LiteLLM' } },
        { value: 'models_dev', label: { zh: 'models.dev', en: 'models.dev' } },
        { value: 'openrouter', label: { zh: 'OpenRouter', en: 'OpenRouter' } },
        { value: 'panel', label: { zh: '其他网关的价格页', en: 'Pricing page of another gateway' } },
      ],
      label: { zh: '来源', en: 'Source' },
    }),
    PriceSyncAddress: address({
      fallback: '',
      label: { zh: '来源 URL', en: 'Source URL' },
      help: {
        zh: '留空使用该来源的公开地址；其他网关必须填写',
        en: 'Empty: the public URL of the source. Required for another gateway.',
      },
    }),
    PriceSyncApply: choice({
      fallback: 'agreed',
      choices: [
        { value: 'agreed', label: { zh: '两个来源一致的新模型', en: 'New models if two sources agree' } },
        { value: 'nothing', label: { zh: '不自动生效（全部审核）', en: 'Nothing (review everything)' } },
        { value: 'new', label: { zh: '仅新增模型', en: 'New models only' } },
        { value: 'plausible', label: { zh: '没有警告的全部变化', en: 'All changes without warnings' } },
      ],
      label: { zh: '自动生效', en: 'Apply automatically' },
      help: {
        zh: '使用中模型的价格变化需要审核，除非选择“没有警告的全部变化”。提案中有一项需要审核时，整个提案都会等待。',
        en: 'Price changes of models in use always need review, unless “All changes without warnings” is selected. If one change needs review, its whole proposal waits.',
      },
    }),
  },
})
