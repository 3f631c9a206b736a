import { defineMessages } from '../../lib/i18n.ts'

/** Texts of the choice of a provider. */
export const useProviderMessages = defineMessages('providers', {
  zh: {
    search: '名称、模型或粘贴密钥',
    none: '没有匹配的提供商',
    noneText: '可选择「自定义渠道」并填写地址。',
    common: '常用',
    clouds: '云平台',
    hubs: '聚合与自建',
    found: '匹配的提供商',
    others: '其他',
    all: '显示全部 {{count}} 家，含绘图、语音与音乐',
    unusable: '暂不支持：{{reason}}',
    models: '{{count}} 个模型',
    withAddress: '填地址与密钥',
  },
  en: {
    search: 'Name, model, or paste a key',
    none: 'No provider matches',
    noneText: 'Choose “Custom” and fill in an address.',
    common: 'Common',
    clouds: 'Clouds',
    hubs: 'Aggregators and self-hosted',
    found: 'Matching providers',
    others: 'Others',
    all: 'Show all {{count}}, with images, speech and music',
    unusable: 'Not supported: {{reason}}',
    models_one: '1 model',
    models_other: '{{count}} models',
    withAddress: 'Address and key',
  },
})
