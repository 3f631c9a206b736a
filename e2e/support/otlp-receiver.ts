import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { bitsAt, doubleAt, hexAt, messagesAt, type ProtobufMessage, readProtobuf, textAt } from './protobuf.ts'

type Attributes = Readonly<Record<string, string | number | boolean>>

export interface ReceivedSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentId: string
  readonly name: string
  readonly kind: number
  /** Milliseconds since 1970. */
  readonly start: number
  readonly end: number
  readonly attributes: Attributes
  readonly events: readonly string[]
  /** 2 for an error. */
  readonly status: number
  readonly service: unknown
}

export interface ReceivedPoint {
  readonly name: string
  readonly attributes: Attributes
  /** Of a histogram, the number of its values. */
  readonly value: number
  readonly sum: number | undefined
}

export interface ReceivedLine {
  readonly severity: string
  readonly body: string
  readonly attributes: Attributes
}

/** A collector that takes OTLP/HTTP in protobuf and keeps what it got. */
export interface OtlpReceiver {
  readonly url: string
  readonly spans: ReceivedSpan[]
  readonly points: ReceivedPoint[]
  readonly lines: ReceivedLine[]
  readonly requests: { readonly path: string; readonly headers: IncomingMessage['headers'] }[]
  /** Status of its answers from now on. */
  status: number
  close(): Promise<void>
}

const anyValue = (value: ProtobufMessage): string | number | boolean => {
  const [flag, integer, double] = [bitsAt(value, 2), bitsAt(value, 3), doubleAt(value, 4)]
  if (flag !== undefined) return flag === 1n
  if (integer !== undefined) return Number(integer)
  return double ?? textAt(value, 1)
}

const attributesAt = (message: ProtobufMessage, field: number): Attributes =>
  Object.fromEntries(
    messagesAt(message, field).map((pair) => {
      const [value] = messagesAt(pair, 2)
      return [textAt(pair, 1), value === undefined ? '' : anyValue(value)]
    }),
  )

const millisecondsAt = (message: ProtobufMessage, field: number): number =>
  Number((bitsAt(message, field) ?? 0n) / 1000n) / 1000

/** Items in the scopes of a request, each with its resource. */
const thingsIn = (body: Buffer): readonly { thing: ProtobufMessage; resource: Attributes }[] =>
  messagesAt(readProtobuf(body), 1).flatMap((group) => {
    const [resource] = messagesAt(group, 1)
    const attributes = resource === undefined ? {} : attributesAt(resource, 1)
    return messagesAt(group, 2).flatMap((scope) =>
      messagesAt(scope, 2).map((thing) => ({ thing, resource: attributes })),
    )
  })

const spanOf = (span: ProtobufMessage, resource: Attributes): ReceivedSpan => {
  const [status] = messagesAt(span, 15)
  return {
    traceId: hexAt(span, 1),
    spanId: hexAt(span, 2),
    parentId: hexAt(span, 4),
    name: textAt(span, 5),
    kind: Number(bitsAt(span, 6) ?? 0n),
    start: millisecondsAt(span, 7),
    end: millisecondsAt(span, 8),
    attributes: attributesAt(span, 9),
    events: messagesAt(span, 11).map((event) => textAt(event, 2)),
    status: status === undefined ? 0 : Number(bitsAt(status, 3) ?? 0n),
    service: resource['service.name'],
  }
}

const pointsOf = (metric: ProtobufMessage): readonly ReceivedPoint[] => {
  const name = textAt(metric, 1)
  const numbers = [5, 7].flatMap((field) => messagesAt(metric, field)).flatMap((data) => messagesAt(data, 1))
  const histograms = messagesAt(metric, 9).flatMap((data) => messagesAt(data, 1))
  return [
    ...numbers.map((point) => ({
      name,
      attributes: attributesAt(point, 7),
      value: doubleAt(point, 4) ?? Number(bitsAt(point, 6) ?? 0n),
      sum: undefined,
    })),
    ...histograms.map((point) => ({
      name,
      attributes: attributesAt(point, 9),
      value: Number(bitsAt(point, 4) ?? 0n),
      sum: doubleAt(point, 5),
    })),
  ]
}

const lineOf = (line: ProtobufMessage): ReceivedLine => {
  const [body] = messagesAt(line, 5)
  return {
    severity: textAt(line, 3),
    body: body === undefined ? '' : String(anyValue(body)),
    attributes: attributesAt(line, 6),
  }
}

/** Starts a collector on this machine. */
export const startOtlpReceiver = async (): Promise<OtlpReceiver> => {
  const spans: ReceivedSpan[] = []
  const points: ReceivedPoint[] = []
  const lines: ReceivedLine[] = []
  const requests: OtlpReceiver['requests'] = []
  const take: Readonly<Record<string, (body: Buffer) => void>> = {
    '/v1/traces': (body) => spans.push(...thingsIn(body).map(({ thing, resource }) => spanOf(thing, resource))),
    '/v1/metrics': (body) => points.push(...thingsIn(body).flatMap(({ thing }) => pointsOf(thing))),
    '/v1/logs': (body) => lines.push(...thingsIn(body).map(({ thing }) => lineOf(thing))),
  }
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const { url = '', headers } = request
      const body = Buffer.concat(parts)
      requests.push({ path: url, headers })
      if (receiver.status === 200) take[url]?.(headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body)
      response.writeHead(receiver.status, { 'content-type': 'application/x-protobuf' }).end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const receiver: OtlpReceiver = {
    url: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
    spans,
    points,
    lines,
    requests,
    status: 200,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return receiver
}
