import { isObject } from '../../dialects/conversation/json.ts'
import type { TaskPlatform } from '../../providers/dialects/tasks.ts'
import type { RelayChannel } from '../ports.ts'
import { redact } from '../upstream/redact.ts'
import { askService, type ServiceParts } from './ask-service.ts'
import { isSuccess, shownText } from './verdict.ts'

/** State of a task at its upstream; missing texts are empty, missing times 0. */
export interface TaskState {
  readonly taskId: string
  readonly status: string
  /** e.g. `45%`; empty when the upstream counts nothing. */
  readonly progress: string
  readonly failReason: string
  /** In the platform's unit: milliseconds for drawings, seconds for songs. */
  readonly startTime: number
  readonly finishTime: number
  readonly imageUrl: string
  readonly promptEn: string
  readonly description: string
  readonly state: string
  /** JSON texts. */
  readonly buttons: string
  readonly properties: string
  readonly data: string
}

type Json = Readonly<Record<string, unknown>>

const shortest = 250

/** Without the zero character, which PostgreSQL refuses. */
const text = (value: unknown): string => {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' ? value.replaceAll('\0', '') : ''
}
const word = (value: unknown): string => text(value).slice(0, shortest)
const time = (value: unknown): number => {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isSafeInteger(number) && number > 0 ? number : 0
}
const jsonText = (value: unknown): string =>
  value === undefined || value === null ? '' : JSON.stringify(value).replaceAll('\\u0000', '')

const drawingState = (task: Json): TaskState => ({
  taskId: text(task.id),
  status: word(task.status).toUpperCase(),
  progress: word(task.progress),
  failReason: text(task.failReason),
  startTime: time(task.startTime),
  finishTime: time(task.finishTime),
  imageUrl: text(task.imageUrl),
  promptEn: text(task.promptEn),
  description: text(task.description),
  state: text(task.state),
  buttons: jsonText(task.buttons),
  properties: jsonText(task.properties),
  data: '',
})

const songState = (task: Json): TaskState => ({
  taskId: text(task.task_id),
  status: word(task.status).toUpperCase(),
  progress: word(task.progress),
  failReason: text(task.fail_reason),
  startTime: time(task.start_time),
  finishTime: time(task.finish_time),
  imageUrl: '',
  promptEn: '',
  description: '',
  state: '',
  buttons: '',
  properties: '',
  data: jsonText(task.data),
})

const readers = {
  midjourney: {
    path: '/mj/task/list-by-condition',
    list: (value: unknown): unknown => value,
    state: drawingState,
  },
  suno: {
    path: '/suno/fetch',
    list: (value: unknown): unknown => (isObject(value) ? value.data : undefined),
    state: songState,
  },
} as const

export type StatesAnswer =
  | { readonly kind: 'answered'; readonly states: ReadonlyMap<string, TaskState> }
  | { readonly kind: 'failed'; readonly cause: string }

const timeoutMs = 15_000

/**
 * Reads the states of tasks from their channel. The result lacks tasks that the channel does not know, and ignores states of other
 * tasks. Never rejects.
 */
export const readStates = async (
  platform: TaskPlatform,
  place: { readonly channel: RelayChannel; readonly key: string },
  ids: readonly string[],
  parts: ServiceParts,
): Promise<StatesAnswer> => {
  const { path, list, state } = readers[platform]
  const body = Buffer.from(JSON.stringify({ ids }))
  const answer = await askService({ platform, ...place, method: 'POST', path, body, timeoutMs }, parts)
  if (answer.kind === 'failed') return { kind: 'failed', cause: answer.cause }
  const tasks = list(answer.value)
  if (!isSuccess(answer.status) || !Array.isArray(tasks)) {
    return { kind: 'failed', cause: `upstream status ${answer.status}: ${shownText(answer.bytes)}` }
  }
  const requested = new Set(ids)
  const secrets = { key: place.key, baseUrl: place.channel.baseUrl }
  const states = tasks.filter(isObject).map((task) => {
    const taskState = state(task)
    return { ...taskState, failReason: redact(taskState.failReason, secrets) }
  })
  return {
    kind: 'answered',
    states: new Map(states.filter((one) => requested.has(one.taskId)).map((one) => [one.taskId, one])),
  }
}
