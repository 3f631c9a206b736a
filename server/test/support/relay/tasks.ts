import type { Reader } from '../../../src/relay/reader.ts'
import type { DrawingTask, SongTask, TaskOptions } from '../../../src/relay/tasks/ports.ts'
import type { TaskRelayParts } from '../../../src/relay/tasks/task-relay.ts'

/** Tasks in memory, for tests. */
export interface TestTasks {
  readonly drawings: DrawingTask[]
  readonly songs: SongTask[]
  /** Read by each call. */
  options: TaskOptions
  /** Site at which services call; absent for none. */
  hooks?: string
  /** Drawings that an upstream was asked after. */
  readonly refreshed: string[]
  readonly parts: Pick<
    TaskRelayParts,
    | 'books'
    | 'taskOptions'
    | 'keyHashOf'
    | 'arrived'
    | 'connectMs'
    | 'maxResponseBytes'
    | 'refreshDrawing'
    | 'callbackUrl'
  >
}

export const testDrawing = (more: Partial<DrawingTask> = {}): DrawingTask => ({
  id: 1,
  code: 1,
  user_id: 7,
  action: 'IMAGINE',
  mj_id: '1001',
  prompt: 'a toll booth',
  prompt_en: '',
  description: '',
  state: '',
  submit_time: 1_763_600_000_000,
  start_time: 0,
  finish_time: 0,
  image_url: '',
  status: 'SUCCESS',
  progress: '100%',
  fail_reason: '',
  channel_id: 1,
  quota: 50_000,
  buttons: '',
  properties: '',
  key_hash: null,
  ...more,
})

export const testSong = (more: Partial<SongTask> = {}): SongTask => ({
  id: 1,
  created_at: 1_763_600_000,
  updated_at: 1_763_600_000,
  task_id: 's-1',
  platform: 'suno',
  user_id: 7,
  channel_id: 1,
  quota: 50_000,
  action: 'MUSIC',
  status: 'SUCCESS',
  fail_reason: '',
  submit_time: 1_763_600_000,
  start_time: 0,
  finish_time: 0,
  progress: '100%',
  properties: { input: 'rain' },
  data: [{ id: 'clip' }],
  key_hash: null,
  ...more,
})

export const openTestTasks = (): TestTasks => {
  const drawings: DrawingTask[] = []
  const songs: SongTask[] = []
  const refreshed: string[] = []
  const drawingsOf = ({ userId }: Reader, ids: readonly string[]) =>
    drawings.filter(({ user_id, mj_id }) => user_id === userId && ids.includes(mj_id))
  const songsOf = ({ userId }: Reader, ids: readonly string[]) =>
    songs.filter(({ user_id, task_id }) => user_id === userId && ids.includes(task_id))
  const tasks: TestTasks = {
    drawings,
    songs,
    refreshed,
    options: {
      notify: false,
      accountFilter: false,
      clearModes: false,
      forwardImages: true,
      needsSuccess: true,
      serverAddress: 'https://gate.example',
    },
    parts: {
      books: {
        drawing: async (reader, id) => drawingsOf(reader, [id])[0],
        drawings: async (reader, ids) => drawingsOf(reader, ids),
        song: async (reader, id) => songsOf(reader, [id])[0],
        songs: async (reader, ids) => songsOf(reader, ids),
        costs: async () => new Map(),
      },
      taskOptions: () => tasks.options,
      callbackUrl: (platform, id) => tasks.hooks && `${tasks.hooks}/${platform}/${id}`,
      keyHashOf: (key) => `hash of ${key}`,
      arrived: async () => {},
      connectMs: 2000,
      maxResponseBytes: 1024 * 1024,
      async refreshDrawing(reader, id) {
        refreshed.push(id)
        return drawingsOf(reader, [id]).length > 0
      },
    },
  }
  return tasks
}
