import { caption } from '../captions.ts'
import { type DialectPaths, type DialectRoute, decoded, isStoredMethod } from '../paths.ts'

/** Calls about stored completions (platform.openai.com/docs/api-reference/chat/list). */
const storedRoute = (method: string, path: string): DialectRoute | undefined => {
  const [, id = '', part = ''] = /^\/v1\/chat\/completions(?:\/([^/]+)(?:\/(messages))?)?$/.exec(path) ?? []
  if (!path.startsWith('/v1/chat/completions') || !isStoredMethod(method)) return undefined
  const isKnown = id === '' || part !== '' ? method === 'GET' : true
  if (!isKnown || (id === '' && path !== '/v1/chat/completions')) return undefined
  return { kind: 'stored_object', noun: 'completion', call: { method, id: decoded(id), part, item: '' } }
}

export const paths: DialectPaths = {
  api: 'OpenAI',
  exact: {
    'POST /v1/chat/completions': { kind: 'conversation', model: '', stream: false },
    'POST /pg/chat/completions': { kind: 'conversation', model: '', stream: false, playground: true },
  },
  match: storedRoute,
  // The prefix /v1 is shared with other dialects.
  owns: () => false,
  offered: [
    [
      'POST /v1/chat/completions',
      caption(
        { zh: '对话', en: 'Chat' },
        { zh: '流式与非流式，工具调用，图片输入', en: 'Streaming or not, tools, images' },
      ),
    ],
  ],
  isTurn: () => true,
  isTranslatable: () => true,
  asksForList: () => false,
}
