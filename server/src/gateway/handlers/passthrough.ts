import { createHash } from 'node:crypto'
import { ownMember } from '@tollgate/contract/own-member'
import type { Decimal } from '../../billing/price.ts'
import { isObject, parsedJson } from '../../dialects/conversation/json.ts'
import { AppError } from '../../lib/app-error.ts'
import type { BatchCalls } from '../../relay/batches/batch-calls.ts'
import type { RelayCall } from '../../relay/call.ts'
import type { DirectBody, DirectFence, FencedCall } from '../../relay/direct/direct-fence.ts'
import { checkLetters, modelInPath, namesInDirectCall } from '../../relay/direct/direct-models.ts'
import { uploadPartOf } from '../../relay/direct/upload-parts.ts'
import { goesAsIs } from '../../relay/exchange/exchange-for.ts'
import type { CallFailure } from '../../relay/failure.ts'
import type { DirectPlan } from '../../relay/plan/call-plan.ts'
import type { Caller } from '../../relay/ports.ts'
import type { OwnLinks } from '../../relay/raw/own-links.ts'
import { checkAddress, rawAddress } from '../../relay/raw/raw-address.ts'
import type { RawCalls } from '../../relay/raw/raw-call.ts'
import { scopeOf } from '../../relay/reader.ts'
import type { Relay } from '../../relay/relay.ts'
import { admit } from '../auth/admit.ts'
import type { AdmitParts } from '../auth/admit-parts.ts'
import { costAskedBy } from '../auth/cost-asked.ts'
import { checkDirectNames } from '../auth/fence-names.ts'
import { checkModel } from '../auth/model-checks.ts'
import { largeBodyBytes } from '../bodies/bodies.ts'
import type { CallPlans } from '../plan/call-plans.ts'
import { endUserOfHeader } from '../request/end-user.ts'
import type { RequestContext } from '../request-context.ts'
import { createDirectModuleCalls, type DirectModuleParts } from './direct/module-calls.ts'
import { type Handler, type HandlerParts, type RouteOf, withCaller } from './handler.ts'

interface DirectPlans {
  readonly plans: Pick<CallPlans, 'of' | 'admitted' | 'direct'>
}

export interface PassthroughHandlerParts extends HandlerParts, AdmitParts, DirectPlans, DirectModuleParts {
  readonly plans: DirectPlans['plans']
  readonly relay: Relay
  readonly rawCalls: RawCalls
  readonly directFence: DirectFence
  /** Absent where nothing follows batches. */
  readonly batchCalls?: BatchCalls | undefined
}

type PassthroughRoute = RouteOf<'passthrough'>

/** Headers that are forwarded to a provider: none that identifies the client, and not its key. */
const idempotencyHeader = 'idempotency-key'
const passedNames = [
  ...['content-type', 'accept', idempotencyHeader, 'openai-beta', 'anthropic-version', 'anthropic-beta'],
  // Google's uploads in parts.
  ...['x-goog-upload-protocol', 'x-goog-upload-command', 'x-goog-upload-offset', 'x-goog-upload-file-name'],
  ...['x-goog-upload-header-content-length', 'x-goog-upload-header-content-type'],
]

const isBelow = (path: string, beginning: string): boolean =>
  path === beginning || path.startsWith(beginning.endsWith('/') ? beginning : `${beginning}/`)

/** The plan of the caller's direct calls to a channel. A caller without permission gets the same error as for a channel that does not exist. */
const allowedPlan = ({ channel, path }: PassthroughRoute, caller: Caller, { plans }: DirectPlans): DirectPlan => {
  const plan = plans.direct(caller, channel)
  const { paths } = plan.permission
  if (paths.length > 0 && !paths.some((beginning) => isBelow(path, beginning))) throw new AppError('passthrough_denied')
  return plan
}

const headerOf = ({ request }: RequestContext, name: string): string | undefined => {
  const value = ownMember(request.headers, name)
  return typeof value === 'string' ? value : undefined
}

