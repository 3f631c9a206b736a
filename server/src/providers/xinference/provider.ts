import { compatible } from '../dialects/openai.ts'

export const xinference = compatible({
  type: 47,
  name: 'Xinference',
  label: { zh: 'Xinference', en: 'Xinference' },
  color: 'blue',
  baseUrl: '',
  owner: 'xinference',
  streamOptions: true,
  engines: 'always',
  models: ['bge-reranker-v2-m3', 'jina-reranker-v2'],
  fields: [
    {
      column: 'base_url',
      label: { zh: '服务地址', en: 'Service URL' },
      placeholder: 'http://localhost:9997',
      required: true,
    },
  ],
})
