import type { Drawing, Task } from '@tollgate/contract'
import type { CostFigures } from '../answer-cost/answer-cost.ts'
import type { Reader } from '../reader.ts'

/** Where a task is: rows of the reference's time know no key. */
export interface TaskPlace {
  readonly channel_id: number
  /** Keyed hash of the channel's key that began it. */
  readonly key_hash: string | null
  /** The request that began it; rows of the reference's time name none. */
  readonly request_id?: string | null
}

export type DrawingTask = Drawing & TaskPlace
export type SongTask = Task & TaskPlace

/** The tasks that are known, each to the keys that may read it (`mayRead`). */
export interface TaskBooks {
  /** The newest one that the upstream calls so. */
  drawing(reader: Reader, mjId: string): Promise<DrawingTask | undefined>
  drawings(reader: Reader, mjIds: readonly string[]): Promise<readonly DrawingTask[]>
  song(reader: Reader, taskId: string): Promise<SongTask | undefined>
  /** What tasks cost at present, after corrections and refunds, by the requests that began them. */
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
