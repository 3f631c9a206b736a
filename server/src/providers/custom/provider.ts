import { mistralInfill } from '../../dialects/media/infill.ts'
import { compatible } from '../dialects/openai.ts'

/** The channel's base URL is the whole address; every `{model}` in it is replaced by the model. */
export const custom = compatible({
  type: 8,
  name: 'Custom',
  label: { zh: '自定义渠道', en: 'Custom' },
  color: 'pink',
  baseUrl: '',
  owner: 'custom',
  models: [],
  streamOptions: true,
  engines: 'self_hosted',
  // The server may be any provider's, also Google's, which signs its tool calls.
  capabilities: { callSignatures: true },
  fields: [
    {
      column: 'base_url',
      label: { zh: '完整的 Base URL，支持变量{model}', en: 'Full base URL, supports {model}' },
      placeholder: 'https://host.example/v1/chat/completions',
      required: true,
    },
  ],
  url: ({ channel, model }) => channel.baseUrl.replaceAll('{model}', encodeURI(model)),
  infills: ({ baseUrl }) => (baseUrl.endsWith('/fim/completions') ? mistralInfill : undefined),
  modelList: false,
})