const headersOf = ({ request }: RequestContext, { caller, fenced }: DirectPlan): Record<string, string> =>
  Object.fromEntries(
    passedNames.flatMap((name) => {
      const value = ownMember(request.headers, name)
      if (typeof value !== 'string') return []
      // Two makers may choose the same idempotency key, and the provider would answer the second with the first one's result.
      return [[name, name === idempotencyHeader && fenced ? keyOf(caller, value) : value]]
    }),
  )

const keyOf = (caller: Caller, key: string): string =>
  createHash('sha256')
    .update(`${scopeOf(caller)}\n${key}`)
    .digest('hex')

/** Bytes. The model of a longer body is read only where the key has a list of models; elsewhere it is only a name in the log. */
const mostRead = 256 * 1024
const longestModel = 200
/** Model name in the log for calls that name none. */
const unnamed = 'passthrough'

const modelOf = ({ bytes, json }: DirectBody, { method, path }: PassthroughRoute): string => {
  const body = json ?? (bytes.length > mostRead ? undefined : parsedJson(bytes.toString()))
  const named = isObject(body) && typeof body.model === 'string' ? body.model : ''
  const inPath = named === '' && method !== 'GET' ? modelInPath(path) : undefined
  return (inPath ?? named).slice(0, longestModel) || unnamed
}

/** Rewrites links in answers to lead back to the gateway, where the client's key works; the provider would not accept that key. */
const linksOf = (own: string, { channel, origins }: DirectPlan): OwnLinks | undefined =>
  own === '' ? undefined : { from: origins, to: `${own}/p/${channel.id}` }

/** Price of a call without usage, in currency units; undefined for reads, which are free. Throws AppError('passthrough_unpriced'). */
const priceOf = ({ method }: PassthroughRoute, { permission }: DirectPlan): Decimal | undefined => {
  if (method === 'GET') return undefined
  if (permission.price === undefined) throw new AppError('passthrough_unpriced')
  return permission.price
}

/** Route, plan and fence of a direct call. */
interface DirectPlace {
  readonly route: PassthroughRoute
  readonly plan: DirectPlan
  readonly fence: FencedCall
}

/**
 * Calls to a channel's provider with the client's own bytes. In a dialect that the provider speaks they are billed by the usage that
 * it reports, like any call; all others have a price per call.
 */
