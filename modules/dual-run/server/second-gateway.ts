import { Agent, request } from 'undici'
import { editMembers } from '#server/lib/json/json-edit.ts'
import type { EgressGuard } from '#server/lib/security/egress.ts'
import type { RelayCall } from '#server/relay/call.ts'

export interface SecondAnswer {
  readonly status: number
  readonly body: Buffer
  readonly isStream: boolean
  /** Milliseconds. */
  readonly tookMs: number
}

/** Asks the second gateway the same as a client asked here. Throws what the network throws, and for answers above the bound. */
export type AskSecond = (call: RelayCall) => Promise<SecondAnswer>

export interface SecondGatewayParts {
  readonly egress: EgressGuard
  /** The address of the second gateway, with or without `/v1`. */
  readonly address: () => string
  readonly key: () => string
  readonly mostBytes: number
  readonly timeoutMs: number
  readonly clock: () => number
}

/** The key in the header of every dialect. */
const headersOf = (call: RelayCall, key: string): Record<string, string> => ({
  ...call.passed,
  'content-type': 'application/json',
  accept: call.accept ?? (call.stream ? 'text/event-stream' : 'application/json'),
  'accept-encoding': 'identity',
  authorization: `Bearer ${key}`,
  'x-api-key': key,
  'x-goog-api-key': key,
})

/** The client's body; a stream of chat completions is asked to state its usage, which many clients do not want to see. */
const bodyOf = ({ raw, body, stream, dialect }: RelayCall): Buffer =>
  stream && dialect?.passthrough.chatChunks === true && body.stream_options === undefined
    ? editMembers(raw, { stream_options: '{"include_usage":true}' })
    : raw

export const createSecondGateway =
  ({ egress, address, key, mostBytes, timeoutMs, clock }: SecondGatewayParts): AskSecond =>
  async (call) => {
    const url = `${address().replace(/\/(v1)?\/?$/, '')}${call.path}${call.query}`
    const startedAt = clock()
    const signal = AbortSignal.timeout(timeoutMs)
    const agent = new Agent({ connect: { lookup: egress.lookup } })
    try {
      await egress.check(url)
      const headers = headersOf(call, key())
      const answer = await request(url, { method: 'POST', headers, body: bodyOf(call), dispatcher: agent, signal })
      const chunks: Buffer[] = []
      let bytes = 0
      for await (const chunk of answer.body) {
        const piece = Buffer.from(chunk as Uint8Array)
        bytes += piece.length
        if (bytes > mostBytes) throw new Error('its answer is larger than what is compared')
        chunks.push(piece)
      }
      const type = String(answer.headers['content-type'] ?? '')
      const isStream = type.startsWith('text/event-stream')
      return { status: answer.statusCode, body: Buffer.concat(chunks), isStream, tookMs: clock() - startedAt }
    } finally {
      await agent.destroy()
    }
  }
