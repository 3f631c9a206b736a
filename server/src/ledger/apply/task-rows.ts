import type { Transaction } from 'kysely'
import type { Database, Row } from '../../db/database.ts'
import type { Tables } from '../../db/schema.ts'
import type { FinishedCall, TaskStart } from '../../relay/ports.ts'

/** Later states of a task are written elsewhere, with the same bounds. */
export { boundedTaskColumns } from '../../journal/record-bounds.ts'

type WithTask = FinishedCall & { readonly task: TaskStart }

export const taskTables = { midjourney: 'midjourneys', suno: 'tasks' } as const

/**
 * Writes the tasks that requests began, each once: within `trx` together with the charge, so that neither is ever there
 * without the other.
 */
export const writeTasks = async (
  database: Database,
  records: readonly FinishedCall[],
  trx?: Transaction<Tables>,
): Promise<void> => {
  const started = records.filter((record): record is WithTask => record.task !== undefined)
  for (const platform of ['midjourney', 'suno'] as const) {
    const rows = started.filter(({ task }) => task.platform === platform).map(rowOf[platform])
    const how = { skipExisting: true, ...(trx === undefined ? {} : { trx }) }
    if (rows.length > 0) await database.insertMany(taskTables[platform], rows, how)
  }
}

const finished = ({ progress }: TaskStart): boolean => progress === '100%'

const drawingRow = (record: WithTask): Row => {
  const { task } = record
  return {
    code: task.code,
    user_id: record.userId,
    token_id: record.tokenId,
    action: task.action,
    mj_id: task.taskId,
    prompt: task.prompt,
    prompt_en: '',
    description: task.description,
    state: task.state,
    submit_time: task.submittedAt,
    start_time: 0,
    finish_time: finished(task) ? record.at : 0,
    image_url: task.imageUrl,
    status: task.status,
    progress: task.progress,
    fail_reason: task.failReason,
    channel_id: record.channelId,
    quota: record.quota,
    buttons: '',
    properties: '',
    request_id: record.id,
    key_hash: task.keyHash,
  }
}

const songRow = (record: WithTask): Row => {
  const { task } = record
  const submitted = Math.floor(task.submittedAt / 1000)
  const now = Math.floor(record.at / 1000)
  return {
    created_at: submitted,
    updated_at: now,
    task_id: task.taskId,
    platform: task.platform,
    user_id: record.userId,
    token_id: record.tokenId,
    channel_id: record.channelId,
    quota: record.quota,
    action: task.action,
    status: task.status,
    fail_reason: task.failReason,
    submit_time: submitted,
    start_time: 0,
    finish_time: finished(task) ? now : 0,
    progress: task.progress,
    properties: JSON.stringify({ input: task.prompt }),
    data: '',
    request_id: record.id,
    key_hash: task.keyHash,
  }
}

/** The texts of a new row that nothing changes later. */
export const taskTextsOf = (task: TaskStart): Readonly<Record<string, string>> =>
  task.platform === 'midjourney'
    ? { prompt: task.prompt, mj_id: task.taskId, action: task.action, key_hash: task.keyHash }
    : {
        properties: JSON.stringify({ input: task.prompt }),
        task_id: task.taskId,
        action: task.action,
        key_hash: task.keyHash,
      }

const rowOf = { midjourney: drawingRow, suno: songRow }
