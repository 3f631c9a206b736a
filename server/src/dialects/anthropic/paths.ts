import type { DialectPaths } from '../paths.ts'

export const paths: DialectPaths = {
  api: 'anthropic',
  exact: {
    'POST /v1/messages': { kind: 'conversation', model: '', stream: false },
    'POST /v1/messages/count_tokens': { kind: 'count', model: '' },
  },
  match: () => undefined,
  owns: (path) => /^\/v1\/messages(\/|$)/.test(path),
  templates: [],
  isTurn: (path) => !path.endsWith('/count_tokens'),
  isTranslatable: () => true,
  asksForList: () => false,
}
