import { genericKeyHint } from './dialects/openai.ts'
import type { Provider } from './provider.ts'

/** A channel type that is listed with its facts but cannot relay: what a provider says of itself, and why it cannot. */
export interface UnbuiltProvider extends Pick<Provider, 'type' | 'name' | 'console' | 'baseUrl' | 'models' | 'owner'> {
  readonly reason: { readonly zh: string; readonly en: string }
}

interface Facts {
  readonly type: number
  readonly name: string
  readonly label: { readonly zh: string; readonly en: string }
  readonly color: string
  readonly baseUrl: string
  readonly owner: string
  readonly keyForm?: string
  readonly fields?: Provider['console']['fields']
  /** Why it cannot relay, where the reason is another than ours. */
  readonly reason?: UnbuiltProvider['reason']
}

const unbuilt = ({ type, name, label, color, baseUrl, owner, keyForm, fields, reason }: Facts): UnbuiltProvider => ({
  type,
  name,
  console: {
    label,
    color,
    key_hint: keyForm === undefined ? genericKeyHint : { zh: `按照如下格式输入：${keyForm}`, en: keyForm },
    fields: fields ?? [],
  },
  baseUrl,
  owner,
  models: [],
  reason: reason ?? { zh: '尚未支持该上游的协议', en: 'its protocol is not spoken yet' },
})

/** Channel types whose protocols are not spoken yet. */
export const unbuiltProviders: readonly UnbuiltProvider[] = [
  unbuilt({
    type: 21,
    name: 'AIProxyLibrary',
    label: { zh: '知识库：AI Proxy', en: 'Knowledge base: AI Proxy' },
    color: 'purple',
    baseUrl: 'https://api.aiproxy.io',
    owner: 'custom',
    fields: [{ column: 'other', label: { zh: '知识库 ID', en: 'Knowledge base id' } }],
    reason: {
      zh: '该知识库服务已没有公开的接口文档，无法对接',
      en: 'AI Proxy no longer documents an interface to its knowledge bases',
    },
  }),
]
