import { textOf } from '../../dialects/conversation/json.ts'
import { AppError } from '../../lib/app-error.ts'
import type { CachedContents } from '../../relay/cached-contents/cached-contents.ts'
import type { PlannedCall, RelayCall } from '../../relay/call.ts'
import type { FileFence } from '../../relay/direct/file-fence.ts'
import type { CallFailure } from '../../relay/failure.ts'
import type { Caller } from '../../relay/ports.ts'
import type { KeyFinder } from '../auth/key-of.ts'
import type { AskedName } from '../plan/compile-plan.ts'
import { callHead, type RequestContext } from '../request-context.ts'
import { sendJson } from '../response/send-failure.ts'
import { type Handler, type HandlerParts, type RouteOf, withCaller } from './handler.ts'
import type { SessionCallParts } from './session-call.ts'

export interface CachedContentHandlerParts extends HandlerParts, Pick<SessionCallParts, 'plans'> {
  readonly keys: Pick<KeyFinder, 'withoutKey'>
  readonly cachedContents: CachedContents
  readonly files: FileFence
}

type CachedContentRoute = RouteOf<'cached_content'>

const usualPage = 50
/** ai.google.dev/api/caching */
const largestPage = 1000

const noBody = { raw: Buffer.alloc(0), body: {} } as const

/** Calls about contents that a provider keeps for later calls (ai.google.dev/api/caching). */
export const createCachedContentHandler = (parts: CachedContentHandlerParts): Handler<CachedContentRoute> => {
  const { authentication, bodies, cachedContents, failures } = parts

  const callOf = (
    context: RequestContext,
    caller: Caller,
    asked: AskedName,
    received: Pick<RelayCall, 'raw' | 'body'> = noBody,
  ): PlannedCall => {
    const plan = parts.plans.admitted(context, caller, asked)
    const { path, query } = context
    return {
      ...callHead(context, caller, plan),
      path,
      query: parts.keys.withoutKey(query),
      stream: false,
      endpoint: 'cached_content',
      dialect: undefined,
      ...received,
      accept: undefined,
      passed: {},
    }
  }

  const bodyOf = async (context: RequestContext, caller: Caller): Promise<Pick<RelayCall, 'raw' | 'body'>> => {
    const { raw, body } = await bodies.parsed(context, await bodies.paid(context, caller))
    return { raw, body }
  }

  const create = async (context: RequestContext, caller: Caller): Promise<CallFailure | undefined> => {
    const received = await bodyOf(context, caller)
    const name = textOf(received.body.model).replace(/^models\//, '')
    if (name === '') throw new AppError('model_required')
    const call = callOf(context, caller, { kind: 'session', name }, received)
    return cachedContents.create(await parts.files.bound(call), context.client)
  }

  const list = async ({ query, client }: RequestContext, caller: Caller): Promise<undefined> => {
    const parameters = new URLSearchParams(query)
    const wanted = Number(parameters.get('pageSize'))
    const size = Number.isInteger(wanted) && wanted > 0 ? Math.min(wanted, largestPage) : usualPage
    const page = { size, token: parameters.get('pageToken') ?? '' }
    sendJson(client, 200, JSON.stringify(await cachedContents.list(caller, page)))
  }

  const answer = async (
    context: RequestContext,
    { method, id }: CachedContentRoute,
    caller: Caller,
  ): Promise<CallFailure | undefined> => {
    const { client } = context
    if (method === 'POST') return create(context, caller)
    if (id === '') return list(context, caller)
    const kept = await cachedContents.find(caller, `cachedContents/${id}`)
    const asked = { kind: 'kept', name: kept.model } as const
    if (method !== 'PATCH') return cachedContents.pass(callOf(context, caller, asked), kept, method, client)
    const received = await bodyOf(context, caller)
    return cachedContents.extend(callOf(context, caller, asked, received), kept, client)
  }

  return withCaller(parts, async (context, route, caller) => {
    const { rateLimit } = parts.options()
    await authentication.rateLimited(caller, rateLimit)
    const failure = await answer(context, route, caller)
    failures.afterRecord(context, () => {
      if (failure !== undefined) failures.send(context, failure)
      else authentication.succeeded(caller, rateLimit)
    })
  })
}