export const createPassthroughHandler = (parts: PassthroughHandlerParts): Handler<PassthroughRoute> => {
  const { relay, rawCalls, authentication, bodies, failures } = parts
  // The provider reads the name that the client wrote, and direct calls have their own access check.
  const asWritten = { ...parts, leavesNames: true, files: undefined, filesInCalls: undefined } as const

  const moduleCalls = createDirectModuleCalls(parts)

  const contentTypeOf = ({ request }: RequestContext): string => request.headers['content-type'] ?? ''

  const metered = async (
    context: RequestContext,
    { route, plan, fence }: DirectPlace,
    bytes: Buffer,
  ): Promise<CallFailure | undefined> => {
    const { caller, held, channel, fenced } = plan
    checkAddress(route.path, parts.keys.withoutKey(context.query), { fenced })
    const contentType = contentTypeOf(context)
    const { call: admitted } = await admit(context, held, bytes, asWritten)
    checkModel(caller, admitted.model)
    for (const model of admitted.named ?? []) checkModel(caller, model)
    await fence.admit({ bytes: admitted.raw, contentType, json: admitted.body })
    const call: RelayCall = {
      ...admitted,
      asIs: true,
      route: undefined,
      ...(fence.key === undefined ? {} : { place: { channel, key: fence.key } }),
      made(answer, { key }) {
        fence.sent(key)
        fence.answered(answer)
      },
    }
    return relay.answer(call, context.client, (why) => failures.print(context, why))
  }

  /** Parses a long JSON body in another thread, which takes its bytes and returns them. */
  const directBody = async (
    context: RequestContext,
    { path }: PassthroughRoute,
    bytes: Buffer,
    isRead: boolean,
  ): Promise<DirectBody> => {
    const contentType = contentTypeOf(context)
    const upload = uploadPartOf({ path, query: context.query }, (name) => headerOf(context, name))
    // Google's SDK labels any bytes as JSON.
    const isLong = upload === undefined && bytes.length > largeBodyBytes && /json/i.test(contentType) && isRead
    if (!isLong) return { bytes, contentType, upload }
    const { raw, body } = await bodies.parsed(context, bytes)
    return { bytes: raw, contentType, json: body }
  }

  const unmetered = async (
    context: RequestContext,
    { route, plan: direct, fence }: DirectPlace,
    received: Buffer,
  ): Promise<CallFailure | undefined> => {
    const { caller, channel, fenced } = direct
    const query = parts.keys.withoutKey(context.query)
    const url = rawAddress(channel.baseUrl, route.path, query, { fenced })
    const price = priceOf(route, direct)
    const isLimited = caller.modelLimits !== undefined && route.method !== 'GET'
    const sent = await directBody(context, route, received, fence.fenced || isLimited)
    // A key with a list of models needs the name of unnamed calls on it to make any.
    const plan = parts.plans.admitted(context, caller, { kind: 'raw', name: modelOf(sent, route) })
    if (isLimited) {
      const takesParts = !fence.fenced
      const names = await namesInDirectCall({ ...sent, path: route.path, query, takesParts })
      checkDirectNames(names, caller, plan.options)
    }
    const { id, startedAt, ip, program, path, model, client } = context
    const endUser = endUserOfHeader(context.request.headers)
    for (const names of await fence.admit(sent)) {
      if (!isLimited) break
      checkLetters(names)
      checkDirectNames(names, caller, plan.options)
    }
    const costAsked = costAskedBy(context, caller)
    const { bytes } = sent
    const body = bytes.length === 0 ? undefined : bytes
    const batch = await parts.batchCalls?.open(
      { channel, caller, method: route.method, path: route.path, query, facts: { ip, program, endUser, path } },
      sent,
    )
    const tapped = fence.tap(client)
    return rawCalls.answer(
      {
        facts: { id, startedAt, caller, ip, program, endUser, path, model, plan, stream: false, costAsked },
        request: {
          method: route.method,
          url,
          headers: headersOf(context, direct),
          body,
          links: linksOf(parts.publicAddress(context.request), direct),
        },
        channel,
        path: route.path,
        query,
        price,
        fence,
        batch,
      },
      batch?.tap(tapped) ?? tapped,
      (why) => failures.print(context, why),
    )
  }

  return withCaller(parts, async (context, route, caller) => {
    const options = parts.options()
    await authentication.rateLimited(caller, options.rateLimit)
    const plan = allowedPlan(route, caller, parts)
    const { channel } = plan
    if (moduleCalls.takes(route, plan) && (await moduleCalls.answer(context, route, plan))) return
    if (channel.provider.billsLater && route.method !== 'GET') throw new AppError('passthrough_bills_later')
    const bytes = await bodies.paid(context, caller)
    const { inner, innerPath, path } = route
    // A conversation is JSON, whatever content type its client sends.
    const isForm = /^multipart\//i.test(contentTypeOf(context)) && inner.kind === 'relay' && inner.dialect === undefined
    const isMetered =
      inner.kind === 'relay' &&
      inner.embeds === undefined &&
      !isForm &&
      goesAsIs(channel, { ...inner, path: innerPath })
    const { method } = route
    const fence = parts.directFence.open({ channel, caller, method, path, query: context.query, isTurn: isMetered })
    const place = { route, plan, fence }
    const failure = isMetered
      ? await metered({ ...context, route: inner, path: innerPath }, place, bytes)
      : await unmetered(context, place, bytes)
    failures.afterRecord(context, () => {
      if (failure !== undefined) failures.send(context, failure)
      else authentication.succeeded(caller, options.rateLimit)
    })
  })
}
