import { genericKeyHint } from './dialects/openai.ts'
import type { Provider } from './provider.ts'
import { unbuiltModels } from './unbuilt-models.ts'

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
}

const unbuilt = ({ type, name, label, color, baseUrl, owner, keyForm, fields }: Facts): UnbuiltProvider => ({
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
  models: unbuiltModels[type] ?? [],
  reason: { zh: '尚未支持该上游的协议', en: 'its protocol is not spoken yet' },
})

/** Channel types whose protocols are not spoken yet. */
export const unbuiltProviders: readonly UnbuiltProvider[] = [
  unbuilt({
    type: 2,
    name: 'Midjourney',
    label: { zh: 'Midjourney Proxy', en: 'Midjourney Proxy' },
    color: 'light-blue',
    baseUrl: 'https://oa.api2d.net',
    owner: 'midjourney',
  }),
  unbuilt({
    type: 5,
    name: 'MidjourneyPlus',
    label: { zh: 'Midjourney Proxy Plus', en: 'Midjourney Proxy Plus' },
    color: 'blue',
    baseUrl: 'https://api.openai-sb.com',
    owner: 'midjourney',
  }),
  unbuilt({
    type: 36,
    name: 'SunoAPI',
    label: { zh: 'Suno API', en: 'Suno API' },
    color: 'purple',
    baseUrl: '',
    owner: 'suno',
    fields: [
      {
        column: 'base_url',
        label: { zh: '私有部署地址（/suno 之前的部分）', en: 'Address before /suno' },
        required: true,
      },
    ],
  }),
  unbuilt({
    type: 33,
    name: 'Aws',
    label: { zh: 'AWS Claude', en: 'AWS Claude' },
    color: 'indigo',
    baseUrl: '',
    owner: 'aws',
    keyForm: 'AccessKey|SecretKey|Region',
  }),
  unbuilt({
    type: 41,
    name: 'VertexAi',
    label: { zh: 'Vertex AI', en: 'Vertex AI' },
    color: 'blue',
    baseUrl: '',
    owner: 'vertex-ai',
    keyForm: 'Google service-account JSON document',
    fields: [
      {
        column: 'other',
        label: { zh: '部署地区', en: 'Deployment Region' },
        placeholder: 'us-central1',
        required: true,
      },
    ],
  }),
  unbuilt({
    type: 15,
    name: 'Baidu',
    label: { zh: '百度文心千帆', en: 'Baidu ERNIE' },
    color: 'blue',
    baseUrl: 'https://aip.baidubce.com',
    owner: 'baidu',
    keyForm: 'APIKey|SecretKey',
  }),
  unbuilt({
    type: 17,
    name: 'Ali',
    label: { zh: '阿里通义千问', en: 'Alibaba Qwen' },
    color: 'orange',
    baseUrl: 'https://dashscope.aliyuncs.com',
    owner: 'ali',
  }),
  unbuilt({
    type: 18,
    name: 'Xunfei',
    label: { zh: '讯飞星火认知', en: 'iFlytek Spark' },
    color: 'blue',
    baseUrl: '',
    owner: 'xunfei',
    keyForm: 'APPID|APISecret|APIKey',
    fields: [{ column: 'other', label: { zh: '模型版本', en: 'Model version' }, placeholder: 'v2.1' }],
  }),
  unbuilt({
    type: 16,
    name: 'Zhipu',
    label: { zh: '智谱 ChatGLM', en: 'Zhipu ChatGLM' },
    color: 'violet',
    baseUrl: 'https://open.bigmodel.cn',
    owner: 'zhipu',
    keyForm: 'id.secret',
  }),
  unbuilt({
    type: 23,
    name: 'Tencent',
    label: { zh: '腾讯混元', en: 'Tencent Hunyuan' },
    color: 'teal',
    baseUrl: 'https://hunyuan.tencentcloudapi.com',
    owner: 'tencent',
    keyForm: 'AppId|SecretId|SecretKey',
  }),
  unbuilt({
    type: 37,
    name: 'Dify',
    label: { zh: 'Dify', en: 'Dify' },
    color: 'teal',
    baseUrl: 'https://api.dify.ai',
    owner: 'dify',
  }),
  unbuilt({
    type: 38,
    name: 'Jina',
    label: { zh: 'Jina', en: 'Jina' },
    color: 'blue',
    baseUrl: 'https://api.jina.ai',
    owner: 'jina',
  }),
  unbuilt({
    type: 21,
    name: 'AIProxyLibrary',
    label: { zh: '知识库：AI Proxy', en: 'Knowledge base: AI Proxy' },
    color: 'purple',
    baseUrl: 'https://api.aiproxy.io',
    owner: 'custom',
    fields: [{ column: 'other', label: { zh: '知识库 ID', en: 'Knowledge base id' } }],
  }),
  unbuilt({
    type: 44,
    name: 'MokaAI',
    label: { zh: '嵌入模型：MokaAI M3E', en: 'Embeddings: MokaAI M3E' },
    color: 'purple',
    baseUrl: 'https://api.moka.ai',
    owner: 'mokaai',
  }),
]
