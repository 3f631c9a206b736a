import { isObject, listOf } from '../../dialects/conversation/json.ts'
import { editMembers, membersOf } from '../../lib/json/json-edit.ts'
import type { Provider, ProviderCall } from '../provider.ts'
import { hostOf, makerOf, regionOf } from './address.ts'
import { vertexCredential } from './credential.ts'

/** `projects/…/locations/…` of a call; undefined where an API key implies it. */
const placeOf = (call: ProviderCall): string | undefined => {
  const credential = vertexCredential(call.key)
  return credential?.kind === 'account' ? `projects/${credential.project}/locations/${regionOf(call)}` : undefined
}

/** Adds the role `user` to contents without a role: AI Studio accepts them, Vertex does not. */
export const withRoles = (contents: unknown): Record<string, unknown> | undefined => {
  const all = listOf(contents)
  if (all.every((content) => !isObject(content) || content.role !== undefined)) return undefined
  return { contents: all.map((content) => (isObject(content) ? { role: 'user', ...content } : content)) }
}

/**
 * Contents that Vertex AI keeps (cloud.google.com/vertex-ai/generative-ai/docs/context-cache). It names them with project and region, which
 * API keys do not have.
 */
export const vertexCaches: NonNullable<Provider['cachesContents']> = {
  address(call, id) {
    const place = placeOf(call)
    if (place === undefined || makerOf(call.model) !== 'google') return undefined
    const path = `/v1beta1/${place}/cachedContents${id === '' ? '' : `/${id}`}`
    return { baseUrl: call.channel.baseUrl || hostOf(regionOf(call)), path }
  },
  model: (call) => `${placeOf(call)}/publishers/google/models/${call.model}`,
  adjust: (body) => withRoles(body.contents),
}

/** The body with the full name of its cached content, as Vertex requires it. */
export const withCacheName = (body: Buffer, call: ProviderCall): Buffer => {
  if (!body.includes('"cachedContent')) return body
  const place = placeOf(call)
  const member = membersOf(body).find(({ name }) => name === 'cachedContent' || name === 'cached_content')
  if (place === undefined || member === undefined) return body
  const value: unknown = JSON.parse(body.toString('utf8', member.valueStart, member.valueEnd))
  const isShort = typeof value === 'string' && value.startsWith('cachedContents/')
  return isShort ? editMembers(body, { [member.name]: JSON.stringify(`${place}/${value}`) }) : body
}
