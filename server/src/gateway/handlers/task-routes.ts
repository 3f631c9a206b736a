import { type DrawingSubmission, drawingSubmissions } from '../../relay/tasks/actions.ts'

/** Calls to the task services. */
export type TaskRoute =
  | { readonly kind: 'drawing'; readonly call: 'submit'; readonly submission: DrawingSubmission }
  | { readonly kind: 'drawing'; readonly call: 'fetch' | 'image-seed'; readonly id: string }
  | { readonly kind: 'drawing'; readonly call: 'list' | 'notify' }
  | { readonly kind: 'song'; readonly call: 'submit'; readonly action: string }
  | { readonly kind: 'song'; readonly call: 'fetch'; readonly id: string }
  | { readonly kind: 'song'; readonly call: 'list' }

const drawingRoute = (method: string, rest: string, decoded: (text: string) => string): TaskRoute | undefined => {
  const submission = drawingSubmissions.find((one) => one === rest)
  if (method === 'POST' && submission !== undefined) return { kind: 'drawing', call: 'submit', submission }
  if (method === 'POST' && rest === 'notify') return { kind: 'drawing', call: 'notify' }
  if (method === 'POST' && rest === 'task/list-by-condition') return { kind: 'drawing', call: 'list' }
  const [, id, call] = /^task\/([^/]+)\/(fetch|image-seed)$/.exec(rest) ?? []
  if (method !== 'GET' || id === undefined) return undefined
  return { kind: 'drawing', call: call === 'fetch' ? 'fetch' : 'image-seed', id: decoded(id) }
}

const songRoute = (method: string, rest: string, decoded: (text: string) => string): TaskRoute | undefined => {
  const [, action] = /^submit\/([^/]+)$/.exec(rest) ?? []
  if (method === 'POST' && action !== undefined) return { kind: 'song', call: 'submit', action: decoded(action) }
  if (method === 'POST' && rest === 'fetch') return { kind: 'song', call: 'list' }
  const [, id] = /^fetch\/([^/]+)$/.exec(rest) ?? []
  return method === 'GET' && id !== undefined ? { kind: 'song', call: 'fetch', id: decoded(id) } : undefined
}

/** `/mj/…`, the same under any mode such as `/mj-fast/mj/…`, and `/suno/…`; undefined for every other path. */
export const taskRoute = (method: string, path: string, decoded: (text: string) => string): TaskRoute | undefined => {
  const [, drawing] = /^(?:\/[^/]+)?\/mj\/(.+)$/.exec(path) ?? []
  if (drawing !== undefined) return drawingRoute(method, drawing, decoded)
  const [, song] = /^\/suno\/(.+)$/.exec(path) ?? []
  return song === undefined ? undefined : songRoute(method, song, decoded)
}
