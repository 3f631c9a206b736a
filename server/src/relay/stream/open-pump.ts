import { openHeard } from '../../dialects/conversation/heard.ts'
import type { AttemptParts } from '../exchange/outcome.ts'
import { passthroughOf } from '../exchange/passthrough.ts'
import { openReshape } from '../exchange/reshape.ts'
import { lostHeader } from '../lost-header.ts'
import { usageLimits } from '../usage/limits.ts'
import { openAnswerGuard } from './answer-guard.ts'
import { ConvertingPump } from './converting-pump.ts'
import { NativePump, type Pump } from './pump.ts'
import { ReframedPump } from './reframed-pump.ts'

/** What carries a stream to its client: as it is, cut anew, or told in another language. */
export const openPump = (parts: AttemptParts, whenFull: () => void): Pump => {
  const { call, client, prepared, channel, limits, answerCheck } = parts
  const { conversion, stripUsage, frames } = prepared
  const usage = usageLimits(call, prepared.model)
  const common = {
    client,
    largestEvent: limits.maxResponseBytes,
    head: lostHeader(conversion),
    guard: openAnswerGuard(answerCheck),
    whenFull,
  }
  if (conversion === undefined) {
    const dialect = passthroughOf(call)
    const reshape = dialect.chatChunks ? openReshape(channel) : undefined
    const native = new NativePump({ ...common, inspector: dialect.createInspector(usage), stripUsage, reshape })
    return frames === undefined ? native : new ReframedPump(native, frames(), common.largestEvent)
  }
  const writer = conversion.client.openStream(conversion.conversation)
  const reader = conversion.upstream.openStream()
  const named = { id: call.id, created: Math.floor(call.startedAt / 1000) }
  const heard = openHeard(conversion.client.name)
  return new ConvertingPump({ ...common, frames: conversion.frames(), reader, writer, heard, named, usage })
}
