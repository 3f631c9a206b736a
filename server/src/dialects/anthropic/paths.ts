import { converseShape } from '../bedrock/converse-shape.ts'
import { invokeShape } from '../bedrock/invoke-shape.ts'
import { caption, countCaption } from '../captions.ts'
import type { ClientShape } from '../client-shape.ts'
import { type DialectPaths, type DialectRoute, decoded } from '../paths.ts'

/** Bedrock's calls (docs.aws.amazon.com/bedrock/latest/APIReference), which are Messages in another form. */
const bedrockCalls: ReadonlyMap<string, { readonly shape: ClientShape; readonly stream: boolean }> = new Map([
  ['converse', { shape: converseShape, stream: false }],
  ['converse-stream', { shape: converseShape, stream: true }],
  ['invoke', { shape: invokeShape, stream: false }],
  ['invoke-with-response-stream', { shape: invokeShape, stream: true }],
])

const bedrockRoute = (path: string): DialectRoute | undefined => {
  const [, model = '', action = ''] = /^\/model\/([^/]+)\/([a-z-]+)$/.exec(path) ?? []
  const call = bedrockCalls.get(action)
  return call === undefined ? undefined : { kind: 'conversation', model: decoded(model), ...call }
}

export const paths: DialectPaths = {
  api: 'Anthropic',
  exact: {
    'POST /v1/messages': { kind: 'conversation', model: '', stream: false },
    'POST /v1/messages/count_tokens': { kind: 'count', model: '' },
  },
  match: (method, path) => (method === 'POST' ? bedrockRoute(path) : undefined),
  owns: (path) => /^\/v1\/messages(\/|$)/.test(path) || bedrockRoute(path) !== undefined,
  offered: [
    [
      'POST /v1/messages',
      caption({ zh: '消息', en: 'Messages' }, { zh: 'Anthropic 客户端的对话接口', en: 'Chat for Anthropic clients' }),
    ],
    ['POST /v1/messages/count_tokens', countCaption],
  ],
  isTurn: (path) => !path.endsWith('/count_tokens'),
  isTranslatable: () => true,
  asksForList: () => false,
}
