import { createSerialQueue } from '#server/lib/serial-queue.ts'
import type { RelayCall } from '#server/relay/call.ts'
import type { CallCapture } from '#server/relay/call-capture.ts'
import type { InspectedFacts, Inspections, SwitchedCaptures } from '#server/relay/captures.ts'
import { contentOf } from './capture-content.ts'
import { CapturedCall } from './captured-call.ts'
import type { CutRules } from './cut-rules.ts'
import { createMemoryBound } from './kept-bytes.ts'
import type { RunningInspections } from './running-inspections.ts'
import type { InspectorStore } from './store.ts'

export interface CaptureParts {
  readonly store: Pick<InspectorStore, 'addCapture' | 'makeRoom'>
  readonly running: Pick<RunningInspections, 'none' | 'watch' | 'anyChannel' | 'ofCaller' | 'ofChannel'>
  /** False while no role may inspect calls. */
  readonly enabled: () => boolean
  readonly limits: () => { readonly bodyBytes: number; readonly totalBytes: number; readonly keepSeconds: number }
  readonly rules: () => CutRules
  /** Milliseconds since 1970. */
  readonly clock: () => number
  readonly failed: (error: unknown) => void
}

/** Writes inspected calls into the database once they are over. */
export interface CaptureWriter extends Inspections, Omit<SwitchedCaptures, 'open'> {
  /** A capture of a call that is a replay; the promise is that of its id, undefined where it could not be written. */
  replay(of: { readonly id: number; readonly inspection: number }): {
    readonly attach: (call: RelayCall) => CallCapture
    readonly written: Promise<number | undefined>
  }
  /** Resolves when everything is written. */
  idle(): Promise<void>
}

/** Bytes that captures of running calls hold, and those that wait to be written. */
const mostMemory = 64 * 1024 * 1024
/** Beyond so many that wait, calls are not captured. */
const mostWaiting = 200
const longestKey = 255

export const openCaptures = (parts: CaptureParts): CaptureWriter => {
  const { store, running, clock } = parts
  const memory = createMemoryBound(mostMemory)
  const queue = createSerialQueue()
  let waiting = 0

  const write = async (captured: CapturedCall, replayOf: number): Promise<number | undefined> => {
    const { call, record, inspection, attempts } = captured
    if (inspection === undefined) return undefined
    const { totalBytes, keepSeconds } = parts.limits()
    const content = await contentOf(captured, parts.rules())
    captured.release()
    const now = Math.floor(clock() / 1000)
    const short = (text: string): string => text.slice(0, longestKey).toWellFormed().replaceAll('\0', '')
    const id = await store.addCapture(
      {
        inspection_id: inspection,
        request_id: short(call.id),
        created_time: Math.floor(call.startedAt / 1000),
        expires_time: now + keepSeconds,
        user_id: call.caller.userId,
        user_role: call.caller.role,
        username: short(call.caller.username),
        token_name: short(call.caller.tokenName),
        channel_id: record?.channelId ?? attempts.at(-1)?.request.channel.id ?? 0,
        model: short(call.model),
        path: short(call.path),
        status: captured.status,
        quota: record?.quota ?? 0,
        prompt_tokens: record?.promptTokens ?? 0,
        completion_tokens: record?.completionTokens ?? 0,
        took_ms: Math.max(0, captured.endedAt - call.startedAt),
        pinned: 0,
        replay_of: replayOf,
      },
      content,
    )
    await store.makeRoom(totalBytes)
    return id
  }

  const capture = (
    call: InspectedFacts,
    inspection: number | undefined,
    over: (captured: CapturedCall) => void,
  ): CapturedCall =>
    new CapturedCall(call, inspection, {
      memory,
      mostBytes: parts.limits().bodyBytes,
      inspectionOfChannel: (channel) => running.ofChannel(channel, call.caller.role),
      clock,
      over,
    })

  const later = (captured: CapturedCall, replayOf: number): Promise<number | undefined> => {
    if (!captured.taken || waiting >= mostWaiting) {
      captured.release()
      return Promise.resolve(undefined)
    }
    waiting += 1
    return queue
      .run(() => write(captured, replayOf))
      .catch((error: unknown) => {
        parts.failed(error)
        return undefined
      })
      .finally(() => {
        waiting -= 1
        captured.release()
      })
  }

  return {
    get isOn() {
      return !running.none
    },
    watch: running.watch,
    open(call) {
      if (running.none || !parts.enabled()) return undefined
      const inspection = running.ofCaller(call.caller)
      if (inspection === undefined && !running.anyChannel) return undefined
      return capture(call, inspection, (captured) => void later(captured, 0))
    },

    replay({ id, inspection }) {
      const { promise: written, resolve } = Promise.withResolvers<number | undefined>()
      return {
        attach: (call) => capture(call, inspection, (captured) => void later(captured, id).then(resolve)),
        written,
      }
    },

    idle: queue.idle,
  }
}
