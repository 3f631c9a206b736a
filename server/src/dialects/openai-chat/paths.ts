import type { DialectPaths } from '../paths.ts'

export const paths: DialectPaths = {
  api: 'openai',
  exact: {
    'POST /v1/chat/completions': { kind: 'conversation', model: '', stream: false },
    'POST /pg/chat/completions': { kind: 'conversation', model: '', stream: false, playground: true },
  },
  match: () => undefined,
  // The prefix /v1 is shared with other dialects.
  owns: () => false,
  templates: [],
  isTurn: () => true,
  isTranslatable: () => true,
  asksForList: () => false,
}
