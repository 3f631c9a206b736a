import type { Clock } from '../../lib/clock.ts'
import { ownCause } from '../../lib/json/stored-error.ts'
import type { TaskPlatform } from '../../providers/dialects/tasks.ts'
import type { Channels } from '../../relay/ports.ts'
import type { ServiceParts } from '../../relay/tasks/ask-service.ts'
import { placeOf } from '../../relay/tasks/place.ts'
import { readStates, type TaskState } from '../../relay/tasks/states.ts'
import type { OpenTask, OpenTasks } from './open-tasks.ts'
import { failedColumns, progressOf, type TaskProgress } from './progress.ts'
import type { Settling } from './settle.ts'

export interface RefreshParts {
  readonly tasks: OpenTasks
  readonly settling: Settling
  readonly channels: Channels
  readonly service: ServiceParts
  readonly keyHashOf: (key: string) => string
  readonly clock: Clock
  readonly warn: (message: string, fields: Readonly<Record<string, unknown>>) => void
}

type Place = NonNullable<ReturnType<typeof placeOf>>

const idsPerAsk = 100

/** Tasks that one question can be about: of one channel and one of its keys. */
interface Batch {
  readonly place: Place | undefined
  readonly channelId: number
  readonly tasks: OpenTask[]
}

/** Asks upstreams after tasks of one platform and writes down what became of them. What fails is tried again with the next turn. */
export const createRefresh = ({ tasks, settling, channels, service, keyHashOf, clock, warn }: RefreshParts) => {
  const batchesOf = (open: readonly OpenTask[]): Batch[] => {
    const batches = new Map<string, Batch>()
    for (const task of open) {
      const place = placeOf(task, channels, keyHashOf)
      const name = `${task.channel_id} ${place?.key ?? ''}`
      const batch = batches.get(name) ?? { place, channelId: task.channel_id, tasks: [] }
      batches.set(name, batch)
      batch.tasks.push(task)
    }
    return [...batches.values()]
  }

  const settleAll = async (open: readonly OpenTask[], progress: (task: OpenTask) => TaskProgress): Promise<void> => {
    for (const task of open) {
      try {
        await settling.settle(task, progress(task))
      } catch (error) {
        warn('task_result_not_written', { task: task.taskId, error })
      }
    }
  }

  const ask = async (platform: TaskPlatform, place: Place, open: readonly OpenTask[]): Promise<boolean> => {
    const identified = open.filter(({ taskId }) => taskId !== '')
    let states: ReadonlyMap<string, TaskState> = new Map()
    let answered = true
    if (identified.length > 0) {
      const answer = await readStates(platform, place, [...new Set(identified.map(({ taskId }) => taskId))], service)
      if (answer.kind === 'answered') states = answer.states
      else {
        answered = false
        warn('task_status_unavailable', { channel: place.channel.id, cause: answer.cause })
      }
    }
    await settleAll(open, (task) => progressOf(task, states.get(task.taskId), clock()))
    return answered
  }

  /** Its tasks can never be asked after; a channel that is merely off is. */
  const giveUp = (channelId: number, open: readonly OpenTask[]): Promise<void> =>
    settleAll(open, (task) => ({
      kind: 'failed',
      columns: failedColumns(task, ownCause('task_channel_gone', { channel: channelId }).text, clock()),
    }))

  const withoutChannel = async ({ channelId, tasks: open }: Batch): Promise<void> => {
    // It may be newer than this node's picture of the channels, or its key may be unreadable for now.
    const there = await tasks.channelsAmong([channelId])
    if (there.has(channelId)) await settleAll(open, (task) => progressOf(task, undefined, clock()))
    else await giveUp(channelId, open)
  }

  /** Rows that an upstream never gave an id can never be asked after. */
  const isNameless = ({ taskId }: OpenTask): boolean => taskId === ''

  return {
    /** False when an upstream did not answer. */
    async refresh(platform: TaskPlatform, open: readonly OpenTask[]): Promise<boolean> {
      await settleAll(open.filter(isNameless), (task) => ({
        kind: 'failed',
        columns: failedColumns(task, ownCause('task_not_submitted').text, clock()),
      }))
      const refreshed = await Promise.all(
        batchesOf(open.filter((task) => !isNameless(task))).map(async (batch) => {
          if (batch.place === undefined) {
            await withoutChannel(batch)
            return true
          }
          let answered = true
          for (let start = 0; start < batch.tasks.length; start += idsPerAsk) {
            const some = batch.tasks.slice(start, start + idsPerAsk)
            answered = (await ask(platform, batch.place, some)) && answered
          }
          return answered
        }),
      )
      return refreshed.every(Boolean)
    },
  }
}

export type Refresh = ReturnType<typeof createRefresh>
