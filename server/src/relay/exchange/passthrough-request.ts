import { isObject, type JsonObject } from '../../dialects/conversation/json.ts'
import type { UpstreamDialect } from '../../dialects/dialect.ts'
import type { Frames } from '../../dialects/frames.ts'
import { editMembers, elements, membersOf, type Splice, splice } from '../../lib/json/json-edit.ts'
import type { Adjustment, Language, ModelOptions } from '../../providers/provider.ts'
import type { RelayCall } from '../call.ts'
import type { RelayChannel } from '../ports.ts'
import type { OutgoingRequest } from './exchange.ts'
import { passthroughOf } from './passthrough-dialect.ts'

export interface PassthroughParts {
  readonly call: RelayCall
  readonly channel: Pick<RelayChannel, 'forceFormat' | 'thinkingToContent'>
  readonly request: OutgoingRequest
  readonly effort?: string | undefined
  /** What the request was not sent with, because its model refuses it; none when absent. */
  readonly unsupported?: readonly string[] | undefined
  /** The usage event was asked for here, not by the client: it stops here. */
  readonly stripUsage?: boolean
  /** How its streams are cut; server-sent events when absent. */
  readonly frames?: (() => Frames) | undefined
  /** Errors that an answer may hold in the provider's own shape. */
  readonly errorOf?: UpstreamDialect['errorOf'] | undefined
}

/** Operators' settings that change bodies. */
export interface RequestSettings {
  /** Bodies pass as they are. */
  readonly passThrough: boolean
  /** The usage event of chat completions is asked for even where the client did not. */
  readonly forceStreamOption: boolean
  readonly models: ModelOptions
}

/** True if the client asked for the usage event of a stream of chat completions. */
export const asksForUsage = ({ body }: Pick<RelayCall, 'body'>): boolean =>
  isObject(body.stream_options) && body.stream_options.include_usage === true

/** The option `stream_options` goes only where it is understood, and is forced there so that usage is known. */
const streamOptions = (call: RelayCall, channel: RelayChannel, force: boolean): Record<string, unknown> => {
  if (passthroughOf(call).chatChunks !== true) return {}
  const present = 'stream_options' in call.body
  if (!call.stream || !channel.provider.streamOptions) return present ? { stream_options: undefined } : {}
  if (!force || asksForUsage(call)) return {}
  const sent = isObject(call.body.stream_options) ? call.body.stream_options : {}
  return { stream_options: { ...sent, include_usage: true } }
}

/** JsonObject that the channel puts into every body; not into those of vectors. */
export const overrides = (call: RelayCall, channel: RelayChannel): JsonObject =>
  call.endpoint === 'embeddings' || call.endpoint === 'rerank' ? {} : (channel.paramOverride ?? {})

const printed = (members: JsonObject): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [name, JSON.stringify(value)]))

const roleChanges = (json: Buffer, message: number, role: string, from?: string): Splice[] =>
  membersOf(json, message)
    .filter(({ name }) => name === 'role')
    .filter(({ valueStart, valueEnd }) => from === undefined || json.toString('utf8', valueStart, valueEnd) === from)
    .map(({ valueStart, valueEnd }) => ({ start: valueStart, end: valueEnd, text: JSON.stringify(role) }))

/** Roles of messages, and a message before all others; everything else keeps its bytes. */
export const withMessages = (json: Buffer, { firstRole, developerRole, leadingSystem }: Adjustment): Buffer => {
  if (firstRole === undefined && developerRole === undefined && leadingSystem === undefined) return json
  const messages = membersOf(json).find(({ name }) => name === 'messages')
  const [first, ...rest] = messages === undefined ? [] : elements(json, messages.valueStart)
  if (first === undefined) return json
  const splices: Splice[] = firstRole === undefined ? [] : roleChanges(json, first, firstRole)
  if (developerRole !== undefined)
    for (const message of [first, ...rest]) splices.push(...roleChanges(json, message, developerRole, '"developer"'))
  if (leadingSystem !== undefined) {
    const text = `${JSON.stringify({ role: 'system', content: leadingSystem })},`
    splices.push({ start: first, end: first, text })
  }
  return splice(json, splices)
}

const edited = (raw: Buffer, members: JsonObject, adjustment: Adjustment | undefined): Buffer => {
  const changed = Object.keys(members).length === 0 ? raw : editMembers(raw, printed(members))
  return adjustment === undefined ? changed : withMessages(changed, adjustment)
}

/**
 * A request that passes through: mapped model, stream options, the provider's rules, the channel's overrides. All other bytes
 * stay as they came; a body without changes is the same buffer. `language` is the client's own at this channel.
 */
export const passthroughRequest = (
  call: RelayCall,
  channel: RelayChannel,
  mapped: string,
  language: Language | undefined,
  { passThrough, forceStreamOption, models: options }: RequestSettings,
): PassthroughParts => {
  const { path, query, accept, body, stream, passed } = call
  const { provider } = channel
  const frames = language?.frames
  const errorOf = language?.dialect(options).errorOf
  const contentType = 'application/json'
  if (passThrough && provider.envelope !== true) {
    return {
      call,
      channel,
      request: { model: mapped, path, query, contentType, accept, body: call.raw },
      frames,
      errorOf,
    }
  }
  const adjustment = provider.adjust?.({ path, model: mapped, body, options, stream, passed })
  const model = adjustment?.model ?? mapped
  const streaming = streamOptions(call, channel, forceStreamOption)
  const named: Record<string, unknown> = model === call.body.model || call.dialect?.modelInPath ? {} : { model }
  const members = Object.assign(named, streaming, adjustment?.members, overrides(call, channel))
  return {
    call,
    channel,
    request: { model, path, query, contentType, accept, body: edited(call.raw, members, adjustment) },
    effort: adjustment?.effort,
    unsupported: adjustment?.lost,
    stripUsage: streaming.stream_options !== undefined,
    frames,
    errorOf,
  }
}

/** Gemini's own embeddings at a provider that takes them. The model stands in the address, and in each of several requests. */
export const geminiEmbeddings = (
  call: RelayCall,
  channel: RelayChannel,
  model: string,
): PassthroughParts | undefined => {
  const { model: asked, embeds, query, accept } = call
  if (embeds === undefined || channel.provider.embedsContents !== true) return undefined
  const { raw, path } = embeds
  const body = asked === model ? raw : withModel(raw, `models/${model}`)
  return { call, channel, request: { model, path, query, accept, contentType: 'application/json', body } }
}

const withModel = (raw: Buffer, model: string): Buffer => {
  const { requests, ...rest } = JSON.parse(raw.toString()) as Record<string, unknown>
  const body = Array.isArray(requests)
    ? {
        ...rest,
        requests: (requests as unknown[]).map((request) => (isObject(request) ? { ...request, model } : request)),
      }
    : { ...rest, ...(rest.model === undefined ? {} : { model }) }
  return Buffer.from(JSON.stringify(body))
}
