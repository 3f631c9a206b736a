import { type DialectPaths, type DialectRoute, decoded } from '../paths.ts'

const turn: DialectRoute = { kind: 'conversation', model: '', stream: false }

/** Calls about a stored response, or about a prompt. */
const beside = '/v1/responses/'

export const paths: DialectPaths = {
  api: 'openai',
  exact: {
    'POST /v1/responses': turn,
    'POST /v1/responses/compact': turn,
    'POST /v1/responses/input_tokens': { kind: 'count', model: '' },
  },
  match(method, path) {
    const [, id, rest = ''] = /^\/v1\/responses\/([^/]+)(\/input_items|\/cancel)?$/.exec(path) ?? []
    if (id === undefined) return undefined
    if (method === 'GET' && rest !== '/cancel') return { kind: 'stored_response', method, id: decoded(id), rest }
    if (method === 'DELETE' && rest === '') return { kind: 'stored_response', method, id: decoded(id), rest }
    return method === 'POST' && rest === '/cancel'
      ? { kind: 'stored_response', method, id: decoded(id), rest }
      : undefined
  },
  owns: () => false,
  templates: [],
  isTurn: (path) => !path.startsWith(beside),
  isTranslatable: (path) => !path.startsWith(beside),
  asksForList: () => false,
}
