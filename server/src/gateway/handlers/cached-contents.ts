import { textOf } from '../../dialects/conversation/json.ts'
import { AppError } from '../../lib/app-error.ts'
import type { CachedContents } from '../../relay/cached-contents/cached-contents.ts'
import type { RelayCall } from '../../relay/call.ts'
import type { FileFence } from '../../relay/direct/file-fence.ts'
import type { CallFailure } from '../../relay/failure.ts'
import type { Caller } from '../../relay/ports.ts'
import type { KeyFinder } from '../auth/key-of.ts'
import { checkChannel, checkModel, checkNotVirtual } from '../auth/model-checks.ts'
import { meantModel } from '../auth/model-names.ts'
import { checkModelName } from '../bounds/model-name.ts'
import { callHead, type RequestContext } from '../request-context.ts'
import { sendJson } from '../response/send-failure.ts'
import { type Handler, type HandlerParts, type RouteOf, withCaller } from './handler.ts'
import type { SessionCallParts } from './session-call.ts'

export interface CachedContentHandlerParts extends HandlerParts, Pick<SessionCallParts, 'channels'> {
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
    name: string,
    received: Pick<RelayCall, 'raw' | 'body'> = noBody,
  ): RelayCall => {
    checkModelName(name)
    const model = meantModel(name, caller.group, context.startedAt, parts.options())
    context.model = model
    checkModel(caller, model)
    const { path, query } = context
    return {
      ...callHead(context, caller, { model, asked: name }),
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
    const call = callOf(context, caller, name, received)
    checkNotVirtual(caller, call.model, parts.channels)
    checkChannel(caller, call.model, parts.channels)
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
    if (method !== 'PATCH') return cachedContents.pass(callOf(context, caller, kept.model), kept, method, client)
    const received = await bodyOf(context, caller)
    return cachedContents.extend(callOf(context, caller, kept.model, received), kept, client)
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
