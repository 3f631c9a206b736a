import type { Language } from '@tollgate/contract'
import { isObject, type JsonObject } from '@tollgate/contract/json'
import { ownMember } from '@tollgate/contract/own-member'
import { readJson } from '#server/http/body.ts'
import type { createRequestContexts, Fetch, RequestFacts } from '#server/http/request-context.ts'
import { AppError } from '#server/lib/app-error.ts'
import type { Log } from '#server/lib/log.ts'
import { limitKey } from '#server/lib/security/client-address.ts'
import type { ScimCallLog } from './call-log.ts'
import { type ListQuery, listGroups, listUsers, readListQuery } from './listing.ts'
import type { ProvisioningParts, ScimPlace } from './parts.ts'
import { groupResource, type ResourceSchema, userResource } from './scim/attributes.ts'
import { listBody, resourceTypes, schemas, serviceProviderConfig } from './scim/discovery.ts'
import type { Resource } from './scim/matching.ts'
import { type Choice, chosen, includes, namesIn } from './scim/projection.ts'
import { badRequest, errorBody, notFound, ScimError } from './scim/scim-error.ts'
import type { ScimGroups } from './scim-groups.ts'
import type { ScimUsers } from './scim-users.ts'
import type { ScimTokens } from './tokens.ts'

export interface ScimListenerParts extends ProvisioningParts {
  readonly users: ScimUsers
  readonly groups: ScimGroups
  readonly tokens: ScimTokens
  readonly calls: ScimCallLog
  readonly requestContexts: ReturnType<typeof createRequestContexts>
  readonly log: Log
}

interface Answer {
  readonly status: number
  readonly body?: Resource
  readonly headers?: Readonly<Record<string, string>>
}

interface Call {
  readonly place: ScimPlace
  readonly method: string
  /** Path behind the organisation. */
  readonly path: readonly string[]
  readonly query: URLSearchParams
  readonly ifMatch: string | undefined
  readonly ifNoneMatch: string | undefined
  body(): Promise<unknown>
}

/** Calls of one organisation: what the provisioning of Entra ID sends at most. */
const organisationLimit = { enabled: true, count: 1500, seconds: 60 }
const language: Language = 'en'
const searchMethod = '.search'

const headersOf = { 'Content-Type': 'application/scim+json; charset=utf-8', 'Cache-Control': 'no-store' }

const response = ({ status, body, headers }: Answer): Response =>
  new Response(body === undefined ? null : JSON.stringify(body), {
    status,
    headers: { ...(body === undefined ? { 'Cache-Control': 'no-store' } : headersOf), ...headers },
  })

const refusal = (error: ScimError): Response =>
  new Response(JSON.stringify(errorBody(error)), {
    status: error.status,
    headers: {
      ...headersOf,
      ...(error.status === 401 ? { 'WWW-Authenticate': 'Bearer realm="SCIM"' } : {}),
      ...(error.retryAfter === undefined ? {} : { 'Retry-After': String(error.retryAfter) }),
    },
  })

const idOf = (text: string): number => {
  if (!/^\d{1,15}$/.test(text)) throw notFound('The resource')
  return Number(text)
}

const member = (object: JsonObject, name: string): unknown => {
  const key = Object.keys(object).find((one) => one.toLowerCase() === name.toLowerCase())
  return key === undefined ? undefined : ownMember(object, key)
}

const choiceIn = (of: (name: string) => unknown): Choice => ({
  attributes: namesIn(of('attributes')),
  excluded: namesIn(of('excludedAttributes')),
})

const parameter =
  (query: URLSearchParams) =>
  (name: string): unknown => {
    for (const [key, value] of query) if (key.toLowerCase() === name.toLowerCase()) return value
    return undefined
  }

const only = (call: Call, ...methods: readonly string[]): void => {
  if (!methods.includes(call.method)) throw new ScimError(405, `${call.method} is not possible here.`)
}

const tagOf = ({ meta }: Resource): string => (isObject(meta) ? String(meta.version) : '')
const addressOf = ({ meta }: Resource): string => (isObject(meta) ? String(meta.location) : '')

