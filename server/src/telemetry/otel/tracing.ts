import {
  type Attributes,
  type Context,
  createTraceState,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import type { RequestTrace, TracedRequest, Tracing } from '../../gateway/ports.ts'
import { shortText } from '../../lib/bounded-text.ts'
import type { CallTrace, EndReason, TracedAttempt, TracedResult } from '../../relay/call-trace.ts'
import type { RelayChannel, RequestRecord } from '../../relay/ports.ts'
import { operationOf, providerNameOf, reasonNameOf } from './gen-ai.ts'

export interface OtelTracingParts {
  readonly tracer: Tracer
  /** True if upstreams get the context of the trace. */
  readonly propagates: boolean
  readonly clock: () => number
}

const traceparent = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/
const longestState = 512
const longestText = 300
const second = 1000
const mostReasons = 128

/** The context that a client's headers name (W3C Trace Context); undefined where they name none. */
const clientContext = ({ header }: TracedRequest): SpanContext | undefined => {
  const [, traceId, spanId, flags] = traceparent.exec(header('traceparent') ?? '') ?? []
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined
  const state = header('tracestate') ?? ''
  return {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags, 16) & 1,
    isRemote: true,
    ...(state === '' || state.length > longestState ? {} : { traceState: createTraceState(state) }),
  }
}

const headersOf = ({ traceId, spanId, traceFlags, traceState }: SpanContext): Readonly<Record<string, string>> => {
  const headers: Record<string, string> = {
    traceparent: `00-${traceId}-${spanId}-${(traceFlags & 1).toString(16).padStart(2, '0')}`,
  }
  const state = traceState?.serialize()
  if (state) headers.tracestate = state
  return headers
}

const short = (text: string): string => shortText(text, longestText)

/** Attributes of a call's tokens, as the conventions name them. */
const usageAttributes = ({ promptTokens, completionTokens, measures }: RequestRecord): Attributes => ({
  'gen_ai.usage.input_tokens': promptTokens,
  'gen_ai.usage.output_tokens': completionTokens,
  ...(measures === undefined
    ? {}
    : {
        'gen_ai.usage.cache_read.input_tokens': measures.cached,
        'gen_ai.usage.cache_creation.input_tokens': measures.cacheWrite,
        'gen_ai.usage.reasoning.output_tokens': measures.reasoning,
      }),
})

/** Settings of requests as the conventions name them, by the names that the APIs have for them. */
const requestSettings: ReadonlyMap<string, string> = new Map([
  ...['max_tokens', 'max_completion_tokens', 'max_output_tokens', 'maxOutputTokens'].map(
    (name) => [name, 'gen_ai.request.max_tokens'] as const,
  ),
  ['temperature', 'gen_ai.request.temperature'],
  ['top_p', 'gen_ai.request.top_p'],
  ['topP', 'gen_ai.request.top_p'],
  ['top_k', 'gen_ai.request.top_k'],
  ['topK', 'gen_ai.request.top_k'],
  ['seed', 'gen_ai.request.seed'],
  ['frequency_penalty', 'gen_ai.request.frequency_penalty'],
  ['presence_penalty', 'gen_ai.request.presence_penalty'],
])

const requestAttributes = ({ other }: RequestRecord): Attributes =>
  Object.fromEntries(
    Object.entries(other.parameters ?? {}).flatMap(([name, value]) => {
      const attribute = requestSettings.get(name)
      return attribute !== undefined && typeof value === 'number' ? [[attribute, value]] : []
    }),
  )

/** The spans of one request: its own, and below it hold, attempts and charge. */
class RequestSpans implements RequestTrace, CallTrace {
  private readonly parts: OtelTracingParts
  private readonly root: Span
  private readonly context: Context
  /** Attempts that are under way: two where a slow channel got a second one beside it. */
  private readonly open: { readonly channel: number; readonly span: Span }[] = []
  /** The span of the attempt that counts stays open until what it came to is known. */
  private last: { span: Span; endedAt: number } | undefined
  private operation = 'chat'
  private stream = false

  constructor(parts: OtelTracingParts, root: Span) {
    this.parts = parts
    this.root = root
    this.context = trace.setSpan(ROOT_CONTEXT, root)
  }

  forCall(call: Parameters<RequestTrace['forCall']>[0]): CallTrace {
    this.operation = operationOf(call.endpoint)
    this.stream = call.stream
    this.root.setAttributes({
      'gen_ai.operation.name': this.operation,
      'gen_ai.request.model': short(call.model),
      'gen_ai.request.stream': call.stream,
      'tollgate.group': call.caller.group,
      'tollgate.token.id': call.caller.tokenId,
      'enduser.id': String(call.caller.userId),
      ...(call.session === undefined ? {} : { 'gen_ai.conversation.id': call.session.id }),
    })
    return this
  }

