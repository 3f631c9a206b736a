import type { UpstreamDialect } from '../../dialects/dialect.ts'
import type { Frames } from '../../dialects/frames.ts'
import { AppError } from '../../lib/app-error.ts'
import { editMembers, elements, membersOf, type Splice, splice } from '../../lib/json/json-edit.ts'
import type { Adjustment, Language, ModelOptions } from '../../providers/provider.ts'
import type { RelayCall } from '../call.ts'
import { withFormField } from '../forms/form-edit.ts'
import { retell } from '../media/retelling.ts'
import type { Retelling } from '../media/told.ts'
import type { RelayChannel } from '../ports.ts'
import { mappedModel } from '../routing/model-mapping.ts'
import { type Conversion, convert, foreignLanguages, ownLanguage } from './conversion.ts'
import { bringsForeignThoughts } from './foreign-signatures.ts'
import { passthroughOf } from './passthrough.ts'

/** What goes upstream. */
export interface Prepared {
  /** After mapping and the provider's own rules. */
  readonly model: string
  readonly body: Buffer
  /** The usage event was asked for here, not by the client: it stops here. */
  readonly stripUsage: boolean
  readonly effort: string | undefined
  /** Of the upstream's address; the client's unless the call was turned into another language. */
  readonly path: string
  /** JSON when absent. */
  readonly contentType?: string
  readonly conversion: Conversion | undefined
  /** Where embeddings, pictures and the like are asked for in the provider's own words. */
  readonly retelling?: Retelling
  /** What a request in the client's own language was not sent with, because its model refuses it. */
  readonly lost?: readonly string[] | undefined
  /** How an untouched stream is cut; server-sent events when absent. */
  readonly frames?: (() => Frames) | undefined
  /** Errors that an untouched answer may hold in the provider's own words. */
  readonly errorOf?: UpstreamDialect['errorOf'] | undefined
}

type Members = Record<string, unknown>

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const asksForUsage = ({ body }: Pick<RelayCall, 'body'>): boolean =>
  isObject(body.stream_options) && body.stream_options.include_usage === true

const streams = (call: RelayCall): boolean => passthroughOf(call).chatChunks === true

/** The option `stream_options` goes only where it is understood, and is forced there so that usage is known. */
const streamOptions = (call: RelayCall, channel: RelayChannel, force: boolean): Members => {
  if (!streams(call)) return {}
  const present = 'stream_options' in call.body
  if (!call.stream || !channel.provider.streamOptions) return present ? { stream_options: undefined } : {}
  if (!force || asksForUsage(call)) return {}
  const asked = isObject(call.body.stream_options) ? call.body.stream_options : {}
  return { stream_options: { ...asked, include_usage: true } }
}

const override = (call: RelayCall, channel: RelayChannel): Members =>
  call.endpoint === 'embeddings' || call.endpoint === 'rerank' ? {} : (channel.paramOverride ?? {})

const printed = (members: Members): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [name, JSON.stringify(value)]))

const roleChanges = (json: Buffer, message: number, role: string, from?: string): Splice[] =>
  membersOf(json, message)
    .filter(({ name }) => name === 'role')
    .filter(({ valueStart, valueEnd }) => from === undefined || json.toString('utf8', valueStart, valueEnd) === from)
    .map(({ valueStart, valueEnd }) => ({ start: valueStart, end: valueEnd, text: JSON.stringify(role) }))

