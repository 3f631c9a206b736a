import { compatible } from '../dialects/openai.ts'

/** The channel's address is the whole URL; every `{model}` in it is replaced. */
export const custom = compatible({
  type: 8,
  name: 'Custom',
  label: { zh: '自定义渠道', en: 'Custom' },
  color: 'pink',
  baseUrl: '',
  owner: 'custom',
  models: [],
  // It may be anybody's, Google's own too.
  habits: { callSignatures: true },
  fields: [
    {
      column: 'base_url',
      label: { zh: '完整的 Base URL，支持变量{model}', en: 'Complete Base URL, supports variable {model}' },
      placeholder: 'https://host.example/v1/chat/completions',
      required: true,
    },
  ],
  url: ({ channel, model }) => channel.baseUrl.replaceAll('{model}', encodeURI(model)),
  modelList: false,
})
