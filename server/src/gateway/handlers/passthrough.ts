import { ownMember } from '@tollgate/contract/own-member'
import type { Decimal } from '../../billing/price.ts'
import { isObject, parsedJson } from '../../dialects/conversation/json.ts'
import { AppError } from '../../lib/app-error.ts'
import { goesAsIs } from '../../relay/exchange/exchange-for.ts'
import type { CallFailure } from '../../relay/failure.ts'
import type { Caller, RelayChannel } from '../../relay/ports.ts'
import { rawAddress } from '../../relay/raw/raw-address.ts'
import type { RawCalls } from '../../relay/raw/raw-call.ts'
import type { Relay } from '../../relay/relay.ts'
import { openTo } from '../../relay/routing/channel-fence.ts'
import { type AdmitParts, admit, checkModel } from '../auth/admit.ts'
import type { RequestContext } from '../request-context.ts'
import { type Handler, type HandlerParts, type RouteOf, withCaller } from './handler.ts'

export interface PassthroughHandlerParts extends HandlerParts, AdmitParts {
  readonly relay: Relay
  readonly rawCalls: RawCalls
}

type PassthroughRoute = RouteOf<'passthrough'>

/** What a provider may see of a client: nothing that names it, and not its key. */
const passedNames = ['content-type', 'accept', 'idempotency-key', 'openai-beta', 'anthropic-version', 'anthropic-beta']

const isBelow = (path: string, beginning: string): boolean =>
  path === beginning || path.startsWith(beginning.endsWith('/') ? beginning : `${beginning}/`)

/** The channel, if the caller may call its provider. Nobody else hears whether there is such a channel. */
const allowedChannel = ({ channel: id, path }: PassthroughRoute, caller: Caller, parts: AdmitParts): RelayChannel => {
  const channel = openTo(caller, parts.channels.snapshot().byId(id))
  const permission = channel?.enabled === true ? channel.passthrough : undefined
  if (channel === undefined || permission === undefined) throw new AppError('passthrough_denied')
  const { groups, keys, paths } = permission
  const isOpen = paths.length === 0 || paths.some((beginning) => isBelow(path, beginning))
  if (!isOpen || !(groups.has(caller.group) || keys.has(caller.tokenId))) throw new AppError('passthrough_denied')
  return channel
}

const headersOf = ({ request }: RequestContext): Record<string, string> =>
  Object.fromEntries(
    passedNames.flatMap((name) => {
      const value = ownMember(request.headers, name)
      return typeof value === 'string' ? [[name, value]] : []
    }),
  )

/** Bytes. The model of a longer body is not looked for: it is only a name in the log here. */
const mostRead = 256 * 1024
const longestModel = 200
/** In the log, for calls that name no model. */
const unnamed = 'passthrough'

const modelOf = (bytes: Buffer): string => {
  const body = bytes.length > mostRead ? undefined : parsedJson(bytes.toString())
  return isObject(body) && typeof body.model === 'string' ? body.model.slice(0, longestModel) || unnamed : unnamed
}

/** Reading costs nothing; whatever else cannot be billed by usage has the channel's price per call. */
const priceOf = ({ method }: PassthroughRoute, { passthrough }: RelayChannel): Decimal | undefined => {
  if (method === 'GET') return undefined
  if (passthrough?.price === undefined) throw new AppError('passthrough_unpriced')
  return passthrough.price
}

/**
 * Calls to a channel's provider with the client's own bytes. In a dialect that the provider speaks they are billed by the usage that
 * it reports, like any call; all others have a price per call.
 */
export const createPassthroughHandler = (parts: PassthroughHandlerParts): Handler<PassthroughRoute> => {
  const { relay, rawCalls, authentication, bodies, failures } = parts
  // The provider reads the name that the client wrote.
  const asWritten = { ...parts, leavesNames: true } as const

  const metered = async (
    context: RequestContext,
    caller: Caller,
    channel: RelayChannel,
    bytes: Buffer,
  ): Promise<CallFailure | undefined> => {
    const { call: admitted } = await admit(context, { ...caller, forcedChannel: channel.id }, bytes, asWritten)
    checkModel(caller, admitted.model)
    const call = { ...admitted, asIs: true, route: undefined }
    return relay.answer(call, context.client, (why) => failures.print(context, why))
  }

  const unmetered = async (
    context: RequestContext,
    route: PassthroughRoute,
    caller: Caller,
    channel: RelayChannel,
    bytes: Buffer,
  ): Promise<CallFailure | undefined> => {
    const query = parts.keys.withoutKey(context.query)
    const url = rawAddress(channel.baseUrl, route.path, query)
    const price = priceOf(route, channel)
    context.model = modelOf(bytes)
    // A key with a list of models needs this name on it to make calls that name none.
    checkModel(caller, context.model)
    const { id, startedAt, ip, program, path, model, client } = context
    const body = bytes.length === 0 ? undefined : bytes
    return rawCalls.answer(
      {
        facts: { id, startedAt, caller, ip, program, path, model, stream: false },
        request: { method: route.method, url, headers: headersOf(context), body },
        channel,
        path: route.path,
        query,
        price,
      },
      client,
      (why) => failures.print(context, why),
    )
  }

  return withCaller(parts, async (context, route, caller) => {
    const options = parts.options()
    await authentication.rateLimited(caller, options.rateLimit)
    const channel = allowedChannel(route, caller, parts)
    const bytes = await bodies.paid(context, caller)
    const { inner, path } = route
    const isForm = /^multipart\//i.test(context.request.headers['content-type'] ?? '')
    const isMetered =
      inner.kind === 'relay' && inner.embeds === undefined && !isForm && goesAsIs(channel, { ...inner, path })
    const failure = isMetered
      ? await metered({ ...context, route: inner, path }, caller, channel, bytes)
      : await unmetered(context, route, caller, channel, bytes)
    failures.afterRecord(context, () => {
      if (failure !== undefined) failures.send(context, failure)
      else authentication.succeeded(caller, options.rateLimit)
    })
  })
}
