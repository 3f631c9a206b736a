import {
  type AskedForm,
  type InfillAnswer,
  infillFrames,
  readInfill,
  writeInfill,
} from '../../../dialects/media/infill.ts'
import type { RelayCall } from '../../call.ts'
import type { RelayChannel } from '../../ports.ts'
import { isStream } from '../../upstream/upstream.ts'
import type { Exchange, Reading, ResponseHead } from '../exchange.ts'
import { asksForUsage, overrides, PassthroughExchange, type PassthroughParts } from '../passthrough.ts'
import { passthroughOf } from '../passthrough-dialect.ts'
import { jsonObject } from '../whole-answer.ts'

/** The client's form of an infill request; undefined for plain completions. */
const askedForm = ({ path, body }: RelayCall): AskedForm | undefined => {
  if (path.endsWith('/fim/completions')) return 'chat'
  return typeof body.suffix === 'string' && path.endsWith('/completions') ? 'text' : undefined
}

const usual = { path: '/v1/completions', form: 'text' } as const

class InfillExchange extends PassthroughExchange {
  private readonly answer: InfillAnswer

  constructor(parts: PassthroughParts, answer: InfillAnswer) {
    super(parts)
    this.answer = answer
  }

  override readResponse(head: ResponseHead, bytes: Buffer): Reading | Promise<Reading> {
    if (isStream(head.headers, false)) return super.readResponse(head, bytes)
    return super.readResponse(head, Buffer.from(JSON.stringify(readInfill(jsonObject(bytes), this.answer))))
  }
}

/** Exchange for an infill request in another form than the provider's; undefined for calls that are forwarded unchanged. */
export const infillExchange = (call: RelayCall, channel: RelayChannel, model: string): Exchange | undefined => {
  if (call.endpoint !== 'completions' || call.form !== undefined) return undefined
  const asked = askedForm(call)
  if (asked === undefined || !channel.provider.otherCalls) return undefined
  const { path, form } = channel.provider.infills?.(channel) ?? usual
  if (form === asked) return undefined
  const { query, accept, stream } = call
  const written = { ...writeInfill(call.body, asked, form), model, ...overrides(call, channel) }
  const { provider } = channel
  const lean = provider.refusesStreamOptions === true ? { ...written, stream_options: undefined } : written
  const body = Buffer.from(JSON.stringify(lean))
  const request = { model, path, query, accept, contentType: 'application/json', body, provider }
  const name = { id: `cmpl-${call.id}`, created: Math.floor(call.startedAt / 1000), model }
  const answer = { from: form, to: asked, name }
  // Clients of completions get the event with the usage where they asked for it, Mistral's always.
  const stripUsage = asked === 'text' && !asksForUsage(call)
  const frames = stream ? () => infillFrames(answer) : undefined
  return new InfillExchange({ call, channel, dialect: passthroughOf(call), request, stripUsage, frames }, answer)
}
