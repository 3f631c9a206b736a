import type { Route } from '../../../src/gateway/routes.ts'

/**
 * Effect of calls of each kind of route on things that were made before: `reads` some of them, so that the readings or changes beside
 * this file must try each call; any other text is the reason why it reads none. A new kind fails the types until it stands here.
 */
export const kindsOfRoutes: Readonly<Record<Route['kind'], 'reads' | string>> = {
  relay: 'makes something anew; what its body names is among the changes',
  models: 'what the site sells',
  model: 'what the site sells',
  count: 'counts what is sent',
  stored_response: 'reads',
  stored_object: 'reads',
  cached_content: 'reads',
  billing: 'figures of the key itself',
  key_usage: 'figures of the key itself',
  passthrough: 'reads',
  picture: 'open to everybody who knows the id of a drawing',
  realtime: 'a session that knows nothing of others',
  live: 'a session that knows nothing of others',
  live_token: 'makes a key for a session',
  realtime_call: 'a session that knows nothing of others',
  client_secret: 'makes a key for a session',
  drawing: 'reads',
  song: 'reads',
  receipt: 'of one call, for the key that made it alone (`test/bills/receipts.proof.test.ts`)',
  receipt_keys: 'public',
  module: 'of modules, whose own tests try the things of others',
  unbuilt: 'refused',
  unknown: 'refused',
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
const nouns = [
  ...['/v1/responses', '/v1/conversations', '/v1/chat/completions', '/v1/completions', '/v1/messages/batches'],
  ...['/v1/files', '/v1/batches', '/v1/realtime/calls', '/v1/realtime/sessions', '/v1/images', '/v1/videos'],
  ...['/v1beta/cachedContents', '/v1beta/files', '/v1beta/batches', '/v1beta/operations', '/v1beta/interactions'],
  ...['/mj/task', '/mj-fast/mj/task', '/mj/image', '/mj', '/suno/fetch', '/suno', '/api/chat', '/v1/tasks'],
]
const parts = [
  ...['', '/input_items', '/cancel', '/items', '/items/thing', '/messages', '/content', '/results', '/output'],
  ...['/events', '/stream', '/fetch', '/image-seed', '/list-by-condition', '/notify', '/logs'],
]

/** Calls that could name a thing, by everything that the router might know. */
export const probes: readonly { readonly method: string; readonly path: string }[] = methods.flatMap((method) =>
  nouns.flatMap((noun) =>
    ['', '/thing'].flatMap((id) => parts.map((part) => ({ method, path: `${noun}${id}${part}` }))),
  ),
)

/** A route without the names in it: two calls of one form are one way to read. */
export const formOf = (route: Route): string => {
  if (route.kind === 'stored_object') {
    const { method, id, part, item } = route.call
    return [route.noun, method, id && 'id', part, item && 'item'].join(' ')
  }
  if (route.kind === 'stored_response')
    return `response ${route.method} ${route.path.split('/').slice(4).join('/')}`.trim()
  if (route.kind === 'cached_content') return `content ${route.method} ${route.id && 'id'}`
  if (route.kind === 'drawing' || route.kind === 'song') return `${route.kind} ${route.call}`
  return route.kind
}
