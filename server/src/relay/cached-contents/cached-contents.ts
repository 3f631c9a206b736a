import type { JsonObject } from '../../dialects/conversation/json.ts'
import { type CachedContent, readCachedContent, wantedLifeMs } from '../../dialects/gemini/caching/cached-content.ts'
import { AppError } from '../../lib/app-error.ts'
import { shortText } from '../../lib/bounded-text.ts'
import { createSerialQueues } from '../../lib/serial-queue.ts'
import type { Client, RelayCall } from '../call.ts'
import { answerHeaders } from '../exchange/printed-answer.ts'
import type { CallFailure } from '../failure.ts'
import type { Caller, RelayChannel } from '../ports.ts'
import type { AttemptLog } from '../records/attempt-log.ts'
import { mappedModel } from '../routing/model-mapping.ts'
import { type StoredObject, type StoredOwner, storedOwnerOf } from '../stored/ports.ts'
import { withHold } from '../with-hold.ts'
import { askChannel, type ChannelAnswer } from './ask-channel.ts'
import { CachedContentCall, type CachedContentChange } from './cached-content-call.ts'
import { creationOf } from './creation.ts'
import {
  paidUntil,
  paymentsOf,
  type StoragePayment,
  storageOf,
  unusedQuota,
  withoutPayments,
  withPayments,
} from './payments.ts'
import type { CachedContentParts } from './ports.ts'

/** A caller's content and its account. */
export interface KeptContent {
  /** The key that made it. */
  readonly owner: StoredOwner
  readonly content: CachedContent
  readonly channel: RelayChannel
  readonly key: string
  /** As its creator named it, without `models/`. */
  readonly model: string
  readonly payments: readonly StoragePayment[]
}

/** Contents that providers keep for later calls. Each is seen by the keys that see a stored object. */
export interface CachedContents {
  /** Makes one. What comes back is why it was not made. */
  create(call: RelayCall, client: Client): Promise<CallFailure | undefined>
  /** Throws AppError('cached_content_not_found'). */
  find(caller: Caller, name: string): Promise<KeptContent>
  /** Keeps one for another time from now on, which costs what is added. */
  extend(call: RelayCall, kept: KeptContent, client: Client): Promise<CallFailure | undefined>
  /** Reads one, or deletes it; costs nothing. */
  pass(call: RelayCall, kept: KeptContent, method: 'GET' | 'DELETE', client: Client): Promise<CallFailure | undefined>
  list(caller: Caller, page: { readonly size: number; readonly token: string }): Promise<JsonObject>
}

const dayMs = 86_400_000

