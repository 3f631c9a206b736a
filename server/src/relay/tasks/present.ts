import { isObject, parsedJson } from '../../dialects/conversation/json.ts'
import type { CostFigures } from '../answer-cost/answer-cost.ts'
import { withFiguresAt } from '../answer-cost/edit-usage.ts'
import type { DrawingTask, SongTask, TaskOptions } from './ports.ts'
import type { ClientAnswer } from './refusal.ts'

/** Address of the picture: at the gateway where the operator wants that, so that the service's address stays hidden. */
const imageUrl = ({ image_url, mj_id, status }: DrawingTask, options: TaskOptions, now: number): string => {
  if (image_url === '' || !options.forwardImages) return image_url
  // A preview changes under the same name.
  const fresh = status === 'SUCCESS' ? '' : `?rand=${now}000000`
  return `${options.serverAddress}/mj/image/${encodeURIComponent(mj_id)}${fresh}`
}

const parsed = (text: string): unknown => (text === '' ? undefined : parsedJson(text))

const objectOrNull = (value: unknown): unknown => (isObject(value) ? value : null)

/** A drawing as clients of Midjourney Proxy read it; `now` in milliseconds. */
export const drawingAnswer = (task: DrawingTask, options: TaskOptions, now: number): Record<string, unknown> => {
  const buttons = parsed(task.buttons)
  return {
    id: task.mj_id,
    action: task.action,
    customId: '',
    botType: '',
    prompt: task.prompt,
    promptEn: task.prompt_en,
    description: task.description,
    state: task.state,
    submitTime: task.submit_time,
    startTime: task.start_time,
    finishTime: task.finish_time,
    imageUrl: imageUrl(task, options, now),
    status: task.status,
    progress: task.progress,
    failReason: task.fail_reason,
    buttons: Array.isArray(buttons) ? buttons : [],
    maskBase64: '',
    properties: objectOrNull(parsed(task.properties)),
  }
}

/** A song as clients of Suno API read it. */
export const songAnswer = (task: SongTask): Record<string, unknown> => ({
  task_id: task.task_id,
  action: task.action,
  status: task.status,
  fail_reason: task.fail_reason,
  submit_time: task.submit_time,
  start_time: task.start_time,
  finish_time: task.finish_time,
  progress: task.progress,
  data: task.data,
})

/** A JSON object with its task's cost; the same bytes where it is unknown. */
export const withTaskCost = (json: Buffer, cost: CostFigures | undefined): Buffer =>
  cost === undefined ? json : withFiguresAt(json, ['usage'], cost, '{}')

/** An answer about one task with its cost, in its headers and, if it is an object, in its JSON. */
export const withCostOf = (answer: ClientAnswer, cost: CostFigures): ClientAnswer => ({
  ...answer,
  bytes: isObject(parsedJson(answer.bytes.toString())) ? withTaskCost(answer.bytes, cost) : answer.bytes,
  cost,
})
