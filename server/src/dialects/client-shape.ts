import type { JsonObject } from './conversation/json.ts'
import type { ErrorFormat } from './errors.ts'

/** A received body: its bytes, and the same parsed. */
export interface ShapedBody {
  readonly raw: Buffer
  readonly body: JsonObject
}

/** Model and stream flag that the path names. */
interface PathTarget {
  readonly model: string
  readonly stream: boolean
}

/** Another form of a call that the gateway has: its requests are read into that call, and its answers written out of it. */
export interface ClientShape {
  /** The call's own path. */
  readonly path: string
  /** The request as the call takes it. Throws AppError if it cannot be read. */
  read(received: ShapedBody, target: PathTarget): ShapedBody
  /** A whole answer in the client's form; undefined leaves its bytes as they are. Must not throw: the call has been charged. */
  write?(answer: JsonObject): JsonObject | undefined
  /** How a stream is written; as it is when absent. */
  readonly frames?: ShapedFrames
  /** How the clients read errors; as those of the call when absent. */
  readonly errors?: ErrorFormat
}

/** A stream in the client's form. */
export interface ShapedFrames {
  readonly contentType: string
  /** Opens a stream. Returns one event in the client's form, empty for none; `payload` is its data. Must not throw. */
  open(): (payload: string) => Buffer
}
