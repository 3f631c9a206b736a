import { errorText } from '@tollgate/contract'
import type { CostFigures } from '../answer-cost/answer-cost.ts'
import type { CostAsked } from '../call.ts'
import type { Reader } from '../reader.ts'
import { redact } from '../upstream/redact.ts'
import type { DrawingRequest } from './actions.ts'
import { askService } from './ask-service.ts'
import { drawingSubmission, type SubmissionParts, type TaskRequest } from './drawing-submission.ts'
import { placeOf } from './place.ts'
import type { TaskPlace } from './ports.ts'
import { drawingAnswer, songAnswer, withTaskCost } from './present.ts'
import { type ClientAnswer, drawingCode, drawingRefusal, songRefusal, TaskRefused } from './refusal.ts'
import { type SongAction, songSubmission } from './song-submission.ts'
import { openTaskSubmissions, type SubmitParts, type TaskAnswer } from './submit.ts'
import { isSuccess } from './verdict.ts'

export interface TaskRelayParts extends SubmitParts, SubmissionParts {
  /** Fetches and stores the state of a drawing of this key. False when the key may read no such drawing; throws when the upstream does not answer. */
  readonly refreshDrawing: (reader: Reader, mjId: string) => Promise<boolean>
}

type Answer = Readonly<Record<string, unknown>>

const mostIds = 500
const seedTimeoutMs = 30_000

const taskText = (answer: Answer, cost: CostFigures | undefined): string =>
  withTaskCost(Buffer.from(JSON.stringify(answer)), cost).toString()

const oneTask = (answer: Answer, cost: CostFigures | undefined): ClientAnswer => ({
  status: 200,
  bytes: Buffer.from(taskText(answer, cost)),
  cost,
})

const idsOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [])
    .filter((id) => typeof id === 'string' || typeof id === 'number')
    .map(String)
    .slice(0, mostIds)

/** Midjourney's and Suno's calls, free of HTTP and database. Throws TaskRefused, or AppError. */
export const createTaskRelay = (parts: TaskRelayParts) => {
  const submissions = openTaskSubmissions(parts)
  const { books, taskOptions } = parts

  const ownDrawing = async (reader: Reader, mjId: string) => {
    const task = await books.drawing(reader, mjId)
    if (task === undefined) throw new TaskRefused(drawingRefusal('task_no_found'))
    return task
  }

  /** Costs of tasks, for clients that request them. */
  const costsOf = async (tasks: readonly TaskPlace[], asked: CostAsked | undefined) => {
    const ids = asked === undefined ? [] : tasks.flatMap(({ request_id }) => request_id ?? [])
    const costs = ids.length === 0 ? undefined : await books.costs(ids)
    return ({ request_id }: TaskPlace): CostFigures | undefined => costs?.get(request_id ?? '')
  }

  const drawings = {
    submit: async (request: TaskRequest, drawing: DrawingRequest): Promise<TaskAnswer> =>
      submissions.submit(await drawingSubmission(request, drawing, parts)),

    /** `asked` is set for a client that requests the cost. */
    async fetch(reader: Reader, mjId: string, asked: CostAsked | undefined): Promise<ClientAnswer> {
      const task = await ownDrawing(reader, mjId)
      const answer = drawingAnswer(task, taskOptions(), parts.clock())
      return oneTask(answer, (await costsOf([task], asked))(task))
    },

    async list(reader: Reader, body: Answer, asked: CostAsked | undefined): Promise<ClientAnswer> {
      const tasks = await books.drawings(reader, idsOf(body.ids))
      const costOf = await costsOf(tasks, asked)
      const each = tasks.map((task) => taskText(drawingAnswer(task, taskOptions(), parts.clock()), costOf(task)))
      return { status: 200, bytes: Buffer.from(`[${each.join(',')}]`) }
    },

    /** Seed of a finished picture, which only its service stores. */
    async imageSeed(reader: Reader, mjId: string): Promise<ClientAnswer> {
      const task = await ownDrawing(reader, mjId)
      const place = placeOf(task, parts.channels, parts.keyHashOf)
      if (place === undefined) throw new TaskRefused(drawingRefusal('get_channel_info_failed'))
      if (!place.channel.enabled) throw new TaskRefused(drawingRefusal(errorText('task_channel_disabled', 'zh')))
      const path = `/mj/task/${encodeURIComponent(mjId)}/image-seed`
      const question = { platform: 'midjourney', ...place, method: 'GET', path, timeoutMs: seedTimeoutMs } as const
      const answer = await askService(question, parts)
      const { unreachable: code } = drawingCode
      if (answer.kind === 'failed') {
        throw new TaskRefused(drawingRefusal('do_request_failed', { code, cause: answer.cause }))
      }
      if (answer.json === undefined) throw new TaskRefused(drawingRefusal('unmarshal_response_body_failed', { code }))
      if (isSuccess(answer.status)) return answer
      const secrets = { key: place.key, baseUrl: place.channel.baseUrl }
      return { ...answer, bytes: Buffer.from(redact(answer.bytes.toString(), secrets)) }
    },

    /**
     * Callback for the progress of a drawing. Its content is not trusted, because every holder of an API key may send it, and a failure
     * is refunded: the service itself is asked, and only about a drawing that the key may read.
     */
    async notify(reader: Reader, body: Answer): Promise<void> {
      const { id } = body
      if (typeof id !== 'string' || id === '') throw new TaskRefused(drawingRefusal('bind_request_body_failed'))
      const isRefreshed = await parts.refreshDrawing(reader, id).catch((cause: unknown) => {
        throw new TaskRefused(drawingRefusal('update_midjourney_task_failed', { cause: String(cause) }))
      })
      if (!isRefreshed) throw new TaskRefused(drawingRefusal('midjourney_task_not_found'))
    },
  }

  const songsAnswer = (data: unknown): Answer => ({ code: 'success', message: '', data })

  const songs = {
    submit: async (request: TaskRequest, action: SongAction): Promise<TaskAnswer> =>
      submissions.submit(await songSubmission(request, action, parts)),

    async fetch(reader: Reader, taskId: string, asked: CostAsked | undefined): Promise<ClientAnswer> {
      const task = await books.song(reader, taskId)
      if (task === undefined) throw new TaskRefused(songRefusal('task_not_exist', 'task_not_exist'))
      return oneTask(songsAnswer(songAnswer(task)), (await costsOf([task], asked))(task))
    },

    async list(reader: Reader, body: Answer, asked: CostAsked | undefined): Promise<ClientAnswer> {
      const tasks = await books.songs(reader, idsOf(body.ids))
      const costOf = await costsOf(tasks, asked)
      const each = tasks.map((task) => taskText(songAnswer(task), costOf(task)))
      const text = JSON.stringify(songsAnswer(0)).replace(/0}$/, `[${each.join(',')}]}`)
      return { status: 200, bytes: Buffer.from(text) }
    },
  }

  return { drawings, songs }
}

export type TaskRelay = ReturnType<typeof createTaskRelay>
