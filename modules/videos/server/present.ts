import type { VideoRow } from './video.ts'

type Answer = Readonly<Record<string, unknown>>

/** Seconds as OpenAI states them: a text. */
const secondsOf = ({ duration_ms }: VideoRow): string => String(duration_ms / 1000)

const stateOf = ({ state }: VideoRow): 'queued' | 'in_progress' | 'completed' | 'failed' =>
  state === 'submitting' ? 'queued' : state

/** A video as OpenAI's clients read it. */
export const openaiVideo = (row: VideoRow): Answer => ({
  id: row.public_id,
  object: 'video',
  created_at: row.created_time,
  completed_at: row.state === 'completed' ? row.completed_time : null,
  expires_at: row.expires_time || null,
  status: stateOf(row),
  model: row.model,
  progress: row.progress,
  prompt: row.prompt,
  seconds: secondsOf(row),
  size: row.size,
  remixed_from_video_id: row.remixed_from || null,
  error: row.state === 'failed' ? { code: row.error_code, message: row.error_message } : null,
})

export const openaiVideos = (rows: readonly VideoRow[], hasMore: boolean): Answer => ({
  object: 'list',
  data: rows.map(openaiVideo),
  first_id: rows[0]?.public_id ?? null,
  last_id: rows.at(-1)?.public_id ?? null,
  has_more: hasMore,
})

/** The answer to a new task of a panel, which some read as OpenAI's video. */
export const panelSubmission = (row: VideoRow): Answer => ({ ...openaiVideo(row), task_id: row.public_id })

/** Words of new-api for the states of its tasks. */
const taskStates = {
  submitting: 'SUBMITTED',
  queued: 'QUEUED',
  in_progress: 'IN_PROGRESS',
  completed: 'SUCCESS',
  failed: 'FAILURE',
} as const

const frameOf = ({ size }: VideoRow): { readonly width: number; readonly height: number } => {
  const [width = 0, height = 0] = size.split('x').map(Number)
  return { width, height }
}

/**
 * A task as panels read it: the members of docs.newapi.pro (`task_id`, `status`, `url` …), and `data` with those that new-api itself
 * answers (github.com/QuantumNous/new-api, `TaskDto`). `url` is the gateway's own address of the content.
 */
export const panelTask = (row: VideoRow, url: string): Answer => {
  const isDone = row.state === 'completed'
  const error = row.state === 'failed' ? { code: 0, message: row.error_message } : null
  return {
    code: 'success',
    message: '',
    task_id: row.public_id,
    status: stateOf(row),
    ...(isDone ? { url, format: 'mp4' } : {}),
    metadata: { duration: row.duration_ms / 1000, ...frameOf(row) },
    error,
    data: {
      task_id: row.public_id,
      action: 'generate',
      status: taskStates[row.state],
      fail_reason: row.error_message,
      progress: `${row.progress}%`,
      submit_time: row.created_time,
      start_time: row.created_time,
      finish_time: row.completed_time,
      result_url: isDone ? url : '',
      data: openaiVideo(row),
    },
  }
}
