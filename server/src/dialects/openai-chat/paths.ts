import type { DialectPaths } from '../paths.ts'

export const paths: DialectPaths = {
  api: 'openai',
  exact: {
    'POST /v1/chat/completions': { kind: 'conversation', model: '', stream: false },
    'POST /pg/chat/completions': { kind: 'conversation', model: '', stream: false, playground: true },
  },
  match: () => undefined,
  // Its prefix is that of the other dialects, too.
  owns: () => false,
  templates: [],
  isTurn: () => true,
  isTranslatable: () => true,
  asksForList: () => false,
}