export const createCachedContents = (parts: CachedContentParts): CachedContents => {
  const { storedObjects, storedResponses, channels, clock, options } = parts

  const remember = (
    owner: StoredOwner,
    content: CachedContent,
    model: string,
    payments: readonly StoragePayment[],
  ): void => {
    const { name, members, expires } = content
    const stored = withPayments({ ...members, model: `models/${model}` }, payments)
    const object = { kind: 'cached_content', id: name, owner, thread: name, content: stored } as const
    storedObjects.put(object, Math.max(0, expires - clock()) / dayMs)
  }

  /** The call pays for a life from `from` on, until `most` at most. */
  const noted =
    (
      call: RelayCall,
      { owner, model }: { readonly owner: StoredOwner; readonly model: string },
      { from, most }: { readonly from: number; readonly most: number },
      earlier: readonly StoragePayment[],
    ) =>
    (content: CachedContent, log: Pick<AttemptLog, 'channelId' | 'key'>, quota: number): void => {
      const { expires, name } = content
      storedResponses.note(name, owner, log, expires)
      const payment = { requestId: call.id, quota, from, to: Math.min(expires, most) }
      const payments = quota > 0 && payment.to > from ? [...earlier, payment] : earlier
      remember(owner, content, model, payments)
    }

  /** Which content of which model it is, as the channel names them. */
  const placeOf = (
    { model: origin }: RelayCall,
    channel: RelayChannel,
    { name }: CachedContent,
  ): { readonly origin: string; readonly model: string; readonly id: string } => ({
    origin,
    model: mappedModel(channel.modelMapping, origin),
    id: name.slice(name.lastIndexOf('/') + 1),
  })

  const contentOf = ({ content }: StoredObject): CachedContent | undefined =>
    readCachedContent(JSON.stringify(withoutPayments(content)))

  const answered = (client: Client, answer: Extract<ChannelAnswer, { kind: 'answered' }>, text: string): undefined => {
    const bytes = Buffer.from(text)
    client.head(200, answerHeaders(answer.headers, bytes.length))
    client.end(bytes)
  }

  const change = (changed: CachedContentChange, client: Client): Promise<CallFailure | undefined> =>
    withHold(new CachedContentCall(changed, client, parts), parts)

  const find: CachedContents['find'] = async (caller, name) => {
    const missing = new AppError('cached_content_not_found', { params: { name: shortText(name) } })
    const stored = await storedObjects.find(storedOwnerOf(caller), 'cached_content', name)
    const content = stored && contentOf(stored)
    const found = content && (await storedResponses.find(name, caller))
    const place = found === 'hidden' ? undefined : found
    const channel = place && channels.snapshot().byId(place.channelId)
    const key = channel?.keys.find((candidate) => storedResponses.keyHashOf(candidate) === place?.keyHash)
    if (stored === undefined || content === undefined || channel === undefined || key === undefined) throw missing
    const { model } = content.members
    const payments = paymentsOf(stored.content)
    return { owner: stored.owner, content, channel, key, model: String(model).replace(/^models\//, ''), payments }
  }

  /** Calls about one content run in turn, each with what the one before it has paid: no time is paid for twice. */
  const inTurn = createSerialQueues()
  const withKept = <Result>(
    { caller }: RelayCall,
    { content: { name } }: KeptContent,
    work: (kept: KeptContent) => Promise<Result>,
  ): Promise<Result> => inTurn.run(name, async () => work(await find(caller, name)))

  const extend = (
    call: RelayCall,
    { owner, content, channel, key, model, payments }: KeptContent,
    client: Client,
  ): Promise<CallFailure | undefined> => {
    const now = clock()
    // A life that was made shorter is paid for already.
    const paid = paidUntil(payments, Math.max(now, content.expires))
    const left = paid - now
    const wanted = wantedLifeMs(call.body, now)
    const { path, query } = call
    const question = {
      method: 'PATCH',
      path,
      query,
      ...placeOf(call, channel, content),
      body: () => call.raw,
    } as const
    return change(
      {
        call,
        expected: storageOf(content.tokens, wanted - left),
        async ask(settings, log) {
          Object.assign(log, { channel, channelId: channel.id, key, upstreamModel: model })
          const answer = await askChannel(question, { channel, key }, settings, parts)
          return answer.kind === 'answered' ? answer : { kind: 'refused', failure: answer.refusal.answer }
        },
        usedBy: ({ expires }) => storageOf(content.tokens, Math.min(expires - now, wanted) - left),
        shown: ({ members }) => JSON.stringify({ ...members, model: `models/${model}` }),
        done: noted(call, { owner, model }, { from: paid, most: now + wanted }, payments),
      },
      client,
    )
  }

  const pass = async (
    call: RelayCall,
    { owner, content, channel, key, model, payments }: KeptContent,
    method: 'GET' | 'DELETE',
    client: Client,
  ): Promise<CallFailure | undefined> => {
    const question = { method, path: call.path, query: '', ...placeOf(call, channel, content) }
    const answer = await askChannel(question, { channel, key }, call.plan?.options ?? options(), parts)
    if (answer.kind === 'refused') return answer.refusal.answer
    if (method === 'DELETE') {
      const { caller } = call
      const { name } = content
      // Refunds first: what is not stored any more cannot be deleted again.
      for (const payment of payments) {
        const quota = unusedQuota(payment, clock())
        const { requestId } = payment
        if (quota > 0) await parts.giveBack({ caller, channelId: channel.id, name, requestId, quota })
      }
      await storedObjects.remove({ owner, kind: 'cached_content', id: name })
      return answered(client, answer, answer.text)
    }
    const now = readCachedContent(answer.text)
    if (now === undefined) throw new AppError('bad_response_body')
    remember(owner, now, model, payments)
    return answered(client, answer, JSON.stringify({ ...now.members, model: `models/${model}` }))
  }

  return {
    create: (call, client) =>
      change(
        {
          ...creationOf(call, parts),
          done: noted(
            call,
            { owner: storedOwnerOf(call.caller), model: call.askedName ?? call.model },
            { from: call.startedAt, most: call.startedAt + wantedLifeMs(call.body, call.startedAt) },
            [],
          ),
        },
        client,
      ),

    find,

    extend: (call, kept, client) => withKept(call, kept, (current) => extend(call, current, client)),

    pass: (call, kept, method, client) => withKept(call, kept, (current) => pass(call, current, method, client)),

    async list(caller, { size, token }) {
      const after = /^\d{1,16}$/.test(token) ? Number(token) : undefined
      const page = { after, order: 'desc', limit: size + 1 } as const
      const all = await storedObjects.list(storedOwnerOf(caller), 'cached_content', page)
      const shown = all.slice(0, size)
      const last = shown.at(-1)
      const more = all.length > size && last !== undefined ? { nextPageToken: String(last.order) } : {}
      return { cachedContents: shown.map(({ content }) => withoutPayments(content)), ...more }
    },
  }
}
