import type { Drawing, Task } from '@tollgate/contract'
import type { CostFigures } from '../answer-cost/answer-cost.ts'
import type { Reader } from '../reader.ts'

/** Channel and key of a task: rows of old versions have no key. */
export interface TaskPlace {
  readonly channel_id: number
  /** Keyed hash of the channel's key that began it. */
  readonly key_hash: string | null
  /** Id of its request; absent in rows of old versions. */
  readonly request_id?: string | null
}

export type DrawingTask = Drawing & TaskPlace
export type SongTask = Task & TaskPlace

/** Stored tasks, readable by the keys that `mayRead` accepts. */
export interface TaskBooks {
  /** The newest one with this id of the upstream. */
  drawing(reader: Reader, mjId: string): Promise<DrawingTask | undefined>
  drawings(reader: Reader, mjIds: readonly string[]): Promise<readonly DrawingTask[]>
  song(reader: Reader, taskId: string): Promise<SongTask | undefined>
  /** Current costs of tasks, after corrections and refunds, by the ids of their requests. */
  costs(requestIds: readonly string[]): Promise<ReadonlyMap<string, CostFigures>>
  songs(reader: Reader, taskIds: readonly string[]): Promise<readonly SongTask[]>
}

/** Options that shape calls to drawing services. */
export interface TaskOptions {
  /** MjNotifyEnabled: clients may tell the service where to call back. */
  readonly notify: boolean
  /** MjAccountFilterEnabled */
  readonly accountFilter: boolean
  /** MjModeClearEnabled */
  readonly clearModes: boolean
  /** MjForwardUrlEnabled: pictures are shown from here. */
  readonly forwardImages: boolean
  /** MjActionCheckSuccessEnabled */
  readonly needsSuccess: boolean
  /** Without a trailing slash; empty for none. */
  readonly serverAddress: string
}
