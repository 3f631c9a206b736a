import { genericKeyHint } from './dialects/openai.ts'
import type { Provider } from './provider.ts'

/** A channel type that the console lists but that cannot be called, with the reason. */
export interface UnbuiltProvider extends Pick<Provider, 'type' | 'name' | 'console' | 'baseUrl' | 'models' | 'owner'> {
  readonly reason: { readonly zh: string; readonly en: string }
}

/** Channel types that cannot be called. */
export const unbuiltProviders: readonly UnbuiltProvider[] = [
  {
    type: 21,
    name: 'AIProxyLibrary',
    console: {
      label: { zh: '知识库：AI Proxy', en: 'Knowledge base: AI Proxy' },
      color: 'purple',
      key_hint: genericKeyHint,
      fields: [{ column: 'other', label: { zh: '知识库 ID', en: 'Knowledge base id' } }],
    },
    baseUrl: 'https://api.aiproxy.io',
    models: [],
    owner: 'custom',
    reason: {
      zh: '该知识库服务已没有公开的接口文档，无法对接',
      en: 'AI Proxy no longer documents its knowledge base API',
    },
  },
]
