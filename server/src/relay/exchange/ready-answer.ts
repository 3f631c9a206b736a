import { promptTokens } from '../../billing/usage.ts'
import { eventsOf } from '../../dialects/conversation/collect.ts'
import type { Answer } from '../../dialects/conversation/conversation.ts'
import { heardAnswer } from '../../dialects/conversation/heard.ts'
import { writeEmbedContents } from '../../dialects/gemini/embed-contents.ts'
import type { Client, RelayCall } from '../call.ts'
import { lostHeader } from '../lost-header.ts'
import type { Retold } from '../media/told.ts'
import { streamHead } from '../stream/pump.ts'
import type { Used } from '../usage/billed-usage.ts'
import { answerHeaders } from './answer-headers.ts'
import { oneShotStream } from './one-shot.ts'
import type { Answered } from './outcome.ts'
import { asksForUsage } from './request-edit.ts'

type Body = Extract<Answered, { kind: 'body' }>

/** A body, or the end of a stream, with its head. Everything in it exists before the call is charged; then it is only sent. */
export interface ReadyAnswer {
  readonly status: number
  /** Names and values in turn; not sent again where a stream has begun. */
  readonly head: readonly string[]
  readonly bytes: Buffer | string
}

/** For providers that name neither the answer nor its time. */
const nameOf = (answer: Answer, { id, startedAt }: RelayCall): Answer => ({
  ...answer,
  id: answer.id || id,
  created: answer.created || Math.floor(startedAt / 1000),
})

/** A whole answer where the client asked for a stream. */
const streamOf = (call: RelayCall, { json, answer, conversion }: Body, used: Used): string => {
  const { dialect: client } = call
  const whole = answer ?? client?.passthrough.readAnswer?.(json)
  if (whole === undefined || client === undefined) return oneShotStream(json, { withUsage: asksForUsage(call) })
  const writer = client.openStream(conversion?.conversation ?? client.readRequest(call.body, call))
  const named = { ...nameOf(whole, call), usage: used.usage }
  return eventsOf(heardAnswer(named, client.name).answer)
    .map((event) => writer.write(event))
    .join('')
}

/** Clients rely on the member, also where a provider is silent. */
const retoldBody = ({ embeds }: RelayCall, { json }: Retold, { usage }: Used): object => {
  const tokens = promptTokens(usage)
  const whole = { ...json, usage: { prompt_tokens: tokens, total_tokens: tokens } }
  return embeds === undefined ? whole : writeEmbedContents(whole, embeds.action)
}

const bodyOf = (call: RelayCall, { answer, bytes, conversion, retold }: Body, used: Used): Buffer => {
  const tellsTokens = call.endpoint === 'embeddings' || call.endpoint === 'rerank'
  if (retold !== undefined && tellsTokens && (retold.usage === undefined || call.embeds !== undefined))
    return Buffer.from(JSON.stringify(retoldBody(call, retold, used)))
  if (answer === undefined || conversion === undefined) return bytes
  const { client, conversation } = conversion
  const named = { ...nameOf(answer, call), model: answer.model || conversation.model, usage: used.usage }
  return Buffer.from(JSON.stringify(client.writeAnswer(heardAnswer(named, client.name).answer, conversation)))
}

/** The rest of an answer: all of a body, the end of a stream. Throws where it cannot be built; then nothing may be charged. */
export const readyAnswer = (call: RelayCall, outcome: Answered, used: Used): ReadyAnswer => {
  if (outcome.kind === 'streamed')
    return { status: 200, head: streamHead, bytes: outcome.pump.ending(used, asksForUsage(call)) }
  const lost = lostHeader(outcome.conversion ?? outcome.retold)
  if (call.stream) return { status: 200, head: [...streamHead, ...lost], bytes: streamOf(call, outcome, used) }
  const bytes = bodyOf(call, outcome, used)
  const head = answerHeaders(outcome.headers, bytes.length)
  return { status: outcome.status, head: lost.length === 0 ? head : [...head, ...lost], bytes }
}

/** To a client that has not gone. */
export const sendReady = (client: Client, { status, head, bytes }: ReadyAnswer): void => {
  if (client.gone) return
  if (!client.begun) client.head(status, head)
  client.end(bytes)
}
