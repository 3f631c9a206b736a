import { compatible } from '../dialects/openai.ts'
import type { Provider } from '../provider.ts'

const knowledgeBase = compatible({
  type: 22,
  name: 'FastGPT',
  label: { zh: '知识库：FastGPT', en: 'Knowledge base: FastGPT' },
  color: 'blue',
  baseUrl: 'https://fastgpt.run/api/openapi',
  owner: 'custom',
  models: [],
  keyHint: {
    zh: '按照如下格式输入：APIKey-AppId，例如：fastgpt-0sp2gtvfdgyi4k30jwlgwf1i-64f335d84283f05518e9e041',
    en: 'APIKey-AppId, for example fastgpt-0sp2gtvfdgyi4k30jwlgwf1i-64f335d84283f05518e9e041',
  },
  fields: [{ column: 'base_url', label: { zh: '私有部署地址', en: 'Base URL of your deployment' } }],
})

export const fastgpt: Provider = { ...knowledgeBase, addsContext: true }