const errorOf = (error: unknown): ScimError | undefined => {
  if (error instanceof ScimError) return error
  if (!(error instanceof AppError)) return undefined
  const text = error.textIn(language)
  if (error.code === 'invalid_parameter') return badRequest('invalidSyntax', 'The body is no JSON that can be read.')
  if (error.code === 'body_too_large') return new ScimError(413, text)
  if (error.code === 'organisation_owner_needed') return new ScimError(403, text)
  return error.entry.origin === 'client' ? new ScimError(400, text) : undefined
}

/** SCIM 2.0 (RFC 7643, RFC 7644) below `/scim/v2/<organisation>/`, for identity providers with a token of the organisation. */
export const openScimListener = (parts: ScimListenerParts): { readonly fetch: Fetch } => {
  const { users, groups, tokens, calls, limiter, log } = parts
  const { query } = parts.database

  const one = (call: Call, schema: ResourceSchema, resource: Resource, status = 200): Answer => {
    const version = tagOf(resource)
    if (call.method === 'GET' && call.ifNoneMatch?.split(',').some((tag) => tag.trim() === version))
      return { status: 304, headers: { ETag: version } }
    const body = chosen(schema, choiceIn(parameter(call.query)))(resource)
    return { status, body, headers: { ETag: version, ...(status === 201 ? { Location: addressOf(resource) } : {}) } }
  }

  const listQuery = async (call: Call): Promise<ListQuery> => {
    if (call.method === 'GET') {
      const of = parameter(call.query)
      return readListQuery(of, choiceIn(of))
    }
    const body = await call.body()
    if (!isObject(body)) throw badRequest('invalidSyntax', 'The body must be a JSON object.')
    const of = (name: string): unknown => member(body, name)
    return readListQuery(of, choiceIn(of))
  }

  type Kind = {
    readonly schema: ResourceSchema
    list(place: ScimPlace, query: ListQuery): Promise<Resource>
    get(call: Call, id: number): Promise<Resource>
    readonly service: Pick<ScimUsers, 'create' | 'replace' | 'patch' | 'remove'>
  }
  const kinds: ReadonlyMap<string, Kind> = new Map<string, Kind>([
    [
      'users',
      {
        schema: userResource,
        list: (place, asked) => listUsers(query, place, asked),
        get: ({ place }, id) => users.get(place, id),
        service: users,
      },
    ],
    [
      'groups',
      {
        schema: groupResource,
        list: (place, asked) => listGroups(query, place, asked),
        get: (call, id) =>
          groups.get(call.place, id, includes(groupResource, choiceIn(parameter(call.query)), 'members')),
        service: groups,
      },
    ],
  ])

  const ofKind = async (call: Call, { schema, list, get, service }: Kind): Promise<Answer> => {
    const [, second] = call.path
    const { place, ifMatch } = call
    if (second === undefined) {
      only(call, 'GET', 'POST')
      if (call.method === 'GET') return { status: 200, body: await list(place, await listQuery(call)) }
      return one(call, schema, await service.create(place, await call.body()), 201)
    }
    if (second === searchMethod) {
      only(call, 'POST')
      return { status: 200, body: await list(place, await listQuery(call)) }
    }
    only(call, 'GET', 'PUT', 'PATCH', 'DELETE')
    const id = idOf(second)
    switch (call.method) {
      case 'GET':
        return one(call, schema, await get(call, id))
      case 'PUT':
        return one(call, schema, await service.replace(place, id, await call.body(), ifMatch))
      case 'PATCH':
        return one(call, schema, await service.patch(place, id, await call.body(), ifMatch))
      default:
        await service.remove(place, id, ifMatch)
        return { status: 204 }
    }
  }

  const discovered = (call: Call, all: readonly Resource[]): Answer => {
    only(call, 'GET')
    if (call.query.has('filter')) throw new ScimError(403, 'A filter is not possible here.')
    const [, id] = call.path
    if (id === undefined) return { status: 200, body: listBody(all, all.length, 1) }
    const found = all.find((entry) => String(entry.id).toLowerCase() === id.toLowerCase())
    if (found === undefined) throw notFound(id)
    return { status: 200, body: found }
  }

  const answered = async (call: Call): Promise<Answer> => {
    const [first = '', , third] = call.path
    if (third !== undefined) throw notFound('The resource')
    const noun = first.toLowerCase()
    const kind = kinds.get(noun)
    if (kind !== undefined) return ofKind(call, kind)
    switch (noun) {
      case 'serviceproviderconfig':
        only(call, 'GET')
        return { status: 200, body: serviceProviderConfig(call.place.base) }
      case 'resourcetypes':
        return discovered(call, resourceTypes(call.place.base))
      case 'schemas':
        return discovered(call, schemas(call.place.base))
      case 'me':
        throw new ScimError(501, 'A token belongs to an organisation and to no user.')
      case 'bulk':
        throw new ScimError(501, 'Bulk operations are not supported.')
      default:
        throw notFound('The resource')
    }
  }

  const opened = async (request: Request, context: RequestFacts, organisation: string) => {
    const [, token = ''] = /^Bearer\s+(\S+)$/i.exec(request.headers.get('authorization') ?? '') ?? []
    const found = token === '' ? undefined : await tokens.open(token)
    if (found === undefined) {
      if (!(await limiter.take(`GA${limitKey(context.ip)}`, parts.apiLimit)))
        throw new ScimError(429, 'Too many calls.', { retryAfter: parts.apiLimit.seconds })
      throw new ScimError(401, 'The token is missing, unknown, expired or revoked.')
    }
    // Resources of other organisations do not exist for this token.
    if (String(found.organisationId) !== organisation) throw notFound('The organisation')
    if (!(await limiter.take(`SCIM${found.organisationId}`, organisationLimit)))
      throw new ScimError(429, 'Too many calls.', { retryAfter: 10 })
    return found
  }

  const refused = (error: unknown, context: RequestFacts): ScimError => {
    const known = errorOf(error)
    if (known !== undefined) return known
    log.error('scim_call_failed', { request_id: context.requestId, error })
    return new ScimError(500, 'Something went wrong here; the call can be repeated.')
  }

  const handle = async (request: Request, context: RequestFacts): Promise<Response> => {
    const url = new URL(request.url)
    const [organisation = '', ...path] = url.pathname
      .split('/')
      .filter((part) => part !== '')
      .slice(2)
      .map(decoded)
    let place: ScimPlace | undefined
    try {
      if (!/^\/scim\/v2\/./i.test(url.pathname)) throw notFound('The resource')
      const found = await opened(request, context, organisation)
      const base = `${parts.serverAddress() || url.origin + parts.basePath}/scim/v2/${organisation}`
      place = { ...found, ip: context.ip, base }
      const answer = await answered({
        place,
        path,
        query: url.searchParams,
        method: request.method === 'HEAD' ? 'GET' : request.method,
        ifMatch: request.headers.get('if-match') ?? undefined,
        ifNoneMatch: request.headers.get('if-none-match') ?? undefined,
        body: () => readJson(request, true),
      })
      await note(place, request, url, { status: answer.status, detail: '' })
      return response(answer)
    } catch (error) {
      const failure = refused(error, context)
      if (place !== undefined) await note(place, request, url, { status: failure.status, detail: failure.message })
      return refusal(failure)
    }
  }

  const note = async (
    place: ScimPlace,
    { method }: Request,
    url: URL,
    { status, detail }: { readonly status: number; readonly detail: string },
  ): Promise<void> => {
    const path = decoded(url.pathname.replace(/^\/scim\/v2\/[^/]*/i, '') + url.search)
    const call = { organisationId: place.organisationId, token_name: place.token.name, method, path, status, detail }
    await calls.add(call).catch((error: unknown) => log.warn('scim_call_not_noted', { error }))
  }

  return { fetch: parts.requestContexts(handle) }
}

/** A part of a path as people read it; as it came where it cannot be decoded. */
const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}
