import type { UpstreamDialect } from '../../dialects/dialect.ts'
import type { RelayCall } from '../call.ts'
import type { RelayChannel, RelayOptions } from '../ports.ts'
import type { ProviderRequest } from './exchange.ts'

/** Cache breakpoints of a group, where its channel sets none; undefined for none. */
export const groupMarks = (
  { cacheMarks }: Pick<RelayOptions, 'cacheMarks'>,
  { caller }: Pick<RelayCall, 'caller'>,
): '5m' | '1h' | undefined => {
  const marking = cacheMarks.get(caller.group) ?? cacheMarks.get('*')
  return marking === 'off' ? undefined : marking
}

/** A request to a model whose cache needs marks, with them where channel or group want it and the client set none. */
export const marked = (
  request: ProviderRequest,
  { call, channel: { cacheMarks } }: { readonly call: RelayCall; readonly channel: Pick<RelayChannel, 'cacheMarks'> },
  upstream: Pick<UpstreamDialect, 'withCacheMarks'> | undefined,
  settings: Pick<RelayOptions, 'cacheMarks'>,
): ProviderRequest => {
  if (upstream?.withCacheMarks === undefined || call.dialect?.paths.isTurn(call.path) !== true) return request
  const ttl = cacheMarks ?? groupMarks(settings, call) ?? 'off'
  return ttl === 'off' ? request : { ...request, body: upstream.withCacheMarks(request.body, ttl) }
}