  held(from: number, fault?: string): void {
    const span = this.child('hold', SpanKind.INTERNAL, from)
    if (fault !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: short(fault) })
    span.end(this.parts.clock())
  }

  attempt(channel: RelayChannel, upstreamModel: string): Readonly<Record<string, string>> | undefined {
    const span = this.attemptSpan(channel, this.parts.clock(), upstreamModel)
    this.open.push({ channel: channel.id, span })
    return this.parts.propagates ? headersOf(span.spanContext()) : undefined
  }

  attemptEnded(attempt: TracedAttempt, result: TracedResult): void {
    const { channel, startedAt, endedAt, hedge, cancelled = false, counts } = attempt
    const at = this.open.findIndex((begun) => begun.channel === channel.id)
    const [begun] = at < 0 ? [] : this.open.splice(at, 1)
    const span = begun?.span ?? this.attemptSpan(channel, startedAt, '')
    if (hedge !== undefined) span.setAttribute('tollgate.hedge', cancelled ? `${hedge}, cut off` : hedge)
    if (cancelled || !counts) {
      span.end(endedAt)
      return
    }
    describe(span, result, startedAt)
    this.closeLast()
    this.last = { span, endedAt }
  }

  answered(model: string, finishes: readonly EndReason[]): void {
    const attributes = {
      ...(model === '' ? {} : { 'gen_ai.response.model': short(model) }),
      ...(finishes.length === 0
        ? {}
        : { 'gen_ai.response.finish_reasons': finishes.slice(0, mostReasons).map(reasonNameOf) }),
    }
    this.root.setAttributes(attributes)
    this.last?.span.setAttributes(attributes)
  }

  recorded(from: number, record: RequestRecord): void {
    this.root.setAttributes(requestAttributes(record))
    const span = this.child(record.kind === 'charge' ? 'charge' : 'record failure', SpanKind.INTERNAL, from, {
      'tollgate.quota': record.quota,
    })
    span.end(this.parts.clock())
    if (record.kind === 'charge') {
      const usage = usageAttributes(record)
      this.last?.span.setAttributes(usage)
      this.root.setAttributes({ ...usage, 'tollgate.quota': record.quota })
      const { firstMs } = record.measures ?? {}
      if (firstMs !== undefined) this.root.setAttribute('gen_ai.response.time_to_first_chunk', firstMs / second)
    } else {
      const code = String(record.other.error_code ?? '_OTHER')
      this.root.setAttribute('error.type', short(code))
    }
    this.closeLast()
  }

  ended(status: number): void {
    this.closeLast()
    for (const { span } of this.open.splice(0)) span.end(this.parts.clock())
    this.root.setAttribute('http.response.status_code', status)
    if (status >= 500) this.root.setStatus({ code: SpanStatusCode.ERROR })
    this.root.end(this.parts.clock())
  }

  private attemptSpan(channel: RelayChannel, startTime: number, upstreamModel: string): Span {
    const model = short(upstreamModel)
    return this.child(model === '' ? this.operation : `${this.operation} ${model}`, SpanKind.CLIENT, startTime, {
      'gen_ai.operation.name': this.operation,
      'gen_ai.provider.name': providerNameOf(channel.provider.name),
      ...(model === '' ? {} : { 'gen_ai.request.model': model }),
      'gen_ai.request.stream': this.stream,
      'server.address': hostOf(channel.baseUrl),
      'tollgate.channel.id': channel.id,
      'tollgate.channel.name': short(channel.name),
    })
  }

  private closeLast(): void {
    this.last?.span.end(this.last.endedAt)
    this.last = undefined
  }

  private child(name: string, kind: SpanKind, startTime: number, attributes: Attributes = {}): Span {
    return this.parts.tracer.startSpan(name, { kind, startTime, attributes }, this.context)
  }
}

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).hostname : '')

const describe = (span: Span, result: TracedResult, startedAt: number): void => {
  const { kind, status, requestId, error, firstContentAt } = result
  if (status > 0) span.setAttribute('http.response.status_code', status)
  if (requestId) span.setAttribute('gen_ai.response.id', short(requestId))
  if (firstContentAt !== undefined) {
    span.addEvent('first token', firstContentAt)
    span.setAttribute('gen_ai.response.time_to_first_chunk', Math.max(0, firstContentAt - startedAt) / second)
  }
  if (error === '' || kind === 'client_gone') return
  span.setAttribute('error.type', status > 0 ? String(status) : '_OTHER')
  span.setStatus({ code: SpanStatusCode.ERROR, message: short(error) })
}

/** A request that is not recorded, whose context goes to the upstream all the same. */
const unrecorded = (context: SpanContext): RequestTrace & CallTrace => {
  const headers = headersOf(context)
  const spans: RequestTrace & CallTrace = {
    forCall: () => spans,
    ended() {},
    held() {},
    attempt: () => headers,
    attemptEnded() {},
    answered() {},
    recorded() {},
  }
  return spans
}

/** Follows requests with spans. What the sampler leaves out costs the decision and nothing more. */
export const createOtelTracing = (parts: OtelTracingParts): Tracing => ({
  begin(request) {
    const client = clientContext(request)
    const parent = client === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, client)
    const root = parts.tracer.startSpan(
      `${request.method} ${request.kind}`,
      {
        kind: SpanKind.SERVER,
        startTime: request.startedAt,
        attributes: {
          'http.request.method': request.method,
          'url.path': short(request.path),
          'tollgate.request.id': request.id,
        },
      },
      parent,
    )
    if (root.isRecording()) return new RequestSpans(parts, root)
    return parts.propagates ? unrecorded(root.spanContext()) : undefined
  },
})
