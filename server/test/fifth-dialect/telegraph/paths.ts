import type { DialectPaths } from '../../../src/dialects/paths.ts'

export const paths: DialectPaths = {
  api: 'telegraph',
  exact: {
    'POST /telegraph/wire': { kind: 'conversation', model: '', stream: false },
    'POST /telegraph/count': { kind: 'count', model: '' },
  },
  match: () => undefined,
  owns: (path) => path.startsWith('/telegraph/'),
  templates: [],
  isTurn: (path) => path !== '/telegraph/count',
  isTranslatable: () => true,
  asksForList: () => false,
}