/** Roles of messages, and a message before all others; everything else keeps its bytes. */
const withMessages = (json: Buffer, { firstRole, developerRole, leadingSystem }: Adjustment): Buffer => {
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

const edited = (raw: Buffer, members: Members, adjustment: Adjustment | undefined): Buffer => {
  const changed = Object.keys(members).length === 0 ? raw : editMembers(raw, printed(members))
  return adjustment === undefined ? changed : withMessages(changed, adjustment)
}

/** The provider's own rules speak about its own language, so they come after the conversion. */
const converted = (
  call: RelayCall,
  channel: RelayChannel,
  mapped: string,
  languages: readonly Language[],
  options: ModelOptions,
): Prepared => {
  const { conversion, language, body } = convert(call, mapped, languages, options)
  const { stream, passed } = call
  const adjustment = channel.provider.adjust?.({ path: language.path, model: mapped, body, options, stream, passed })
  const model = adjustment?.model ?? mapped
  const named = 'model' in body ? { ...body, model } : body
  const members = { ...named, ...adjustment?.members, ...override(call, channel) }
  const printedBody = Buffer.from(JSON.stringify(members))
  return {
    model,
    body: adjustment === undefined ? printedBody : withMessages(printedBody, adjustment),
    stripUsage: false,
    effort: adjustment?.effort,
    path: language.path,
    conversion: withLost(conversion, adjustment?.lost),
  }
}

const withLost = (conversion: Conversion, lost: readonly string[] = []): Conversion =>
  lost.length === 0 ? conversion : { ...conversion, lost: [...new Set([...conversion.lost, ...lost])].sort() }

/** Gemini's own embeddings at a provider that takes them. The model stands in the address, and in each of several requests. */
const embedded = ({ model: asked, embeds }: RelayCall, channel: RelayChannel, model: string): Prepared | undefined => {
  if (embeds === undefined || channel.provider.embedsContents !== true) return undefined
  const { raw, path } = embeds
  const named = { model: `models/${model}` }
  const { requests, ...rest } = parsedMembers(raw)
  const body = Array.isArray(requests)
    ? {
        ...rest,
        requests: (requests as unknown[]).map((request) => (isObject(request) ? { ...request, ...named } : request)),
      }
    : { ...rest, ...(rest.model === undefined ? {} : named) }
  const bytes = asked === model ? raw : Buffer.from(JSON.stringify(body))
  return { model, body: bytes, stripUsage: false, effort: undefined, path, conversion: undefined }
}

const parsedMembers = (raw: Buffer): Members => JSON.parse(raw.toString()) as Members

const retold = (call: RelayCall, channel: RelayChannel, model: string, options: ModelOptions): Prepared | undefined => {
  const told = retell(call, channel, model, options)
  if (told === undefined) return undefined
  const { retelling, body, path } = told
  const own = { model, stripUsage: false, effort: undefined, path, conversion: undefined, retelling }
  if (Buffer.isBuffer(body)) return { ...own, body, contentType: 'application/octet-stream' }
  return { ...own, body: Buffer.from(JSON.stringify({ ...body, ...override(call, channel) })) }
}

/** An upload keeps its bytes but for the name of its model. */
const uploaded = ({ form, raw, body, path }: RelayCall, model: string): Prepared | undefined => {
  if (form === undefined) return undefined
  const { contentType } = form
  const sent = body.model === model ? raw : withFormField(raw, contentType, 'model', model)
  return { model, body: sent, stripUsage: false, effort: undefined, path, contentType, conversion: undefined }
}

const noLanguages: readonly Language[] = []

/** The client's own language, where its words cannot go through as they are. */
const retoldLanguages = (
  call: RelayCall,
  channel: RelayChannel,
  mapped: string,
  passThrough: boolean,
): readonly Language[] => {
  const { dialect, path } = call
  if (passThrough || dialect === undefined || !bringsForeignThoughts(call)) return noLanguages
  const own = dialect.paths.isTurn(path) ? ownLanguage(channel, dialect, mapped) : undefined
  return own === undefined ? noLanguages : [own]
}

/**
 * The body for one channel: mapped model, stream options, the provider's rules, the channel's overrides. All other bytes stay
 * as they came; a body without changes is the same buffer. With `passThrough` nothing changes at all.
 */
export const prepare = (
  call: RelayCall,
  channel: RelayChannel,
  {
    passThrough,
    forceStreamOption,
    models,
  }: { passThrough: boolean; forceStreamOption: boolean; models: ModelOptions },
): Prepared => {
  const mapped = mappedModel(channel.modelMapping, call.model)
  const { provider } = channel
  const foreign = foreignLanguages(channel, call.dialect, mapped, passThrough ? undefined : call.body)
  const languages = foreign.length > 0 ? foreign : retoldLanguages(call, channel, mapped, passThrough)
  // Calls beside a conversation can only be made in the language they belong to.
  if (languages.length > 0 && call.dialect?.paths.isTranslatable(call.path) === false) {
    throw new AppError('endpoint_not_served', { params: { model: call.model, path: call.path } })
  }
  if (languages.length > 0) return converted(call, channel, mapped, languages, models)
  const told = embedded(call, channel, mapped) ?? retold(call, channel, mapped, models) ?? uploaded(call, mapped)
  if (told !== undefined) return told
  const { path, body, stream, passed } = call
  const spoken = ownLanguage(channel, call.dialect, mapped)
  const own = { path, conversion: undefined, frames: spoken?.frames, errorOf: spoken?.dialect(models).errorOf }
  const untouched = passThrough && provider.envelope !== true
  if (untouched) return { model: mapped, body: call.raw, stripUsage: false, effort: undefined, ...own }
  const adjustment = provider.adjust?.({ path, model: mapped, body, options: models, stream, passed })
  const model = adjustment?.model ?? mapped
  const options = streamOptions(call, channel, forceStreamOption)
  const named: Members = model === call.body.model || call.dialect?.modelInPath ? {} : { model }
  const members = Object.assign(named, options, adjustment?.members, override(call, channel))
  return {
    model,
    body: edited(call.raw, members, adjustment),
    stripUsage: options.stream_options !== undefined,
    effort: adjustment?.effort,
    lost: adjustment?.lost,
    ...own,
  }
}
