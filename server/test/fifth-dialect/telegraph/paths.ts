import { caption, countCaption } from '../../../src/dialects/captions.ts'
import { type DialectPaths, decoded } from '../../../src/dialects/paths.ts'
import { points } from './points.ts'

export const paths: DialectPaths = {
  api: 'Telegraph',
  exact: {
    'POST /telegraph/wire': { kind: 'conversation', model: '', stream: false },
    'POST /telegraph/count': { kind: 'count', model: '' },
    'POST /telegraph/points': { kind: 'embeddings', model: 'text-embedding-3-small', embeddings: points },
  },
  match(method, path) {
    const [, id] = /^\/telegraph\/files\/([^/]+)$/.exec(path) ?? []
    return method === 'GET' && id !== undefined
      ? { kind: 'stored_response', method, id: decoded(id), path: `/telegraph/files/${id}` }
      : undefined
  },
  refusedSockets: new Map([['/telegraph/wire', 'api_not_implemented']]),
  owns: (path) => path.startsWith('/telegraph/'),
  offered: [
    ['POST /telegraph/wire', caption({ zh: '电报', en: 'Telegrams' }, { zh: '逐行收发', en: 'Line by line' })],
    ['POST /telegraph/count', countCaption],
  ],
  isTurn: (path) => path !== '/telegraph/count',
  isTranslatable: () => true,
  asksForList: () => false,
}
