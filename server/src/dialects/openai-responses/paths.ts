import { caption, countCaption } from '../captions.ts'
import { type DialectPaths, type DialectRoute, decoded, isStoredMethod } from '../paths.ts'

const turn: DialectRoute = { kind: 'conversation', model: '', stream: false }

/** Calls about a stored response, or about a prompt. */
const beside = '/v1/responses/'

export const compactPath = '/v1/responses/compact'

type StoredCall = Extract<DialectRoute, { kind: 'stored_response' }>

/** True if there is such a call about a stored response; `rest` is what follows its id in the path. */
const isStoredCall = (method: string, rest: string): method is StoredCall['method'] => {
  if (method === 'GET') return rest !== '/cancel'
  return method === 'POST' ? rest === '/cancel' : method === 'DELETE' && rest === ''
}

/** The Conversations API (platform.openai.com/docs/api-reference/conversations). */
const conversationRoute = (method: string, path: string): DialectRoute | undefined => {
  const match = /^\/v1\/conversations(?:\/([^/]+)(?:\/(items)(?:\/([^/]+))?)?)?$/.exec(path)
  if (match === null || !isStoredMethod(method)) return undefined
  const [, id = '', part = '', item = ''] = match
  if ((id === '' && method !== 'POST') || (part !== '' && item === '' && method === 'DELETE')) return undefined
  if (item !== '' && method === 'POST') return undefined
  return { kind: 'stored_object', noun: 'conversation', call: { method, id: decoded(id), part, item: decoded(item) } }
}

export const paths: DialectPaths = {
  api: 'OpenAI',
  exact: {
    'POST /v1/responses': turn,
    [`POST ${compactPath}`]: turn,
    'POST /v1/responses/input_tokens': { kind: 'count', model: '' },
  },
  match(method, path) {
    const [, name, rest = ''] = /^\/v1\/responses\/([^/]+)(\/input_items|\/cancel)?$/.exec(path) ?? []
    if (name === undefined || !isStoredCall(method, rest)) return conversationRoute(method, path)
    const id = decoded(name)
    return { kind: 'stored_response', method, id, path: `${beside}${encodeURIComponent(id)}${rest}` }
  },
  owns: () => false,
  offered: [
    [
      'POST /v1/responses',
      caption({ zh: '响应', en: 'Responses' }, { zh: 'OpenAI 的 Responses 接口', en: 'OpenAI Responses API' }),
    ],
    [
      'POST /v1/responses/compact',
      caption(
        { zh: '压缩对话', en: 'Compact' },
        { zh: '压缩过长的对话以便继续', en: 'Compacts a long conversation so it can continue' },
      ),
    ],
    ['POST /v1/responses/input_tokens', countCaption],
  ],
  isTurn: (path) => !path.startsWith(beside),
  isTranslatable: (path) => path === compactPath || !path.startsWith(beside),
  asksForList: () => false,
}
